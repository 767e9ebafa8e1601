import type { EventKey } from '../envelope/envelope.js';
import type { AnyEvent, HandlerContext } from '../event.js';
import type { Logger } from '../logger.js';
import type { ConsumerRecord, DeadLetterCause } from '../transports/transport.js';
import type { SkipVerdict } from '../verdict.js';

/**
 * Sees what a run does: metrics and traces hang on it. What is absent costs nothing. An error thrown here is logged,
 * once for each callback, and changes nothing; in `around` it is the attempt's.
 */
export interface RunObserver {
  /**
   * Called in place of the handler for each attempt; must call `run` once and answer what that answers. A span that
   * is active within the handler is made here.
   */
  readonly around?: (
    event: AnyEvent,
    context: HandlerContext,
    run: () => void | Promise<void>,
  ) => void | Promise<void>;
  /** An attempt has ended, in time or not. */
  readonly attempted?: (event: AnyEvent, context: HandlerContext, end: AttemptEnd) => void;
  /** A record is settled: handled, skipped or set aside. */
  readonly settled?: (record: ConsumerRecord, settlement: Settlement) => void;
}

export interface AttemptEnd {
  readonly outcome: 'handled' | 'failed' | 'late';
  /** How long the handler took, in milliseconds of the wall clock. */
  readonly duration: number;
  /** After how many milliseconds it is tried again; undefined when it is not. */
  readonly retryIn: number | undefined;
}

export type Settlement = {
  /** Attempts made; 0 when no handler ran. */
  readonly attempts: number;
  /** From the begin of the first attempt, pauses included, in milliseconds of the run's clock. */
  readonly duration: number;
} & (
  | { readonly outcome: 'handled'; readonly event: EventKey; readonly handler: string }
  | { readonly outcome: 'skipped'; readonly reason: SkipVerdict['reason'] }
  | {
      readonly outcome: 'dead-lettered';
      readonly event: EventKey | undefined;
      readonly cause: DeadLetterCause;
    }
);

/** The same observer, whose errors harm nothing. */
export function guarded(observer: RunObserver, logger: Logger): RunObserver {
  const guard = <A extends unknown[]>(name: string, callback: ((...given: A) => void) | undefined) => {
    if (callback === undefined) return undefined;
    let isKnown = false;
    return (...given: A) => {
      try {
        callback.apply(observer, given);
      } catch (error) {
        if (isKnown) return;
        isKnown = true;
        const what = error instanceof Error ? error.name : typeof error;
        logger.error(`The observer's "${name}" failed with ${what}. Further errors of it are not logged.`);
      }
    };
  };
  const attempted = guard('attempted', observer.attempted);
  const settled = guard('settled', observer.settled);
  return {
    ...(observer.around && { around: observer.around.bind(observer) }),
    ...(attempted && { attempted }),
    ...(settled && { settled }),
  };
}
