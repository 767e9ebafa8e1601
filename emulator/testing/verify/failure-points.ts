import { AsyncLocalStorage } from 'node:async_hooks';
import type { AnyEvent, HandlerContext, RunObserver } from 'busbar';

/** The error of a handler that a check lets fail. */
export class InjectedError extends Error {
  override name = 'InjectedError';
}

/** Reports the failure points that an attempt reaches, also after its handler and next to other attempts. */
export class FailurePoints {
  readonly #attempt = new AsyncLocalStorage<Attempt>();

  /** The `failurePoint` of {@link ContractSetup}. */
  readonly failurePoint = (): void => {
    const attempt = this.#attempt.getStore();
    if (attempt !== undefined && attempt.calls < maxCalls) {
      attempt.heard(`failurePoint() call ${++attempt.calls}`, true);
    }
  };

  /** @param heard Called at each failure point. If it throws, the handler fails there. */
  listen(isWanted: (event: AnyEvent, context: HandlerContext) => boolean, heard: Heard): RunObserver {
    return {
      around: (event, context, run) => {
        if (!isWanted(event, context)) return run();
        const attempt: Attempt = { heard, calls: 0, hasWaited: false };
        this.#watchFields(event.payload, attempt);
        try {
          return this.#attempt.run(attempt, run);
        } finally {
          attempt.hasWaited = true;
        }
      },
    };
  }

  /** Follows no further attempt. Otherwise each later promise of the process would cost more. */
  stop(): void {
    this.#attempt.disable();
  }

  /** Reports reads of fields by this attempt only: other code may read the payload, e.g. from the state. */
  #watchFields(payload: unknown, attempt: Attempt): void {
    if (typeof payload !== 'object' || payload === null) return;
    const own = { ...payload } as Record<string, unknown>;
    for (const field of Object.keys(own)) {
      Object.defineProperty(payload, field, {
        configurable: true,
        enumerable: true,
        get: () => {
          if (this.#attempt.getStore() === attempt) attempt.heard(JSON.stringify(field), attempt.hasWaited);
          return own[field];
        },
        set(value: unknown) {
          own[field] = value;
        },
      });
    }
  }
}

/** Most calls of `failurePoint` per attempt: calls in a long loop fail alike. */
const maxCalls = 20;

/**
 * @param point The read of a top-level payload field, e.g. `"account_number"`, or a call of `failurePoint`, e.g.
 * `failurePoint() call 2`.
 * @param isAfterWait Whether the handler can have failed before: at a call of `failurePoint`, or after a wait.
 */
type Heard = (point: string, isAfterWait: boolean) => void;

interface Attempt {
  readonly heard: Heard;
  calls: number;
  /** Whether the handler has returned its promise. */
  hasWaited: boolean;
}
