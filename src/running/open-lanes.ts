import type { AbandonedLanes } from './abandoned-lanes.js';
import type { Clock } from '../base/clock.js';
import { Heap } from '../base/heap.js';
import { Lane, laneKeyOf } from './lane.js';
import type { Slots, SlotUser } from './slots.js';
import type { Partition } from '../transports/transport.js';
import type { Work } from './work.js';

export interface OpenLanesOptions {
  readonly slots: Slots;
  readonly clock: Clock;
  readonly abandoned: AbandonedLanes;
}

/**
 * The lanes of a partition: each exists only while something of it is under way. It is busy, could go on and waits
 * for a slot, or waits for the clock or for a handler that was given up.
 */
export class OpenLanes {
  readonly #partition: Partition;
  readonly #user: SlotUser;
  readonly #options: OpenLanesOptions;
  readonly #lanes = new Map<string | null, Lane>();
  /** Those that could go on, the one with the oldest record first. */
  readonly #ready = new Heap<Lane>((one, other) => one.head.place < other.head.place);
  #backingOff = 0;

  /** `user` is started when a slot is free for a lane that could go on. */
  constructor(partition: Partition, user: SlotUser, options: OpenLanesOptions) {
    this.#partition = partition;
    this.#user = user;
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#lanes.size === 0;
  }

  /** Whether all that there are wait for the clock. */
  get isQuiet(): boolean {
    return this.#lanes.size === this.#backingOff;
  }

  /** How many wait for their next attempt. */
  get backingOff(): number {
    return this.#backingOff;
  }

  get hasReady(): boolean {
    return this.#ready.size > 0;
  }

  /** The lane that the record has to wait in; undefined where none of its key is open. */
  of(work: Work): Lane | undefined {
    return this.#lanes.size === 0 ? undefined : this.#lanes.get(laneKeyOf(work));
  }

  /** Answers a busy one. */
  open(work: Work): Lane {
    const lane = new Lane(laneKeyOf(work), work);
    this.#lanes.set(lane.key, lane);
    return lane;
  }

  /** Takes the first that could go on, which is busy from then on. */
  takeReady(): Lane | undefined {
    const lane = this.#ready.pop();
    if (lane !== undefined) lane.isBusy = true;
    return lane;
  }

  makeReady(lane: Lane): void {
    lane.isBusy = false;
    this.#ready.push(lane);
    this.#options.slots.wait(this.#user);
  }

  /** Makes it ready after so many milliseconds. */
  backOff(lane: Lane, delay: number): void {
    lane.keepCopies();
    lane.isBusy = false;
    this.#backingOff++;
    const cancel = this.#options.clock.schedule(delay, () => {
      lane.stopWaiting = undefined;
      this.#backingOff--;
      this.makeReady(lane);
    });
    lane.stopWaiting = () => {
      this.#backingOff--;
      cancel();
    };
  }

  /** Opens a lane that waits, if a handler of its key was given up and still runs; answers whether that is so. */
  waitForAbandoned(work: Work): boolean {
    const key = laneKeyOf(work);
    const goOn = () => {
      const lane = this.#lanes.get(key);
      if (lane?.head !== work) return;
      lane.stopWaiting = undefined;
      this.makeReady(lane);
    };
    if (!this.#options.abandoned.waitFor(this.#partition, key, goOn)) return false;
    const lane = this.open(work);
    lane.keepCopies();
    lane.isBusy = false;
    lane.stopWaiting = () => undefined;
    return true;
  }

  remove(lane: Lane): void {
    lane.stopWaiting?.();
    this.#lanes.delete(lane.key);
  }

  /**
   * Keeps what is busy and what begins at `last` or before. What waits for its next attempt is dropped, and all behind
   * it comes again anyway: so answers the place beyond which nothing need be begun.
   */
  close(last: number): number {
    let until = last;
    for (const lane of this.#lanes.values()) {
      if (lane.stopWaiting === undefined) continue;
      until = Math.min(until, lane.head.place);
      this.remove(lane);
    }
    this.#ready.clear();
    for (const lane of this.#lanes.values()) {
      if (lane.isBusy) continue;
      if (lane.head.place > until) this.remove(lane);
      else this.#ready.push(lane);
    }
    if (this.#ready.size === 0) this.#options.slots.leave(this.#user);
    return until;
  }

  /** Aborts what runs, and remembers that it may run on. */
  abandon(): void {
    for (const { head, key } of this.#lanes.values()) {
      head.isAbandoned = true;
      if (head.running === undefined) continue;
      this.#options.abandoned.add(this.#partition, key);
      head.running.abandon();
    }
    this.#lanes.clear();
  }
}
