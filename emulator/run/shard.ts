import { BusbarError } from '../../src/base/errors.js';

/** One of `count` equal shares of a run, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/** Cells are dealt into this many buckets; a shard is a set of buckets. */
export const buckets = 1024;

export function bucketOf(cell: number): number {
  return cell % buckets;
}

/** Whether a cell belongs to the shard; without one, all do. @throws BusbarError `invalid-option` */
export function shardFilter(shard: Shard | undefined): (cell: number) => boolean {
  if (shard === undefined) return () => true;
  const { index, count } = shard;
  const isPossible =
    Number.isInteger(index) && Number.isInteger(count) && index >= 1 && index <= count && count <= buckets;
  if (!isPossible) {
    const message = `Option "shard" is a part and a number of parts, as 2/4, at most ${buckets} parts, not ${index}/${count}.`;
    throw new BusbarError('invalid-option', message);
  }
  return (cell) => bucketOf(cell) % count === index - 1;
}
