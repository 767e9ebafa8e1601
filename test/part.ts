/**
 * Part `i` of `n` of a long suite, as `--part i/n` says: every n-th unit from the i-th on. All of them without it. A
 * part that is none ends the process with exit code 2.
 */
export function partOf<Unit>(units: readonly Unit[], part: string | undefined): Unit[] {
  const { index, count } = readPart(part);
  return units.filter((_unit, at) => at % count === index - 1);
}

/** @returns `{ index: 1, count: 1 }` for the whole suite. */
export function readPart(part = '1/1'): { readonly index: number; readonly count: number } {
  const [, index, count] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(part)?.map(Number) ?? [];
  if (index !== undefined && count !== undefined && index <= count) return { index, count };
  process.stderr.write(`"${part}" is not a part. Write "--part 1/4" for the first of four.\n`);
  process.exit(2);
}
