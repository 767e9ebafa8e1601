import { quoted } from './errors.js';

/**
 * Returns the candidates that are similar to a mistyped name, best first: those that contain it, and those within a few
 * edits (about one in four letters). Truncates the name after 200 characters.
 */
export function nearest(name: string, candidates: readonly string[], limit = 3): string[] {
  return ranked(name, candidates)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/** Returns the most similar candidates, several if they are as similar: both `http-port` and `kafka-port` for `port`. */
export function closest(name: string, candidates: readonly string[]): string[] {
  const [best, ...others] = ranked(name, candidates);
  const same = others.filter(({ distance }) => distance === best?.distance);
  return [best, ...same].flatMap((each) => each?.candidate ?? []);
}

function ranked(name: string, candidates: readonly string[]) {
  const text = name.slice(0, 200).toLowerCase();
  if (text === '') return [];
  const bound = Math.max(1, Math.ceil(text.length / 4));
  return candidates
    .map((candidate) => ({ candidate, distance: distanceOf(text, candidate.toLowerCase(), bound) }))
    .filter(({ distance }) => distance <= bound)
    .sort((a, b) => a.distance - b.distance);
}

/** Returns ` Did you mean "a" or "b"?`, or an empty string without names. */
export function didYouMean(names: readonly string[]): string {
  if (names.length === 0) return '';
  return ` Did you mean ${names.map(quoted).join(' or ')}?`;
}

function distanceOf(text: string, candidate: string, bound: number): number {
  // A fragment such as "ledger.entry" needs many edits, but is a good match.
  if (text.length >= 4 && candidate.includes(text)) return Math.min(bound, 1);
  return Math.abs(text.length - candidate.length) > bound ? Infinity : edits(text, candidate);
}

/** Counts insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
export function edits(a: string, b: string): number {
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
