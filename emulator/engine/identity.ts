import { BusbarError } from '../../src/base/errors.js';
import { type Permutation, permutation } from './permutation.js';
import { hash32 } from './random.js';
import { formatInstant, type Instant } from './time.js';
import { formatUuid } from './uuid.js';

/** Cells are numbered below this. */
export const cellCapacity = 2 ** 30;
/** A cell can have this many events in one run. */
export const eventsPerCell = 2 ** 20;

/**
 * The order of a run, and ids that say nothing else: a run is sorted by virtual millisecond, then by the cell's place,
 * then by the event's number in its cell, and so are its ids as text. Merging the shards of a run by id therefore
 * gives the whole run.
 */
export interface Ordering {
  /** Where the cell stands among the events of one millisecond: a permutation by the seed, so that no cell is favoured. */
  placeOf(cell: number): number;
  /**
   * A version 7 UUID (RFC 9562): 48 bits of time, then 30 of place, 20 of number and 24 of salt in the free bits.
   * @throws BusbarError `capacity-exceeded` when the number does not fit.
   */
  eventId(at: Instant, place: number, number: number): string;
  /** The instant in an id that `eventId` could have made; undefined for any other, as those of another `runId`. */
  instantOf(eventId: string): Instant | undefined;
}

/** The ordering of a seed. `runId` changes every id and no order, for consumers that remember earlier runs. */
export function ordering(seed: number, runId = ''): Ordering {
  const places: Permutation = permutation(cellCapacity, seed, 'cell places');
  const salt = hash32(seed, 'run id', runId) & 0xff_ffff;

  return {
    placeOf: (cell) => places.apply(cell),
    eventId(at, place, number) {
      if (number >= eventsPerCell) {
        throw new BusbarError(
          'capacity-exceeded',
          `A cell has more than ${eventsPerCell} events at ${formatInstant(at)}. Shorten the run, or end the scenario that repeats itself.`,
        );
      }
      const version = ((at % 0x1_0000) << 16) | 0x7000 | (place >>> 18);
      const variant = 0x8000_0000 | ((place & 0x3_ffff) << 12) | (number >>> 8);
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
