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
  /** When the current turn of the event loop was first used; undefined at its beginning. */
  #turnBegan: number | undefined;

  constructor(count: number) {
    this.#free = count;
  }

  /** Whether something may be started now without passing over who waits. */
  get isFree(): boolean {
    return this.#free > 0 && this.#waiting.size === 0 && !this.#isSharing && this.#hasTime;
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

  /**
   * Handlers that never wait would keep everything else of the process waiting: heartbeats, probes, answers to come.
   * After a while they go on in the next turn.
   */
  get #hasTime(): boolean {
    if (this.#turnBegan === undefined) {
      this.#turnBegan = performance.now();
      setImmediate(() => {
        this.#turnBegan = undefined;
        this.#share();
      });
      return true;
    }
    return performance.now() - this.#turnBegan < longestTurn;
  }

  #share(): void {
    // What is started may end at once and come back here: the outer loop goes on with it.
    if (this.#isSharing) return;
    this.#isSharing = true;
    try {
      while (this.#free > 0 && this.#waiting.size > 0 && this.#hasTime) {
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

/** In milliseconds: little beside a heartbeat's interval, and much beside what a turn costs. */
const longestTurn = 50;
