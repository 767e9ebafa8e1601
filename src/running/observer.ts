import { defined } from '../base/defined.js';
import type { Drift } from '../dispatch.js';
import type { EventKey } from '../envelope/envelope.js';
import type { AnyEvent, HandlerContext } from '../event.js';
import { isThenable } from '../base/is-thenable.js';
import type { Logger } from '../base/logger.js';
import { compose, type Middleware } from '../middleware.js';
import { kindOf } from '../base/errors.js';
import type { ConsumerRecord, DeadLetterCause } from '../transports/transport.js';
import type { SkipVerdict } from '../verdict.js';
import type { RunningConsumer } from './running-consumer.js';

/**
 * Callbacks of a run, for metrics and traces. An absent callback costs nothing. The first error of each callback is
 * logged and has no other effect; an error in `around` fails the attempt.
 */
export interface RunObserver {
  /** Called when the run is open and can report its health. It may have handled records already. */
  readonly started?: (running: RunningConsumer) => void;
  /**
   * Called instead of the handler for each attempt; must call `run` once and return its result. Starts a span that is
   * active in the handler, for example.
   */
  readonly around?: (
    event: AnyEvent,
    context: HandlerContext,
    run: () => void | Promise<void>,
  ) => void | Promise<void>;
  /** Called when an attempt has ended, in time or late. */
  readonly attempted?: (event: AnyEvent, context: HandlerContext, end: AttemptEnd) => void;
  /** Called when a record is settled: handled, skipped or dead-lettered. */
  readonly settled?: (record: ConsumerRecord, settlement: Settlement) => void;
  /**
   * Called when a record differs from the catalogue, under every policy. Called again before each retry, which
   * decodes the record again.
   */
  readonly drifted?: (drift: Drift) => void;
}

/** Result of one attempt. */
export interface AttemptEnd {
  readonly outcome: 'handled' | 'failed' | 'late';
  /** Duration of the handler, in milliseconds of the wall clock. */
  readonly duration: number;
  /** Delay before the retry in milliseconds; undefined when there is none. */
  readonly retryIn: number | undefined;
}

/** Final result of a record, with its attempts and duration. */
export type Settlement = {
  /** Number of attempts; 0 when no handler ran. */
  readonly attempts: number;
  /** Time since the start of the first attempt, backoff included, in milliseconds of the run's clock. */
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

/**
 * Combines observers into one; the first is outermost. A callback that no observer has stays undefined.
 */
export function observerOf(
  observers: RunObserver | readonly RunObserver[] | undefined,
  logger: Logger,
): RunObserver {
  const all = [observers ?? []].flat();
  const inTurn = (name: Exclude<keyof RunObserver, 'around'>) => {
    const callbacks = all.flatMap((observer) => {
      const callback = observer[name]?.bind(observer) as Callback | undefined;
      return callback === undefined ? [] : [guarded(name, callback, logger)];
    });
    if (callbacks.length < 2) return callbacks[0];
    return (...args: readonly unknown[]) => {
      for (const callback of callbacks) callback(...args);
    };
  };
  const arounds = all.flatMap((observer) => observer.around?.bind(observer) ?? []);
  const around: Middleware | undefined =
    arounds.length === 0 ? undefined : (event, context, run) => compose(arounds, run)(event, context);
  return defined({
    around,
    started: inTurn('started'),
    attempted: inTurn('attempted'),
    settled: inTurn('settled'),
    drifted: inTurn('drifted'),
  });
}

type Callback = (...args: readonly unknown[]) => unknown;

/** Wraps a callback so that its first error is logged and further ones are ignored. It may be asynchronous. */
function guarded(name: string, callback: Callback, logger: Logger): Callback {
  let isLogged = false;
  const failed = (error: unknown) => {
    if (isLogged) return;
    isLogged = true;
    logger.error('observer failed, logging its first error only', {
      callback: name,
      error: kindOf(error),
    });
  };
  return (...args) => {
    try {
      const pending = callback(...args);
      if (isThenable(pending)) pending.then(undefined, failed);
    } catch (error) {
      failed(error);
    }
  };
}
