import type { AbandonedLanes } from './abandoned-lanes.js';
import { type Attempts, type Outcome, settled } from './attempts.js';
import type { Clock } from '../clock.js';
import { type Dispatcher, positionOf, skips } from '../dispatch.js';
import { BusbarError, told } from '../errors.js';
import { Heap } from '../heap.js';
import type { LaneHold } from './held-lanes.js';
import { Lane, laneKeyOf } from './lane.js';
import { heldLetter, type Letter, unfitLetter } from './letter.js';
import { isForAnother } from '../replay.js';
import { SettledWindow, type WindowLimits } from './settled-window.js';
import type { Settler } from './settle.js';
import type { Slots, SlotUser } from './slots.js';
import type { ConsumerRecord, Partition } from '../transports/transport.js';
import type { LaneBy } from './run-options.js';
import type { Verdict } from '../verdict.js';
import { type Work, workOn } from './work.js';

/** What a partition tells whom it works for. */
export interface PartitionOwner {
  /** Everything before `offset` is settled. */
  commit(offset: number): void;
  /** There is room again, after not everything was taken. */
  resume(): void;
  /** Nothing runs and nothing can be started: all is settled, or waits on the clock. */
  quiet(): void;
  /** A record cannot be settled, and the run must end. */
  fail(error: Error): void;
  /** A record could not be set aside, and the partition must stop. */
  stopped(error: Error): void;
  /** A record was set aside. */
  setAside(letter: Letter): void;
}

export interface PartitionLanesOptions {
  readonly dispatcher: Dispatcher;
  readonly attempts: Attempts;
  readonly settler: Settler;
  readonly slots: Slots;
  readonly clock: Clock;
  readonly limits: WindowLimits;
  readonly hold: LaneHold;
  /** Records that were replayed for another group are skipped. */
  readonly group: string | undefined;
  readonly abandoned: AbandonedLanes;
  readonly laneBy: LaneBy | undefined;
}

/**
 * The records of one partition, in lanes: one key's records one after the other, different keys beside each other.
 * A lane exists only while something of it is under way. What is settled at once, when no lane of its key is, costs
 * neither a lane nor a promise nor a turn of the event loop.
 */
export class PartitionLanes implements SlotUser {
  readonly partition: Partition;
  readonly window: SettledWindow;
  readonly #owner: PartitionOwner;
  readonly #options: PartitionLanesOptions;
  readonly #lanes = new Map<string | null, Lane>();
  /** Lanes that could go on, the one with the oldest record first. */
  readonly #ready = new Heap<Lane>((one, other) => one.head.place < other.head.place);
  /** Records whose lane is not known before the verdict on an earlier one. */
  #unsorted: Work[] = [];
  #isSorting = false;
  /** Within a handler's first, synchronous part, from which the consumer may be stopped, there is no lane yet. */
  #isStarting = false;
  #backingOff = 0;
  #committed: number | undefined;
  /** The place of the newest record that was begun. */
  #begun = -1;
  /** Nothing beyond this place is begun; infinite until it is closed. */
  #last = Number.POSITIVE_INFINITY;
  #stoppedBy: Error | undefined;
  #isAbandoned = false;
  #hasRefused = false;
  #whenIdle: (() => void)[] = [];

  constructor(partition: Partition, owner: PartitionOwner, options: PartitionLanesOptions) {
    this.partition = partition;
    this.#owner = owner;
    this.#options = options;
    this.window = new SettledWindow(options.limits);
  }

  /** Whether nothing is under way, pauses between attempts included. */
  get isIdle(): boolean {
    return this.#lanes.size === 0 && !this.#isSorting && !this.#isStarting;
  }

  /** Whether nothing is under way but pauses between attempts. */
  get isQuiet(): boolean {
    return this.#lanes.size === this.#backingOff && !this.#isSorting && !this.#isStarting;
  }

  /** Lanes between two attempts. */
  get backingOff(): number {
    return this.#backingOff;
  }

  /** Everything before it is settled, and the transport was told. */
  get committed(): number | undefined {
    return this.#committed;
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
    const { clock, group, laneBy, settler } = this.#options;
    const now = clock.now();
    let taken = 0;
    for (const record of records) {
      if (this.#isClosed || this.window.isFull) break;
      taken++;
      const work = workOn(record, this.window.add(record.offset, sizeOf(record), now));
      if (group !== undefined && isForAnother(group, record)) {
        settler.skipped(work, skips['other-group']);
        this.window.settle(work.place);
      } else if (laneBy === undefined) this.#place(work);
      else this.#sort(work);
    }
    if (taken < records.length) this.#hasRefused = true;
    this.#changed();
    return taken;
  }

  /**
   * Takes nothing more, and forgets what waits, but for the gaps: what lies before a record that is settled or under
   * way is still done, or that record would come twice. Not beyond `last`, nor behind a pause: what waits there for its
   * next attempt stays unsettled, and everything behind it comes again anyway.
   */
  close(last = this.#begun): void {
    this.#unsorted = [];
    this.#last = Math.min(this.#last, last);
    for (const lane of this.#lanes.values()) {
      if (lane.stopWaiting === undefined) continue;
      this.#last = Math.min(this.#last, lane.head.place);
      this.#remove(lane);
    }
    this.#ready.clear();
    for (const lane of this.#lanes.values()) {
      if (lane.isBusy) continue;
      if (lane.head.place > this.#last) this.#remove(lane);
      else this.#ready.push(lane);
    }
    if (this.#ready.size === 0) this.#options.slots.leave(this);
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
    for (const { head, key } of this.#lanes.values()) {
      head.isAbandoned = true;
      if (head.running === undefined) continue;
      this.#options.abandoned.add(this.partition, key);
      head.running.abandon();
    }
    this.#lanes.clear();
    this.#isSorting = false;
    this.#changed();
  }

  startNext(): boolean {
    const lane = this.#ready.pop();
    if (lane !== undefined) {
      lane.isBusy = true;
      this.#start(lane.head, lane);
      this.#changed();
    }
    return this.#ready.size > 0;
  }

  /** Starts the record, or lets it wait for its lane or a slot. */
  #place(work: Work): void {
    const waitsFor = this.#lanes.size === 0 ? undefined : this.#lanes.get(laneKeyOf(work));
    if (waitsFor !== undefined) waitsFor.append(work);
    else if (!this.#options.abandoned.isEmpty && this.#waitsForAbandoned(work)) return;
    else if (this.#options.slots.isFree) this.#start(work, undefined);
    else this.#makeReady(this.#open(work));
  }

  #waitsForAbandoned(work: Work): boolean {
    const key = laneKeyOf(work);
    const goOn = () => {
      const lane = this.#lanes.get(key);
      if (lane?.head !== work) return;
      lane.stopWaiting = undefined;
      this.#makeReady(lane);
    };
    if (!this.#options.abandoned.waitFor(this.partition, key, goOn)) return false;
    const lane = this.#open(work);
    lane.keepCopies();
    lane.isBusy = false;
    lane.stopWaiting = () => undefined;
    return true;
  }

  /** Finds out the lane by the event. A verdict that takes time makes those behind it wait: they may be of its lane. */
  #sort(work: Work): void {
    if (this.#isSorting) {
      this.#unsorted.push(work);
      return;
    }
    try {
      const verdict = this.#options.dispatcher.dispatch(work.record);
      if (verdict instanceof Promise) void this.#sortLater(work, verdict);
      else this.#sorted(work, verdict);
    } catch (error) {
      this.#fail(error, work);
    }
  }

  async #sortLater(work: Work, pending: Promise<Verdict>): Promise<void> {
    this.#isSorting = true;
    try {
      const verdict = await pending;
      if (this.#isAbandoned) return;
      this.#isSorting = false;
      if (!this.#isClosed) this.#sorted(work, verdict);
      this.#sortOn();
    } catch (error) {
      this.#isSorting = false;
      this.#fail(error, work);
    }
    this.#changed();
  }

  /** Goes on with those that came meanwhile, until one takes time again. */
  #sortOn(): void {
    while (!this.#isSorting) {
      const next = this.#unsorted.shift();
      if (next === undefined) return;
      this.#sort(next);
    }
  }

  #sorted(work: Work, verdict: Verdict): void {
    work.verdict = verdict;
    if (verdict.action === 'handle') work.lane = this.#options.laneBy?.(verdict.event) ?? null;
    this.#place(work);
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
          ? verdict.then((late) => (work.place > this.#last ? released : this.#carryOut(work, late)))
          : this.#carryOut(work, verdict);
    } catch (error) {
      if (lane !== undefined) this.#remove(lane);
      this.#isStarting = false;
      this.#fail(error, work);
      return;
    }
    this.#isStarting = false;
    if (outcome instanceof Promise) void this.#finish(outcome, work, lane ?? this.#open(work));
    else this.#conclude(outcome, work, lane);
  }

  #carryOut(work: Work, verdict: Verdict): Outcome | Promise<Outcome> {
    const { attempts, settler, hold } = this.#options;
    switch (verdict.action) {
      case 'handle':
        if (hold.isActive && hold.isHeld(laneKeyOf(work), work.record))
          return { type: 'dead-letter', letter: heldLetter(verdict) };
        return attempts.make(work, verdict);
      case 'skip':
        settler.skipped(work, verdict);
        return settled;
      case 'dead-letter':
        return { type: 'dead-letter', letter: unfitLetter(verdict) };
      case 'fail':
        throw verdict.error;
    }
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
        this.#remove(lane);
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
        this.#backOff(outcome.delay, lane ?? this.#open(work));
        break;
      case 'dead-letter':
        void this.#setAside(outcome.letter, work, lane ?? this.#open(work));
        break;
      case 'released':
        if (lane !== undefined) this.#release(lane);
    }
  }

  #settle(work: Work, lane: Lane | undefined): void {
    this.window.settle(work.place);
    if (this.#options.hold.isActive) this.#options.hold.settled(work.record);
    if (lane === undefined) return;
    if (work.next === undefined || work.next.place > this.#last) this.#remove(lane);
    else {
      lane.head = work.next;
      this.#makeReady(lane);
    }
  }

  #backOff(delay: number, lane: Lane): void {
    if (this.#isClosed) {
      this.#release(lane);
      return;
    }
    lane.keepCopies();
    lane.isBusy = false;
    this.#backingOff++;
    const cancel = this.#options.clock.schedule(delay, () => {
      lane.stopWaiting = undefined;
      this.#backingOff--;
      this.#makeReady(lane);
    });
    lane.stopWaiting = () => {
      this.#backingOff--;
      cancel();
    };
  }

  /** Holds the lane, but no slot: no handler runs. */
  async #setAside(letter: Letter, work: Work, lane: Lane): Promise<void> {
    const { settler, hold, laneBy } = this.#options;
    let saving: Promise<void>;
    try {
      saving = settler.setAside(work, laneBy === undefined ? letter : withLane(letter, laneKeyOf(work)));
    } catch (error) {
      this.#remove(lane);
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

  #open(work: Work): Lane {
    const lane = new Lane(laneKeyOf(work), work);
    this.#lanes.set(lane.key, lane);
    return lane;
  }

  #makeReady(lane: Lane): void {
    lane.isBusy = false;
    this.#ready.push(lane);
    this.#options.slots.wait(this);
  }

  /** Its first record stays unsettled, so that nothing need be done before those behind it. */
  #release(lane: Lane): void {
    this.#remove(lane);
    this.close(lane.head.place);
  }

  #remove(lane: Lane): void {
    lane.stopWaiting?.();
    this.#lanes.delete(lane.key);
  }

  /** Tells what is new since the last time. Comes last: the transport may deliver from within. */
  #changed(): void {
    const { position } = this.window;
    if (position !== undefined && position !== this.#committed && !this.#isAbandoned) {
      this.#committed = position;
      this.#owner.commit(position);
    }
    if (this.#hasRefused && !this.#isClosed && this.window.hasRoom) {
      this.#hasRefused = false;
      this.#owner.resume();
    }
    if (this.isIdle) for (const resolve of this.#whenIdle.splice(0)) resolve();
    if (this.isQuiet) this.#owner.quiet();
  }

  get #isClosed(): boolean {
    return this.#last !== Number.POSITIVE_INFINITY;
  }

  #fail(error: unknown, { place }: Work): void {
    this.close(place);
    this.#owner.fail(error as Error);
    this.#changed();
  }
}

/** The record stays unsettled, for the next consumer. */
const released: Outcome = { type: 'released' };

/** So that the lane is known when the letter is read again, by whoever has no verdict on it. */
function withLane(letter: Letter, lane: string | null): Letter {
  return { ...letter, cause: { ...letter.cause, lane } };
}

function notSetAside(record: ConsumerRecord, cause: unknown): BusbarError {
  const message = `The record at ${positionOf(record)} could not be set aside: ${told(cause)}`;
  return new BusbarError('dead-letter-failed', message, { cause });
}

/** What counts for the window's bytes; headers are small, and decoded by some transports only when asked for. */
function sizeOf({ key, value }: ConsumerRecord): number {
  return (key?.byteLength ?? 0) + (value?.byteLength ?? 0);
}
