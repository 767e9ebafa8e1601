import type { Outcome } from './attempts.js';
import { carryOut, type CarryOutOptions } from './carry-out.js';
import { type Dispatcher, skips } from '../dispatch.js';
import { type Lane, laneKeyOf } from './lane.js';
import { LaneSorter } from './lane-sorter.js';
import { type Letter, notSetAside, withLane } from './letter.js';
import { OpenLanes, type OpenLanesOptions } from './open-lanes.js';
import type { MemoryBudget } from './memory-budget.js';
import type { PartitionOwner } from './partition-owner.js';
import { Progress } from './progress.js';
import { isForAnother } from '../replay.js';
import type { LaneBy } from './run-options.js';
import type { SettledWindow, WindowLimits } from './settled-window.js';
import type { SlotUser } from './slots.js';
import type { ConsumerRecord, Partition } from '../transports/transport.js';
import { sizeOf, type Work, workOn } from './work.js';

export interface PartitionLanesOptions extends OpenLanesOptions, CarryOutOptions {
  readonly dispatcher: Dispatcher;
  readonly limits: WindowLimits;
  readonly budget: MemoryBudget;
  /** Records that were replayed for another group are skipped. */
  readonly group: string | undefined;
  readonly laneBy: LaneBy | undefined;
}

/**
 * The records of one partition, in lanes: one key's records one after the other, different keys beside each other.
 * What is settled at once, when no lane of its key is open, costs neither a lane nor a promise nor a turn of the
 * event loop.
 */
export class PartitionLanes implements SlotUser {
  readonly partition: Partition;
  readonly #owner: PartitionOwner;
  readonly #options: PartitionLanesOptions;
  readonly #progress: Progress;
  readonly #lanes: OpenLanes;
  /** Where the lane depends on the event. */
  readonly #sorter: LaneSorter | undefined;
  /** Within a handler's first, synchronous part, from which the consumer may be stopped, there is no lane yet. */
  #isStarting = false;
  /** The place of the newest record that was begun. */
  #begun = -1;
  /** Nothing beyond this place is begun; infinite until it is closed. */
  #last = Number.POSITIVE_INFINITY;
  #stoppedBy: Error | undefined;
  #isAbandoned = false;
  #whenIdle: (() => void)[] = [];

  constructor(partition: Partition, owner: PartitionOwner, options: PartitionLanesOptions) {
    const { dispatcher, laneBy, limits, budget } = options;
    this.partition = partition;
    this.#owner = owner;
    this.#options = options;
    this.#progress = new Progress(owner, limits, budget);
    this.#lanes = new OpenLanes(partition, this, options);
    if (laneBy === undefined) return;
    this.#sorter = new LaneSorter(dispatcher, laneBy, {
      place: (work) => this.#place(work),
      fail: (error, work) => this.#fail(error, work),
      changed: () => this.#changed(),
    });
  }

  get window(): SettledWindow {
    return this.#progress.window;
  }

  /** Whether nothing is under way, pauses between attempts included. */
  get isIdle(): boolean {
    return this.#lanes.isEmpty && !this.#isBetweenLanes;
  }

  /** Whether nothing is under way but pauses between attempts. */
  get isQuiet(): boolean {
    return this.#lanes.isQuiet && !this.#isBetweenLanes;
  }

  /** Lanes between two attempts. */
  get backingOff(): number {
    return this.#lanes.backingOff;
  }

  /** Everything before it is settled, and the transport was told. */
  get committed(): number | undefined {
    return this.#progress.committed;
  }

  /** Why it takes no more records, though it still is this consumer's. */
  get stoppedBy(): Error | undefined {
    return this.#stoppedBy;
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  /** Answers how many were taken, from the front. */
  take(records: readonly ConsumerRecord[]): number {
    const { clock, group, settler } = this.#options;
    const { window } = this.#progress;
    const now = clock.now();
    let taken = 0;
    for (const record of records) {
      if (this.#isClosed || window.isFull) break;
      taken++;
      const work = workOn(record, window.add(record.offset, sizeOf(record), now));
      if (group !== undefined && isForAnother(group, record)) {
        settler.skipped(work, skips['other-group']);
        window.settle(work.place);
      } else if (this.#sorter === undefined) this.#place(work);
      else this.#sorter.sort(work);
    }
    if (taken < records.length) this.#progress.refused();
    this.#changed();
    return taken;
  }

  /**
   * Takes nothing more, and forgets what waits, but for the gaps: what lies before a record that is settled or under
   * way is still done, or that record would come twice. Not beyond `last`, nor behind a pause: what waits there for its
   * next attempt stays unsettled, and everything behind it comes again anyway.
   */
  close(last = this.#begun): void {
    this.#sorter?.close();
    this.#last = this.#lanes.close(Math.min(this.#last, last));
  }

  /** Takes and begins nothing more. */
  finish(): void {
    this.close(-1);
    this.#changed();
  }

  /** Gives up what runs: signals are aborted, and whatever comes of it is discarded. */
  abandon(): void {
    this.close(-1);
    this.#isAbandoned = true;
    this.#lanes.abandon();
    this.#sorter?.abandon();
    this.#changed();
  }

  /** After the last call. */
  leave(): void {
    this.#progress.leave();
  }

  startNext(): boolean {
    const lane = this.#lanes.takeReady();
    if (lane !== undefined) {
      this.#start(lane.head, lane);
      this.#changed();
    }
    return this.#lanes.hasReady;
  }

  /** Starts the record, or lets it wait for its lane or a slot. */
  #place(work: Work): void {
    const waitsFor = this.#lanes.of(work);
    if (waitsFor !== undefined) waitsFor.append(work);
    else if (!this.#options.abandoned.isEmpty && this.#lanes.waitForAbandoned(work)) return;
    else if (this.#options.slots.isFree) this.#start(work, undefined);
    else this.#lanes.makeReady(this.#lanes.open(work));
  }

  #start(work: Work, lane: Lane | undefined): void {
    let outcome: Outcome | Promise<Outcome>;
    if (work.place > this.#begun) this.#begun = work.place;
    this.#isStarting = true;
    try {
      const verdict = work.verdict ?? this.#options.dispatcher.dispatch(work.record);
      // The next attempt gets an event of its own: this one may have been changed by then, and need not be kept.
      work.verdict = undefined;
      outcome =
        verdict instanceof Promise
          ? verdict.then((late) => (work.place > this.#last ? released : carryOut(work, late, this.#options)))
          : carryOut(work, verdict, this.#options);
    } catch (error) {
      if (lane !== undefined) this.#lanes.remove(lane);
      this.#isStarting = false;
      this.#fail(error, work);
      return;
    }
    this.#isStarting = false;
    if (outcome instanceof Promise) void this.#finish(outcome, work, lane ?? this.#lanes.open(work));
    else this.#conclude(outcome, work, lane);
  }

  /** Waits in a slot for what takes time. */
  async #finish(pending: Promise<Outcome>, work: Work, lane: Lane): Promise<void> {
    const { slots } = this.#options;
    slots.take();
    try {
      const outcome = await pending;
      if (work.isAbandoned) this.#options.abandoned.ended(this.partition, lane.key);
      else this.#conclude(outcome, work, lane);
    } catch (error) {
      if (!work.isAbandoned) {
        this.#lanes.remove(lane);
        this.#fail(error, work);
      }
    }
    this.#changed();
    slots.release();
  }

  #conclude(outcome: Outcome, work: Work, lane: Lane | undefined): void {
    switch (outcome.type) {
      case 'settled':
        this.#settle(work, lane);
        break;
      case 'retry':
        this.#backOff(outcome.delay, lane ?? this.#lanes.open(work));
        break;
      case 'dead-letter':
        void this.#setAside(outcome.letter, work, lane ?? this.#lanes.open(work));
        break;
      case 'released':
        if (lane !== undefined) this.#release(lane);
    }
  }

  #settle(work: Work, lane: Lane | undefined): void {
    this.#progress.window.settle(work.place);
    if (this.#options.hold.isActive) this.#options.hold.settled(work.record);
    if (lane === undefined) return;
    if (work.next === undefined || work.next.place > this.#last) this.#lanes.remove(lane);
    else {
      lane.head = work.next;
      this.#lanes.makeReady(lane);
    }
  }

  #backOff(delay: number, lane: Lane): void {
    if (this.#isClosed) this.#release(lane);
    else this.#lanes.backOff(lane, delay);
  }

  /** Holds the lane, but no slot: no handler runs. */
  async #setAside(letter: Letter, work: Work, lane: Lane): Promise<void> {
    const { settler, hold, laneBy } = this.#options;
    let saving: Promise<void>;
    try {
      saving = settler.setAside(work, laneBy === undefined ? letter : withLane(letter, laneKeyOf(work)));
    } catch (error) {
      this.#lanes.remove(lane);
      this.#fail(error, work);
      return;
    }
    try {
      await saving;
      if (work.isAbandoned) return;
      hold.setAside(laneKeyOf(work), work.record);
      this.#settle(work, lane);
      this.#owner.setAside(letter);
    } catch (error) {
      if (work.isAbandoned) return;
      this.#release(lane);
      this.#stoppedBy = notSetAside(work.record, error);
      this.#owner.stopped(this.#stoppedBy);
    }
    this.#changed();
  }

  /** Its first record stays unsettled, so that nothing need be done before those behind it. */
  #release(lane: Lane): void {
    this.#lanes.remove(lane);
    this.close(lane.head.place);
  }

  /** Tells what is new since the last time. Comes last: the transport may deliver from within. */
  #changed(): void {
    if (!this.#isAbandoned) this.#progress.tellSettled();
    if (!this.#isClosed) this.#progress.tellRoom();
    this.#options.budget.tellRoom();
    if (this.isIdle) for (const resolve of this.#whenIdle.splice(0)) resolve();
    if (this.isQuiet) this.#owner.quiet();
  }

  get #isClosed(): boolean {
    return this.#last !== Number.POSITIVE_INFINITY;
  }

  /** Whether something is under way that has no lane yet. */
  get #isBetweenLanes(): boolean {
    return this.#isStarting || this.#sorter?.isSorting === true;
  }

  #fail(error: unknown, { place }: Work): void {
    this.close(place);
    this.#owner.fail(error as Error);
    this.#changed();
  }
}

/** The record stays unsettled, for the next consumer. */
const released: Outcome = { type: 'released' };
