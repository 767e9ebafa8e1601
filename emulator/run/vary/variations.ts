import { BusbarError, didYouMean, nearest, quoted } from 'busbar/base';

/** Parts of the specification with several legal readings. `docs/guides/faults.md` explains each. */
export const variations = ['times', 'objects', 'keys', 'order', 'enums', 'empty-ends'] as const;

/** Name of a variation. */
export type Variation = (typeof variations)[number];

/** Checks names of variations. @throws BusbarError `invalid-option` for an unknown name */
export function readVariations(names: readonly string[]): ReadonlySet<Variation> {
  return new Set(
    names.map((name) => {
      const variation = variations.find((each) => each === name);
      if (variation !== undefined) return variation;
      const hint = didYouMean(nearest(name, variations));
      const choice = hint === '' ? ` The variations are ${variations.join(', ')}.` : hint;
      throw new BusbarError('invalid-option', `There is no variation ${quoted(name)}.${choice}`);
    }),
  );
}
