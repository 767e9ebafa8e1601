import type { DeadLetter } from './dead-letter.js';
import type { MemoryBudget, MemoryShare } from './memory-budget.js';
import { SettledWindow, type WindowLimits } from './settled-window.js';

/** Tracks the settled offset and the room of a partition, and notifies its owner of changes. */
export class Progress {
  readonly window: SettledWindow;
  readonly #owner: PartitionOwner;
  readonly #share: MemoryShare;
  /** Offset that was last committed: every record before it is settled. */
  committed: number | undefined;
  #hasRefused = false;

  constructor(owner: PartitionOwner, limits: WindowLimits, budget: MemoryBudget) {
    this.#share = budget.share(() => this.resume());
    this.window = new SettledWindow(limits, this.#share);
    this.#owner = owner;
  }

  /** Notes that records were refused, so that the owner must be notified of room. */
  refused(): void {
    this.#hasRefused = true;
  }

  /** Commits the settled offset if it has changed. */
  commit(): void {
    const { position } = this.window;
    if (position === undefined || position === this.committed) return;
    this.committed = position;
    this.#owner.commit(position);
  }

  /** Resumes the source if records were refused and there is room again. */
  resume(): void {
    if (!this.#hasRefused || !this.window.hasRoom) return;
    this.#hasRefused = false;
    this.#owner.resume();
  }

  /** Returns the memory to the budget, because the consumer has lost the partition. */
  leave(): void {
    this.#hasRefused = false;
    this.#share.leave();
  }
}

export interface PartitionOwner {
  /** Every record before `offset` is settled. */
  commit(offset: number): void;
  /** The partition has room again, after it refused records. */
  resume(): void;
  /** Nothing runs and nothing can be started: every record is settled or waits for a retry. */
  quiet(): void;
  /** A record cannot be settled, and the run must end. */
  fail(error: Error): void;
  /** A record could not be dead-lettered, and the partition must stop. */
  stopped(error: Error): void;
  /** A record was dead-lettered. Returns whether that ends the run. */
  endsAt(letter: DeadLetter): boolean;
}
