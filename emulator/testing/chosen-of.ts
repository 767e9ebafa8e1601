import { BusbarError, didYouMean, nearest, quoted } from 'busbar/base';

/** Returns the checks with these names. Default: all. @throws BusbarError `invalid-option` for an unknown name */
export function chosenOf<C extends { readonly name: string }>(
  checks: readonly C[],
  only: readonly string[] | undefined,
): readonly C[] {
  const names = checks.map(({ name }) => name);
  for (const name of only ?? []) {
    if (names.includes(name)) continue;
    const hint = didYouMean(nearest(name, names)) || ` There are: ${names.join(', ')}.`;
    throw new BusbarError('invalid-option', `Check ${quoted(name)} does not exist.${hint}`);
  }
  return checks.filter(({ name }) => only === undefined || only.includes(name));
}
