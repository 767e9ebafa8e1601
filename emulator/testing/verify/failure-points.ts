import { AsyncLocalStorage } from 'node:async_hooks';
import type { AnyEvent, HandlerContext } from '../../../src/event.js';
import type { RunObserver } from '../../../src/running/observer.js';

/**
 * Where the work of a handler may meet an error: `"account_number"`, a field at the top of its payload that it reads, or
 * `mayFail() call 2`, what the consumer says may fail.
 */
export type FailurePoint = string;

/** Sees which of them an attempt comes to, also after its handler has ended, and whatever else runs meanwhile. */
export class FailurePoints {
  readonly #attempt = new AsyncLocalStorage<Attempt>();

  /** What a function that makes consumers is given. */
  readonly mayFail = (): void => {
    const attempt = this.#attempt.getStore();
    if (attempt !== undefined && attempt.calls < mostCalls)
      attempt.heard(`mayFail() call ${++attempt.calls}`);
  };

  /** @param heard May throw: that is then what the work meets. */
  listen(
    isWanted: (event: AnyEvent, context: HandlerContext) => boolean,
    heard: (point: FailurePoint) => void,
  ): RunObserver {
    return {
      around: (event, context, run) => {
        if (!isWanted(event, context)) return run();
        const attempt: Attempt = { heard, calls: 0 };
        this.#watchFields(event.payload, attempt);
        return this.#attempt.run(attempt, run);
      },
    };
  }

  /** Whoever reads the payload elsewhere, as from a state that keeps it, is not the handler. */
  #watchFields(payload: unknown, attempt: Attempt): void {
    if (typeof payload !== 'object' || payload === null) return;
    const own = { ...payload } as Record<string, unknown>;
    for (const field of Object.keys(own)) {
      Object.defineProperty(payload, field, {
        configurable: true,
        enumerable: true,
        get: () => {
          if (this.#attempt.getStore() === attempt) attempt.heard(JSON.stringify(field));
          return own[field];
        },
        set(value: unknown) {
          own[field] = value;
        },
      });
    }
  }
}

/** A handler that calls it in a long loop fails alike at each. */
const mostCalls = 20;

interface Attempt {
  readonly heard: (point: FailurePoint) => void;
  /** Of `mayFail`, so far. */
  calls: number;
}
