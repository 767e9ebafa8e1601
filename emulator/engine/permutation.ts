import { hash32 } from './random.js';

/** A bijection of the whole numbers below `size` onto themselves. */
export interface Permutation {
  readonly size: number;
  /** Returns the value of an index. @throws RangeError outside [0, size). */
  apply(index: number): number;
  /** Returns the index that `apply` maps to `value`. @throws RangeError outside [0, size). */
  invert(value: number): number;
}

/**
 * Returns the permutation of that name, which makes identifiers that look random and never collide, without a table. A
 * Feistel network over enough bits, repeated until the value is below `size` (at most twice on average).
 * @throws RangeError unless `size` is from 1 to 2^52.
 */
export function permutation(size: number, ...name: readonly (string | number)[]): Permutation {
  if (!Number.isInteger(size) || size < 1 || size > 2 ** 52) {
    throw new RangeError(`A permutation needs a size from 1 to 2^52, not ${size}.`);
  }
  let bits = 2;
  while (2 ** bits < size) bits++;
  const rightBits = Math.floor(bits / 2);
  const half = 2 ** rightBits;
  const [leftMask, rightMask] = [2 ** (bits - rightBits) - 1, half - 1];
  const keys = Int32Array.from({ length: rounds }, (_, round) => hash32('permutation', size, round, ...name));

  // Halves have at most 26 bits: 32-bit integers are the fastest numbers.
  const encipher = (value: number) => {
    let left = Math.floor(value / half) | 0;
    let right = (value % half) | 0;
    for (let round = 0; round < rounds; round += 2) {
      left ^= scramble(right, keys[round] as number) & leftMask;
      right ^= scramble(left, keys[round + 1] as number) & rightMask;
    }
    return left * half + right;
  };
  const decipher = (value: number) => {
    let left = Math.floor(value / half) | 0;
    let right = (value % half) | 0;
    for (let round = rounds - 2; round >= 0; round -= 2) {
      right ^= scramble(left, keys[round + 1] as number) & rightMask;
      left ^= scramble(right, keys[round] as number) & leftMask;
    }
    return left * half + right;
  };
  const walk = (index: number, step: (value: number) => number) => {
    if (!Number.isInteger(index) || index < 0 || index >= size) {
      throw new RangeError(`${index} is outside the permutation of ${size} values.`);
    }
    let value = index;
    do value = step(value);
    while (value >= size);
    return value;
  };

  return { size, apply: (index) => walk(index, encipher), invert: (value) => walk(value, decipher) };
}

/** An even number. */
const rounds = 6;

/** Keyed finaliser of murmur3. */
export function scramble(value: number, key: number): number {
  let mixed = value ^ key;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return mixed ^ (mixed >>> 16);
}
