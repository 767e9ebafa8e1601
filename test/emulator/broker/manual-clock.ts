import type { BrokerClock } from '../../../emulator/broker/index.js';

/** A clock that stands still until a test moves it. */
export class ManualClock implements BrokerClock {
  #now = 1_700_000_000_000;
  #timers: { readonly at: number; readonly fn: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, fn: () => void): () => void {
    const timer = { at: this.#now + ms, fn };
    this.#timers.push(timer);
    return () => void (this.#timers = this.#timers.filter((other) => other !== timer));
  }

  /** Timers that are set and neither due nor cancelled. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Moves time on, timer by timer, and lets the broker act on each. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await settle();
      const next = this.#timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers = this.#timers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.fn();
    }
    this.#now = until;
    await settle();
  }
}

/** Lets everything happen that is already on its way through streams and promises. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
