import { didYouMean, nearest } from '../../../src/base/nearest.js';
import { BusbarError } from '../../../src/base/errors.js';
import { quoted } from '../../../src/base/quoted.js';

/** What the specification leaves open, and a run can answer in other legal ways; `docs/faults.md` explains each. */
export const variations = ['times', 'objects', 'keys', 'order', 'enums', 'empty-ends'] as const;

export type Variation = (typeof variations)[number];

/** @throws BusbarError `invalid-option` for a name that is none. */
export function readVariations(names: readonly string[]): ReadonlySet<Variation> {
  return new Set(
    names.map((name) => {
      const variation = variations.find((each) => each === name);
      if (variation !== undefined) return variation;
      const hint = didYouMean(nearest(name, variations));
      const choice = hint === '' ? ` There are: ${variations.join(', ')}.` : hint;
      throw new BusbarError('invalid-option', `Nothing called ${quoted(name)} can be varied.${choice}`);
    }),
  );
}
