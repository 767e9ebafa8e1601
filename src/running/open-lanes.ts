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
 * The open lanes of a partition. A lane is open only while it has unsettled records: it is busy, is ready and waits for
 * a slot, backs off before a retry, or waits for an abandoned handler.
 */
export class OpenLanes {
  readonly #partition: Partition;
  readonly #user: SlotUser;
  readonly #options: OpenLanesOptions;
  readonly #lanes = new Map<string | null, Lane>();
  /** Ready lanes, the one with the oldest record first. */
  readonly #ready = new Heap<Lane>((one, other) => one.head.index < other.head.index);
  /** Number of lanes that wait for a retry. */
  backingOff = 0;

  /** `user` is called when a slot is free for a ready lane. */
  constructor(partition: Partition, user: SlotUser, options: OpenLanesOptions) {
    this.#partition = partition;
    this.#user = user;
    this.#options = options;
  }

  get isEmpty(): boolean {
    return this.#lanes.size === 0;
  }

  /** Whether all open lanes back off. */
  get isQuiet(): boolean {
    return this.#lanes.size === this.backingOff;
  }

  get hasReady(): boolean {
    return this.#ready.size > 0;
  }

  /** Returns the open lane of the record's key, in which the record must wait. */
  of(work: Work): Lane | undefined {
    return this.#lanes.size === 0 ? undefined : this.#lanes.get(laneKeyOf(work));
  }

  open(work: Work): Lane {
    const lane = new Lane(laneKeyOf(work), work);
    this.#lanes.set(lane.key, lane);
    return lane;
  }

  /** Returns the first ready lane and makes it busy. */
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

  /** Makes the lane ready after `delay` milliseconds. */
  backOff(lane: Lane, delay: number): void {
    lane.keepCopies();
    lane.isBusy = false;
    this.backingOff++;
    const { clock } = this.#options;
    const end = lane.head.backOff(delay, clock);
    const cancel = clock.schedule(delay, () => {
      end();
      lane.stopWaiting = undefined;
      this.backingOff--;
      this.makeReady(lane);
    });
    lane.stopWaiting = () => {
      this.backingOff--;
      cancel();
    };
  }

  /** Opens a waiting lane if an abandoned handler of its key still runs. Returns whether one does. */
  waitForAbandoned(work: Work): boolean {
    const key = laneKeyOf(work);
    const resume = () => {
      const lane = this.#lanes.get(key);
      if (lane?.head !== work) return;
      lane.stopWaiting = undefined;
      this.makeReady(lane);
    };
    if (!this.#options.abandoned.waitFor(this.#partition, key, resume)) return false;
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
   * Keeps busy lanes and lanes that begin at `last` or before. Drops lanes that wait: all records behind them will be
   * redelivered. Returns the index after which no record needs to be started.
   */
  close(last: number): number {
    let until = last;
    for (const lane of this.#lanes.values()) {
      if (lane.stopWaiting === undefined) continue;
      until = Math.min(until, lane.head.index);
      this.remove(lane);
    }
    this.#ready.clear();
    for (const lane of this.#lanes.values()) {
      if (lane.isBusy) continue;
      if (lane.head.index > until) this.remove(lane);
      else this.#ready.push(lane);
    }
    if (this.#ready.size === 0) this.#options.slots.leave(this.#user);
    return until;
  }

  /** Aborts running handlers, and records them as abandoned. Returns how many. */
  abandon(): number {
    let handlers = 0;
    for (const { head, key } of this.#lanes.values()) {
      head.isAbandoned = true;
      head.storing?.abort();
      if (head.running === undefined) continue;
      handlers++;
      this.#options.abandoned.add(this.#partition, key);
      head.running.abandon();
    }
    this.#lanes.clear();
    return handlers;
  }
}
