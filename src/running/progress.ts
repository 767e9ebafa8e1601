import type { MemoryBudget, MemoryShare } from './memory-budget.js';
import type { PartitionOwner } from './partition-owner.js';
import { SettledWindow, type WindowLimits } from './settled-window.js';

/** How far a partition has got and whether it has room, and that its owner hears of both when they change. */
export class Progress {
  readonly window: SettledWindow;
  readonly #owner: PartitionOwner;
  readonly #share: MemoryShare;
  #committed: number | undefined;
  #hasRefused = false;

  constructor(owner: PartitionOwner, limits: WindowLimits, budget: MemoryBudget) {
    this.#share = budget.share(() => this.tellRoom());
    this.window = new SettledWindow(limits, this.#share);
    this.#owner = owner;
  }

  /** Everything before it is settled, and the owner was told. */
  get committed(): number | undefined {
    return this.#committed;
  }

  /** Not everything was taken: the owner waits to hear of room. */
  refused(): void {
    this.#hasRefused = true;
  }

  tellSettled(): void {
    const { position } = this.window;
    if (position === undefined || position === this.#committed) return;
    this.#committed = position;
    this.#owner.commit(position);
  }

  tellRoom(): void {
    if (!this.#hasRefused || !this.window.hasRoom) return;
    this.#hasRefused = false;
    this.#owner.resume();
  }

  /** Its records are not this consumer's any more. */
  leave(): void {
    this.#hasRefused = false;
    this.#share.leave();
  }
}
