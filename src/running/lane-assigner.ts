import { BusbarError, quoted } from '../base/errors.js';
import type { Dispatcher } from '../dispatch.js';
import type { AnyEvent } from '../event.js';
import { nameOf } from './dead-letter.js';
import type { LaneBy } from './run-options.js';
import type { Verdict } from '../verdict.js';
import type { Work } from './work.js';

interface LaneAssignerOwner {
  /** The record has a lane. */
  assigned(work: Work): void;
  /** The dispatcher failed, or `laneBy` threw. */
  fail(error: unknown, work: Work): void;
  /** An asynchronous verdict has arrived. */
  changed(): void;
}

/**
 * Determines a record's lane by its event, which requires the verdict. Records behind an asynchronous verdict wait,
 * because they may belong to the same lane.
 */
export class LaneAssigner {
  readonly #dispatcher: Dispatcher;
  readonly #laneBy: LaneBy;
  readonly #owner: LaneAssignerOwner;
  /** Records behind the one whose verdict is awaited. */
  #waiting: Work[] = [];
  /** Whether a verdict is awaited. */
  isPending = false;
  #isClosed = false;
  #isAbandoned = false;

  constructor(dispatcher: Dispatcher, laneBy: LaneBy, owner: LaneAssignerOwner) {
    this.#dispatcher = dispatcher;
    this.#laneBy = laneBy;
    this.#owner = owner;
  }

  add(work: Work): void {
    if (this.isPending) {
      this.#waiting.push(work);
      return;
    }
    try {
      const verdict = this.#dispatcher.verdictOn(work.record);
      if (verdict instanceof Promise) void this.#await(work, verdict);
      else this.#assign(work, verdict);
    } catch (error) {
      this.#owner.fail(error, work);
    }
  }

  /** Drops the waiting records and assigns no more lanes. */
  close(): void {
    this.#waiting = [];
    this.#isClosed = true;
  }

  /** Closes, and ignores the awaited verdict. */
  abandon(): void {
    this.close();
    this.#isAbandoned = true;
    this.isPending = false;
  }

  async #await(work: Work, pending: Promise<Verdict>): Promise<void> {
    this.isPending = true;
    try {
      const verdict = await pending;
      if (this.#isAbandoned) return;
      this.isPending = false;
      if (!this.#isClosed) this.#assign(work, verdict);
      this.#addWaiting();
    } catch (error) {
      if (this.#isAbandoned) return;
      this.isPending = false;
      this.#owner.fail(error, work);
    }
    this.#owner.changed();
  }

  #addWaiting(): void {
    while (!this.isPending) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.add(next);
    }
  }

  #assign(work: Work, verdict: Verdict): void {
    work.verdict = verdict;
    if (verdict.action === 'handle') work.lane = this.#laneOf(verdict.event);
    this.#owner.assigned(work);
  }

  /** Checks the text for callers without a compiler: each promise would be a lane of its own. */
  #laneOf(event: AnyEvent): string | null {
    const lane: unknown = this.#laneBy(event) ?? null;
    if (lane === null || typeof lane === 'string') return lane;
    const message = `"laneBy" returned no string for event ${quoted(nameOf(event))}. Return a string, or undefined.`;
    throw new BusbarError('invalid-option', message);
  }
}
