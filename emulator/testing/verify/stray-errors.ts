/**
 * Collects uncaught errors: the consumer's must neither end the verifying process nor fail a test that expects them.
 */
export class StrayErrors {
  #seen: unknown[] = [];
  readonly #note = (error: unknown) => void this.#seen.push(error);
  #others: readonly (readonly [Stray, (...given: unknown[]) => void])[] = [];

  /** Collects uncaught errors during the work. Before and after, other listeners receive them. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#watch();
    try {
      return await work();
    } finally {
      this.#unwatch();
    }
  }

  /** Returns the errors since the last call. */
  async take(): Promise<readonly unknown[]> {
    // Node reports a rejection after the microtasks.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    const seen = this.#seen;
    this.#seen = [];
    return seen;
  }

  #watch(): void {
    this.#others = events.flatMap((event) =>
      process.listeners(event as never).map((listener) => [event, listener as () => void] as const),
    );
    for (const event of events) {
      process.removeAllListeners(event);
      process.on(event, this.#note);
    }
  }

  #unwatch(): void {
    for (const event of events) process.off(event, this.#note);
    for (const [event, listener] of this.#others) process.on(event, listener);
    this.#others = [];
  }
}

type Stray = (typeof events)[number];

const events = ['unhandledRejection', 'uncaughtException'] as const;
