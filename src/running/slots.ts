/** Who waits for a slot. */
export interface SlotUser {
  /** Starts one thing; what ends at once takes no slot. Answers whether more waits to be started. */
  startNext(): boolean;
}

/** How many handlers of a run may work at once. A free slot goes to the user that has waited longest. */
export class Slots {
  #free: number;
  /** In the order in which they began to wait. */
  readonly #waiting = new Set<SlotUser>();
  #isSharing = false;

  constructor(count: number) {
    this.#free = count;
  }

  /** Whether something may be started now without passing over who waits. */
  get isFree(): boolean {
    return this.#free > 0 && this.#waiting.size === 0 && !this.#isSharing;
  }

  take(): void {
    this.#free--;
  }

  release(): void {
    this.#free++;
    this.#share();
  }

  wait(user: SlotUser): void {
    this.#waiting.add(user);
    this.#share();
  }

  leave(user: SlotUser): void {
    this.#waiting.delete(user);
  }

  #share(): void {
    // What is started may end at once and come back here: the outer loop goes on with it.
    if (this.#isSharing) return;
    this.#isSharing = true;
    try {
      while (this.#free > 0) {
        const [user] = this.#waiting;
        if (user === undefined) break;
        this.#waiting.delete(user);
        if (user.startNext()) this.#waiting.add(user);
      }
    } finally {
      this.#isSharing = false;
    }
  }
}
