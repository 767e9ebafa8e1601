import type { Attempts, Outcome } from './attempts.js';
import { type Dispatcher, skips } from '../dispatch.js';
import { type Lane, laneKeyOf } from './lane.js';
import { LaneAssigner } from './lane-assigner.js';
import { type DeadLetter, deadLetterFailed, withLane } from './dead-letter.js';
import { OpenLanes, type OpenLanesOptions } from './open-lanes.js';
import type { MemoryBudget } from './memory-budget.js';
import { type PartitionOwner, Progress } from './progress.js';
import { isForAnother } from '../replay.js';
import type { HeldLanes } from './held-lanes.js';
import type { Settler } from './settle.js';
import type { LaneBy } from './run-options.js';
import type { SettledWindow, WindowLimits } from './settled-window.js';
import type { SlotUser } from './slots.js';
import type { ConsumerRecord, Partition } from '../transports/transport.js';
import { sizeOf, Work } from './work.js';

interface PartitionLanesOptions extends OpenLanesOptions {
  readonly dispatcher: Dispatcher;
  readonly attempts: Attempts;
  readonly settler: Settler;
  /** Undefined for a run that continues after a dead letter. */
  readonly hold: HeldLanes | undefined;
  readonly limits: WindowLimits;
  readonly budget: MemoryBudget;
  /** The consumer's group; records that were replayed for another group are skipped. */
  readonly group: string | undefined;
  readonly laneBy: LaneBy | undefined;
}

/**
 * Handles the records of one partition in lanes: each key in order, different keys concurrently. A record that is
 * settled synchronously while its lane is not open costs no lane, no promise and no turn of the event loop.
 */
export class PartitionLanes implements SlotUser {
  readonly partition: Partition;
  readonly #owner: PartitionOwner;
  readonly #options: PartitionLanesOptions;
  readonly #progress: Progress;
  readonly #lanes: OpenLanes;
  /** Present with `laneBy`: the lane depends on the event. */
  readonly #assigner: LaneAssigner | undefined;
  /** Whether the synchronous part of a handler runs, which has no lane yet and may stop the consumer. */
  #isStarting = false;
  /** Index of the newest record that was started. */
  #started = -1;
  /** Index of the last record that may be started; infinite until `close`. */
  #last = Number.POSITIVE_INFINITY;
  /** Error that stopped the partition, although it is still assigned. */
  stoppedBy: Error | undefined;
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
    this.#assigner = new LaneAssigner(dispatcher, laneBy, {
      assigned: (work) => this.#enqueue(work),
      fail: (error, work) => this.#fail(error, work),
      changed: () => this.#changed(),
    });
  }

  get window(): SettledWindow {
    return this.#progress.window;
  }

  /** Whether nothing runs, waits or backs off. */
  get isIdle(): boolean {
    return this.#lanes.isEmpty && !this.#isBetweenLanes;
  }

  /** Whether nothing runs or waits, except for lanes that back off. */
  get isQuiet(): boolean {
    return this.#lanes.isQuiet && !this.#isBetweenLanes;
  }

  /** Number of lanes that wait for a retry. */
  get backingOff(): number {
    return this.#lanes.backingOff;
  }

  /** Offset that was last committed: every record before it is settled. */
  get committed(): number | undefined {
    return this.#progress.committed;
  }

  idle(): Promise<void> {
    return this.isIdle ? Promise.resolve() : new Promise((resolve) => this.#whenIdle.push(resolve));
  }

  /** Takes records from the front. Returns how many. */
  take(records: readonly ConsumerRecord[]): number {
    const { clock, group, settler } = this.#options;
    const { window } = this.#progress;
    const now = clock.now();
    let taken = 0;
    for (const record of records) {
      if (this.#isClosed || window.isFull) break;
      taken++;
      const work = new Work(record, window.add(record.offset, sizeOf(record), now));
      if (group !== undefined && isForAnother(group, record)) {
        settler.skipped(work, skips['other-group']);
        window.settle(work.index);
      } else if (this.#assigner === undefined) this.#enqueue(work);
      else this.#assigner.add(work);
    }
    if (taken < records.length) this.#progress.refused();
    this.#changed();
    return taken;
  }

  /**
   * Takes no more records, and drops waiting ones after the index `last` or behind a lane that backs off: they will be
   * redelivered. Waiting records before a settled or running one are still handled, or that one would be redelivered too.
   */
  close(last = this.#started): void {
    this.#assigner?.close();
    this.#last = this.#lanes.close(Math.min(this.#last, last));
  }

  /** Takes and starts no more records. */
  finish(): void {
    this.close(-1);
    this.#changed();
  }

  /** Abandons running handlers: aborts their signals and discards their results. Returns how many. */
  abandon(): number {
    this.close(-1);
    this.#isAbandoned = true;
    const handlers = this.#lanes.abandon();
    this.#assigner?.abandon();
    this.#changed();
    return handlers;
  }

  /** Returns the memory to the budget. The last call. */
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

  /** Starts the record, or queues it behind its lane or for a slot. */
  #enqueue(work: Work): void {
    const waitsFor = this.#lanes.of(work);
    if (waitsFor !== undefined) waitsFor.append(work);
    else if (!this.#options.abandoned.isEmpty && this.#lanes.waitForAbandoned(work)) return;
    else if (this.#options.slots.isFree) this.#start(work, undefined);
    else this.#lanes.makeReady(this.#lanes.open(work));
  }

  #start(work: Work, lane: Lane | undefined): void {
    let outcome: Outcome | Promise<Outcome>;
    if (work.index > this.#started) this.#started = work.index;
    this.#isStarting = true;
    const { attempts, hold } = this.#options;
    try {
      const verdict = work.verdict ?? this.#options.dispatcher.verdictOn(work.record);
      // Each attempt decodes the event again: the handler may have changed this one, and keeping it costs memory.
      work.verdict = undefined;
      outcome =
        verdict instanceof Promise
          ? verdict.then((late) => (work.index > this.#last ? released : attempts.apply(work, late, hold)))
          : attempts.apply(work, verdict, hold);
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

  /** Occupies a slot until the outcome is known. */
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
        void this.#deadLetter(outcome.letter, work, lane ?? this.#lanes.open(work));
        break;
      case 'released':
        if (lane !== undefined) this.#release(lane);
    }
  }

  #settle(work: Work, lane: Lane | undefined): void {
    this.#progress.window.settle(work.index);
    this.#options.hold?.settled(work.record);
    if (lane === undefined) return;
    if (work.next === undefined || work.next.index > this.#last) this.#lanes.remove(lane);
    else {
      lane.head = work.next;
      this.#lanes.makeReady(lane);
    }
  }

  #backOff(delay: number, lane: Lane): void {
    if (this.#isClosed) this.#release(lane);
    else this.#lanes.backOff(lane, delay);
  }

  /** Keeps the lane busy, but occupies no slot: no handler runs. */
  async #deadLetter(letter: DeadLetter, work: Work, lane: Lane): Promise<void> {
    const { settler, hold, laneBy } = this.#options;
    let saving: Promise<unknown>;
    try {
      saving = settler.deadLetter(work, laneBy === undefined ? letter : withLane(letter, laneKeyOf(work)));
    } catch (error) {
      this.#lanes.remove(lane);
      this.#fail(error, work);
      return;
    }
    try {
      await saving;
      if (work.isAbandoned) return;
      hold?.deadLettered(laneKeyOf(work), work.record);
      // The key's later records wait for the next run, before which the dead letter may be replayed.
      if (this.#owner.endsAt(letter)) work.next = undefined;
      this.#settle(work, lane);
    } catch (error) {
      if (work.isAbandoned) return;
      this.#release(lane);
      this.stoppedBy = deadLetterFailed(work.record, error);
      this.#owner.stopped(this.stoppedBy);
    }
    this.#changed();
  }

  /** Leaves the lane's first record unsettled, so no record behind it needs to be handled. */
  #release(lane: Lane): void {
    this.#lanes.remove(lane);
    this.close(lane.head.index);
  }

  /** Reports changes to the owner. Must come last: the transport may deliver from within the callbacks. */
  #changed(): void {
    if (!this.#isAbandoned) this.#progress.commit();
    if (!this.#isClosed) this.#progress.resume();
    this.#options.budget.notifyRoom();
    if (this.isIdle) for (const resolve of this.#whenIdle.splice(0)) resolve();
    if (this.isQuiet) this.#owner.quiet();
  }

  get #isClosed(): boolean {
    return this.#last !== Number.POSITIVE_INFINITY;
  }

  /** Whether a record is being started that has no lane yet. */
  get #isBetweenLanes(): boolean {
    return this.#isStarting || this.#assigner?.isPending === true;
  }

  #fail(error: unknown, { index }: Work): void {
    this.close(index);
    this.#owner.fail(error as Error);
    this.#changed();
  }
}

/** Leaves the record unsettled, for the next consumer. */
const released: Outcome = { type: 'released' };
