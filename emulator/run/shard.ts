import { BusbarError } from 'busbar/base';

/** One of `count` equal shares of a run, counted from 1. */
export interface Shard {
  /** Number of the share, from 1. */
  readonly index: number;
  /** Number of shares, up to 1,024. */
  readonly count: number;
}

/** Number of buckets of cells. A shard is a set of buckets. */
export const buckets = 1024;

/** Returns a filter for the cells of a shard, or for all cells without one. @throws BusbarError `invalid-option` */
export function shardFilter(shard: Shard | undefined): (cell: number) => boolean {
  if (shard === undefined) return () => true;
  const { index, count } = shard;
  const isPossible =
    Number.isInteger(index) && Number.isInteger(count) && index >= 1 && index <= count && count <= buckets;
  if (!isPossible) {
    const message = `Option "shard" must be one of at most ${buckets} shares, e.g. 2/4, not "${index}/${count}".`;
    throw new BusbarError('invalid-option', message);
  }
  return (cell) => (cell % buckets) % count === index - 1;
}
