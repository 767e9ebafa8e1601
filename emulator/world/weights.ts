import { memoized } from 'busbar/base';
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

/** Returns the weights alone. Tables are constants. */
const weightsOf = memoized((table: Readonly<Record<string, { readonly weight: number }>>) =>
  Object.fromEntries(Object.entries(table).map(([key, { weight }]) => [key, weight])),
);
