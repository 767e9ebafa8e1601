import type { Clock } from '../../../src/base/clock.js';

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now = 1_700_000_000_000;
  #timers: { readonly at: number; readonly fn: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  schedule(ms: number, fn: () => void): () => void {
    const timer = { at: this.#now + ms, fn };
    this.#timers.push(timer);
    return () => void (this.#timers = this.#timers.filter((other) => other !== timer));
  }

  /** Pending timers. */
  get pending(): number {
    return this.#timers.length;
  }

  /** Advances the time, timer by timer, and lets the broker react to each. */
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

/** Runs everything that is pending in streams and promises. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
