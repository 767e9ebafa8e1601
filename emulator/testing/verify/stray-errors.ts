/**
 * Collects uncaught errors: the consumer's must neither end the verifying process nor fail a test that expects them.
 */
export class StrayErrors {
  #seen: unknown[] = [];
  readonly #note = (error: unknown) => void this.#seen.push(error);

  /** Collects uncaught errors during the work. Before and after, other listeners receive them. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const others = events.flatMap((event) =>
      process.listeners(event as never).map((listener) => [event, listener as () => void] as const),
    );
    for (const event of events) process.removeAllListeners(event).on(event, this.#note);
    try {
      return await work();
    } finally {
      for (const event of events) process.off(event, this.#note);
      for (const [event, listener] of others) process.on(event, listener);
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
}

const events = ['unhandledRejection', 'uncaughtException'] as const;
