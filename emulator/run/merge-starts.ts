import type { Instant } from '../engine/time.js';

/** Merges planned starts with those of inputs. Keeps a cell in memory until its last input. */
export function* withInputs<S extends { readonly at: number; readonly cell: number; readonly last: boolean }>(
  planned: Iterable<S>,
  inputs: readonly S[],
): Generator<S, void, void> {
  const visited = new Set(inputs.map(({ cell }) => cell));
  for (const start of merge(planned, inputs)) {
    yield start.last && visited.has(start.cell) ? { ...start, last: false } : start;
  }
}

/** Merges two sequences by instant. */
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

/** Yields the starts before `until` in the played cells. */
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
