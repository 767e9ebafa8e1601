import type { EventKey } from '../envelope/envelope.js';
import type { AnyEvent, HandlerContext } from '../event.js';
import type { Logger } from '../base/logger.js';
import { kindOf } from '../base/thrown.js';
import type { ConsumerRecord, DeadLetterCause } from '../transports/transport.js';
import type { SkipVerdict } from '../verdict.js';
import type { RunningConsumer } from './run.js';

/**
 * Sees what a run does: metrics and traces hang on it. What is absent costs nothing. An error thrown here is logged,
 * once for each callback, and changes nothing; in `around` it is the attempt's.
 */
export interface RunObserver {
  /** The run is open: from here on it can be asked for its health. It may have handled records already. */
  readonly started?: (running: RunningConsumer) => void;
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
  /**
   * What arrives is not what the catalogue says, whatever the policy does about it. Told each time that a record is
   * read: before a retry it is read anew.
   */
  readonly drifted?: (drift: Drift) => void;
}

export type Drift =
  /** The catalogue has no event of that name, which may be any text. */
  | { readonly kind: 'unknown-event'; readonly event: EventKey }
  /** The payload breaks its schema; each rule once, as `required` or `type`. */
  | { readonly kind: 'invalid'; readonly event: EventKey; readonly rules: readonly string[] }
  /**
   * A valid payload has fields, at any depth, that its schema does not name. Of an event version that is handled, the
   * first and each sixteenth after it are looked at.
   */
  | { readonly kind: 'unknown-fields'; readonly event: EventKey };

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

/** All of them as one, the first outermost, whose errors harm nothing. What none of them defines is not defined. */
export function observerOf(
  observers: RunObserver | readonly RunObserver[] | undefined,
  logger: Logger,
): RunObserver {
  return [observers ?? []]
    .flat()
    .map((observer) => guarded(observer, logger))
    .reduceRight(both, {});
}

function guarded(observer: RunObserver, logger: Logger): RunObserver {
  const guard = <A extends unknown[]>(name: string, callback: ((...given: A) => void) | undefined) => {
    if (callback === undefined) return undefined;
    let isKnown = false;
    return (...given: A) => {
      try {
        callback.apply(observer, given);
      } catch (error) {
        if (isKnown) return;
        isKnown = true;
        logger.error(
          `The observer's "${name}" failed with ${kindOf(error)}. Further errors of it are not logged.`,
        );
      }
    };
  };
  return defined({
    around: observer.around?.bind(observer),
    started: guard('started', observer.started),
    attempted: guard('attempted', observer.attempted),
    settled: guard('settled', observer.settled),
    drifted: guard('drifted', observer.drifted),
  });
}

function both(inner: RunObserver, outer: RunObserver): RunObserver {
  return defined({
    around: around(outer.around, inner.around),
    started: inTurn(outer.started, inner.started),
    attempted: inTurn(outer.attempted, inner.attempted),
    settled: inTurn(outer.settled, inner.settled),
    drifted: inTurn(outer.drifted, inner.drifted),
  });
}

type Around = NonNullable<RunObserver['around']>;

function around(outer: Around | undefined, inner: Around | undefined): Around | undefined {
  if (outer === undefined || inner === undefined) return outer ?? inner;
  return (event, context, run) => outer(event, context, () => inner(event, context, run));
}

function inTurn<A extends unknown[]>(
  first: ((...given: A) => void) | undefined,
  second: ((...given: A) => void) | undefined,
): ((...given: A) => void) | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return (...given) => {
    first(...given);
    second(...given);
  };
}

function defined(observer: { [K in keyof RunObserver]: RunObserver[K] | undefined }): RunObserver {
  return Object.fromEntries(Object.entries(observer).filter(([, callback]) => callback !== undefined));
}
