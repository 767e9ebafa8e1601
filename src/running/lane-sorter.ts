import type { Dispatcher } from '../dispatch.js';
import type { LaneBy } from './run-options.js';
import type { Verdict } from '../verdict.js';
import type { Work } from './work.js';

/** Whom a sorter works for. */
export interface SortedTo {
  /** The record's lane is known. */
  place(work: Work): void;
  /** There is no verdict on the record. */
  fail(error: unknown, work: Work): void;
  /** Something was sorted that took time. */
  changed(): void;
}

/**
 * Finds out a record's lane by its event, which takes the verdict on it. A verdict that takes time makes those behind
 * it wait: they may be of its lane.
 */
export class LaneSorter {
  readonly #dispatcher: Dispatcher;
  readonly #laneBy: LaneBy;
  readonly #to: SortedTo;
  /** Records behind one whose verdict is not known yet. */
  #unsorted: Work[] = [];
  #isSorting = false;
  #isClosed = false;
  #isAbandoned = false;

  constructor(dispatcher: Dispatcher, laneBy: LaneBy, to: SortedTo) {
    this.#dispatcher = dispatcher;
    this.#laneBy = laneBy;
    this.#to = to;
  }

  /** Whether a verdict is awaited. */
  get isSorting(): boolean {
    return this.#isSorting;
  }

  sort(work: Work): void {
    if (this.#isSorting) {
      this.#unsorted.push(work);
      return;
    }
    try {
      const verdict = this.#dispatcher.dispatch(work.record);
      if (verdict instanceof Promise) void this.#sortLater(work, verdict);
      else this.#sorted(work, verdict);
    } catch (error) {
      this.#to.fail(error, work);
    }
  }

  /** Places nothing more. */
  close(): void {
    this.#unsorted = [];
    this.#isClosed = true;
  }

  /** Waits for no verdict any more. */
  abandon(): void {
    this.close();
    this.#isAbandoned = true;
    this.#isSorting = false;
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
      this.#to.fail(error, work);
    }
    this.#to.changed();
  }

  /** Goes on with those that came meanwhile, until one takes time again. */
  #sortOn(): void {
    while (!this.#isSorting) {
      const next = this.#unsorted.shift();
      if (next === undefined) return;
      this.sort(next);
    }
  }

  #sorted(work: Work, verdict: Verdict): void {
    work.verdict = verdict;
    if (verdict.action === 'handle') work.lane = this.#laneBy(verdict.event) ?? null;
    this.#to.place(work);
  }
}
