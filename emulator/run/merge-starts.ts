import type { Instant } from '../engine/time.js';

/** Planned starts and those from a log. A household that the log comes back to is not forgotten before. */
export function* withLate<S extends { readonly at: number; readonly cell: number; readonly last: boolean }>(
  planned: Iterable<S>,
  late: readonly S[],
): Generator<S, void, void> {
  const visited = new Set(late.map(({ cell }) => cell));
  for (const start of merge(planned, late)) {
    yield start.last && visited.has(start.cell) ? { ...start, last: false } : start;
  }
}

/** Both in one, by instant. */
export function* merge<T extends { readonly at: number }>(
  one: Iterable<T>,
  other: Iterable<T>,
): Generator<T, void, void> {
  const others = other[Symbol.iterator]();
  let next = others.next();
  for (const each of one) {
    for (; !next.done && next.value.at < each.at; next = others.next()) yield next.value;
    yield each;
  }
  for (; !next.done; next = others.next()) yield next.value;
}

/** Those before the end, in the cells that are played. */
export function* played<T extends { readonly at: number; readonly cell: number }>(
  starts: Iterable<T>,
  until: Instant,
  isPlayed: (cell: number) => boolean,
): Generator<T, void, void> {
  for (const start of starts) {
    if (start.at >= until) return;
    if (isPlayed(start.cell)) yield start;
  }
}
