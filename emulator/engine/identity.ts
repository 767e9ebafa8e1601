import { BusbarError } from 'busbar/base';
import { type Permutation, permutation } from './permutation.js';
import { hash32 } from './random.js';
import { formatInstant, type Instant } from './time.js';
import { formatUuid } from './uuid.js';

/** Upper bound of the numbers of cells, exclusive. */
export const cellCapacity = 2 ** 30;
/** Maximum number of events of a cell in one run. */
export const eventsPerCell = 2 ** 20;

/**
 * Order of a run, and event ids that express it. A run is sorted by virtual millisecond, then by the cell's rank, then by the
 * event's number in its cell. Ids sort the same way as text, so that merging the shards of a run by id gives the whole run.
 */
export interface Ordering {
  /** Returns the cell's order within a millisecond: a permutation by the seed, so that no cell always comes first. */
  rankOf(cell: number): number;
  /**
   * Returns a version 7 UUID (RFC 9562): 48 bits of time, then 30 of rank, 20 of number and 24 of salt in the free bits.
   * @throws BusbarError `capacity-exceeded` if the cell has too many events.
   */
  eventId(at: Instant, rank: number, number: number): string;
  /** Returns the instant in an id of this ordering, or undefined for any other id, such as one of another `runId`. */
  instantOf(eventId: string): Instant | undefined;
}

/** Returns the ordering of a seed. `runId` changes every id but no order, for consumers that remember earlier runs. */
export function ordering(seed: number, runId = ''): Ordering {
  const ranks: Permutation = permutation(cellCapacity, seed, 'cell places');
  const salt = hash32(seed, 'run id', runId) & 0xff_ffff;

  return {
    rankOf: (cell) => ranks.apply(cell),
    eventId(at, rank, number) {
      if (number >= eventsPerCell) {
        throw new BusbarError(
          'capacity-exceeded',
          `A cell has more than ${eventsPerCell} events at ${formatInstant(at)}. Shorten the run, or end the scenario that repeats itself.`,
        );
      }
      const version = ((at % 0x1_0000) << 16) | 0x7000 | (rank >>> 18);
      const variant = 0x8000_0000 | ((rank & 0x3_ffff) << 12) | (number >>> 8);
      return formatUuid(at / 0x1_0000, version, variant, ((number & 0xff) << 24) | salt);
    },
    instantOf(eventId) {
      const time =
        /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{6}([0-9a-f]{6})$/.exec(eventId);
      if (time === null || Number.parseInt(time[3] ?? '', 16) !== salt) return undefined;
      return Number.parseInt(`${time[1]}${time[2]}`, 16);
    },
  };
}
