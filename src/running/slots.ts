import { type Clock, systemClock } from '../base/clock.js';

/** A partition that waits for a slot. */
export interface SlotUser {
  /** Starts one record, which occupies a slot unless it is settled synchronously. Returns whether more are ready. */
  startNext(): boolean;
}

/** Limits the concurrent handlers of a run. Gives a free slot to the user that has waited longest. */
export class Slots {
  #free: number;
  readonly #maxTurn: number;
  /** In the order of arrival. */
  readonly #waiting = new Set<SlotUser>();
  #isSharing = false;
  /** Time of the first use in the current turn of the event loop; undefined before it. */
  #turnBegan: number | undefined;

  /** `clock` is that of the run: a virtual one has no turns, whose ends would depend on the load of the machine. */
  constructor(count: number, clock: Clock) {
    this.#free = count;
    this.#maxTurn = clock === systemClock ? maxTurn : Infinity;
  }

  /** Whether a record may be started now without overtaking a waiting user. */
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
   * Whether the current turn may start more records. Synchronous handlers would otherwise block the event loop:
   * heartbeats, probes, incoming data.
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
    return performance.now() - this.#turnBegan < this.#maxTurn;
  }

  #share(): void {
    // A started record may end synchronously and call this again: the outer loop continues.
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

/** In milliseconds: much shorter than a heartbeat interval, and much longer than the overhead of a turn. */
const maxTurn = 50;
