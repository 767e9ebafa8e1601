/**
 * The candidates that a mistyped name may have meant, best first: those it is a part of, and those within a few
 * edits (about one in four letters). Long input is cut at 200 characters.
 */
export function nearest(name: string, candidates: readonly string[], limit = 3): string[] {
  const wanted = name.slice(0, 200).toLowerCase();
  if (wanted === '') return [];
  const bound = Math.max(1, Math.ceil(wanted.length / 4));
  return candidates
    .map((candidate) => ({ candidate, distance: distanceOf(wanted, candidate.toLowerCase(), bound) }))
    .filter(({ distance }) => distance <= bound)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** `. Did you mean "a" or "b"?`, or nothing when there is nothing near. */
export function didYouMean(names: readonly string[]): string {
  if (names.length === 0) return '';
  return ` Did you mean ${names.map((name) => `"${name}"`).join(' or ')}?`;
}

function distanceOf(wanted: string, candidate: string, bound: number): number {
  // A fragment such as "ledger.entry" is a poor match by edits, and a good one by eye.
  if (wanted.length >= 4 && candidate.includes(wanted)) return Math.min(bound, 1);
  return Math.abs(wanted.length - candidate.length) > bound ? Infinity : edits(wanted, candidate);
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function edits(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const substitution = (last[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let best = Math.min(substitution, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1);
      if (a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (beforeLast[column - 2] ?? Infinity) + 1);
      }
      current.push(best);
    }
    [beforeLast, last] = [last, current];
  }
  return last[b.length] ?? 0;
}
