import type { RandomStream } from '../../engine/random.js';

/** One of the rows, in proportion to their weights: for values that belong together. */
export function weightedRow<Row extends { readonly weight: number }>(
  random: RandomStream,
  rows: readonly Row[],
): Row {
  return rows[Number(random.weighted(weightsOf(rows)))] as Row;
}

/** One of the keys of a table whose rows have weights. */
export function weightedKey<Key extends string>(
  random: RandomStream,
  table: Readonly<Record<Key, { readonly weight: number }>>,
): Key {
  return random.weighted(weightsOf(table)) as Key;
}

/** One of the keys of a table, each as likely as the others. */
export function anyKey<Key extends string>(random: RandomStream, table: Readonly<Record<Key, unknown>>): Key {
  return random.pick(Object.keys(table) as Key[]);
}

/** The weights alone. Tables are constants of the vocabulary, looked at thousands of times. */
function weightsOf(table: Rows): Readonly<Record<string, number>> {
  let weights = known.get(table);
  if (weights === undefined) {
    weights = Object.fromEntries(
      Object.entries<{ readonly weight: number }>(table).map(([key, { weight }]) => [key, weight]),
    );
    known.set(table, weights);
  }
  return weights;
}

type Rows = Readonly<Record<string, { readonly weight: number }>> | readonly { readonly weight: number }[];

const known = new WeakMap<Rows, Readonly<Record<string, number>>>();
