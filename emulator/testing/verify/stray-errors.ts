/**
 * Collects what nobody catches while it is watched for: a consumer that is verified must not end the process that
 * verifies it, nor fail the test that says that it does so.
 */
export class StrayErrors {
  #seen: unknown[] = [];
  readonly #note = (error: unknown) => void this.#seen.push(error);
  #others: readonly (readonly [Stray, (...given: unknown[]) => void])[] = [];

  /** Watches while that goes on: before and after it, others get what they wait for. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#watch();
    try {
      return await work();
    } finally {
      this.#unwatch();
    }
  }

  /** What has come since it was last asked. */
  async take(): Promise<readonly unknown[]> {
    // Node tells of a rejection when the microtasks are through.
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
