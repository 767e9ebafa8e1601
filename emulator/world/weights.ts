import type { RandomStream } from '../engine/random.js';

/** Draws a key of a table whose rows have weights. */
export function weightedKey<Key extends string>(
  random: RandomStream,
  table: Readonly<Record<Key, { readonly weight: number }>>,
): Key {
  return random.weighted(weightsOf(table)) as Key;
}

/** Draws a key of a table with equal likelihood. */
export function anyKey<Key extends string>(random: RandomStream, table: Readonly<Record<Key, unknown>>): Key {
  return random.pick(Object.keys(table) as Key[]);
}

/** The weights alone, computed once for each table. */
function weightsOf(table: Rows): Readonly<Record<string, number>> {
  let weights = known.get(table);
  if (weights === undefined) {
    weights = Object.fromEntries(Object.entries(table).map(([key, { weight }]) => [key, weight]));
    known.set(table, weights);
  }
  return weights;
}

type Rows = Readonly<Record<string, { readonly weight: number }>>;

const known = new WeakMap<Rows, Readonly<Record<string, number>>>();
