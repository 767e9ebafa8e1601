import type { RandomStream } from '../../engine/random.js';

/** One of the rows, in proportion to their weights: for values that belong together. */
export function weightedRow<Row extends { readonly weight: number }>(
  random: RandomStream,
  rows: readonly Row[],
): Row {
  const weights = Object.fromEntries(rows.map(({ weight }, index) => [`row ${index}`, weight]));
  const drawn = random.weighted(weights);
  return rows[Number(drawn.slice('row '.length))] as Row;
}

/** One of the keys of a table whose rows have weights. */
export function weightedKey<Key extends string>(
  random: RandomStream,
  table: Readonly<Record<Key, { readonly weight: number }>>,
): Key {
  const rows = Object.entries<{ readonly weight: number }>(table);
  return random.weighted(Object.fromEntries(rows.map(([key, { weight }]) => [key, weight]))) as Key;
}

/** One of the keys of a table, each as likely as the others. */
export function anyKey<Key extends string>(random: RandomStream, table: Readonly<Record<Key, unknown>>): Key {
  return random.pick(Object.keys(table) as Key[]);
}
