import { BusbarError } from '../base/errors.js';
import { firstOffsetOf, replayedHere } from '../replay.js';
import type { ConsumerRecord, HeldLetter } from '../transports/transport.js';
import { laneKeyOfBytes } from './lane.js';

/** Maximum number of dead letters of one partition that hold lanes; the partition stops at the next one. */
export const maxHeldLetters = 100_000;

/**
 * The dead letters of one partition that were not replayed and settled since. A record waits behind the dead letters of
 * its lane that the platform sent earlier, so that the lane stays in order. So a replayed record passes, unless an
 * earlier one has failed again.
 */
export class HeldLanes {
  /** First offset of each dead letter, by lane and dead-lettered offset. */
  readonly #lanes = new Map<string | null, Map<number, number>>();
  readonly #laneOf = new Map<number, string | null>();

  /** @throws BusbarError `capacity-exceeded` */
  constructor(letters: readonly HeldLetter[] = []) {
    for (const { offset, first, key, lane } of letters)
      this.#add(lane === undefined ? laneKeyOfBytes(key) : lane, offset, first);
  }

  /** Whether any lane is held. While none is, callers need not compute lane keys. */
  get isActive(): boolean {
    return this.#laneOf.size > 0;
  }

  isHeld(lane: string | null, record: ConsumerRecord): boolean {
    const letters = this.#lanes.get(lane);
    if (letters === undefined) return false;
    const offset = firstOffsetOf(record);
    // A record that was dead-lettered but not committed is redelivered, and must not be handled.
    if (letters.has(record.offset)) return true;
    // Usually ends at once: the oldest dead letter is nearly always the first in order.
    for (const first of letters.values()) if (first < offset) return true;
    return false;
  }

  /** Holds the lane of a dead-lettered record. @throws BusbarError `capacity-exceeded` */
  deadLettered(lane: string | null, record: ConsumerRecord): void {
    this.settled(record);
    this.#add(lane, record.offset, firstOffsetOf(record));
  }

  /** Releases the dead letter that the settled record repeats, if it is a replayed one. */
  settled(record: ConsumerRecord): void {
    if (!this.isActive) return;
    const repeated = replayedHere(record)?.offset;
    if (repeated === undefined) return;
    const lane = this.#laneOf.get(repeated);
    if (lane === undefined) return;
    this.#laneOf.delete(repeated);
    const letters = this.#lanes.get(lane);
    letters?.delete(repeated);
    if (letters?.size === 0) this.#lanes.delete(lane);
  }

  #add(lane: string | null, offset: number, first: number): void {
    if (this.#laneOf.size >= maxHeldLetters && !this.#laneOf.has(offset)) {
      throw new BusbarError(
        'capacity-exceeded',
        `${maxHeldLetters} dead letters of one partition hold their keys, the maximum. Replay them, or choose another "afterDeadLetter".`,
      );
    }
    this.#laneOf.set(offset, lane);
    const letters = this.#lanes.get(lane) ?? new Map<number, number>();
    this.#lanes.set(lane, letters.set(offset, first));
  }
}
