import { BusbarError } from '../base/errors.js';
import { firstOffsetOf, replayedHere } from '../replay.js';
import type { ConsumerRecord, HeldLetter } from '../transports/transport.js';
import { laneKeyOfBytes } from './lane.js';

/**
 * Decides whether a lane's records go to the dead letters, because an earlier one of the lane is there: the order of
 * a key must not go on without it. Asked before each event is handled.
 */
export interface LaneHold {
  /** Whether anything is held: spares asking for keys as long as nothing is. */
  readonly isActive: boolean;
  isHeld(lane: string | null, record: ConsumerRecord): boolean;
  /** A record of the lane was set aside. */
  setAside(lane: string | null, record: ConsumerRecord): void;
  /** A record was settled: what it repeats no longer holds its lane. */
  settled(record: ConsumerRecord): void;
}

/** How many dead letters of one partition may hold lanes; beyond it the partition stops. */
export const maxHeldLetters = 100_000;

/**
 * The dead letters of one partition that were not replayed and settled since. A record waits behind those of its lane
 * that the platform sent before it; so a replayed record passes, unless one before it has failed again.
 */
export class HeldLanes implements LaneHold {
  /** By lane, then by the offset that was set aside: the offset that order goes by. */
  readonly #lanes = new Map<string | null, Map<number, number>>();
  readonly #laneOf = new Map<number, string | null>();

  /** @throws BusbarError `capacity-exceeded` */
  constructor(letters: readonly HeldLetter[] = []) {
    for (const { offset, first, key, lane } of letters)
      this.#add(lane === undefined ? laneKeyOfBytes(key) : lane, offset, first);
  }

  get isActive(): boolean {
    return this.#laneOf.size > 0;
  }

  isHeld(lane: string | null, record: ConsumerRecord): boolean {
    const letters = this.#lanes.get(lane);
    if (letters === undefined) return false;
    const place = firstOffsetOf(record);
    // What was set aside before the commit comes again, and is not to be handled this time.
    if (letters.has(record.offset)) return true;
    // The first that was set aside is nearly always the first in order, so this seldom goes on.
    for (const first of letters.values()) if (first < place) return true;
    return false;
  }

  /** @throws BusbarError `capacity-exceeded` */
  setAside(lane: string | null, record: ConsumerRecord): void {
    this.settled(record);
    this.#add(lane, record.offset, firstOffsetOf(record));
  }

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
        `${maxHeldLetters} dead letters hold their keys, and no more are remembered. Replay them, or choose another "afterDeadLetter".`,
      );
    }
    this.#laneOf.set(offset, lane);
    const letters = this.#lanes.get(lane) ?? new Map<number, number>();
    this.#lanes.set(lane, letters.set(offset, first));
  }
}

/** For what goes on after a dead letter. */
export const neverHeld: LaneHold = {
  isActive: false,
  isHeld: () => false,
  setAside: () => undefined,
  settled: () => undefined,
};
