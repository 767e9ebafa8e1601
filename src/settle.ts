import { type Dispatcher, positionOf } from './dispatch.js';
import type { EventKey } from './envelope/envelope.js';
import { BusbarError } from './errors.js';
import type { HandlerContext } from './event.js';
import type { Logger } from './logger.js';
import { quoted } from './quoted.js';
import type { ConsumerRecord, DeadLetterCause, Subscription } from './transports/transport.js';
import type { HandleVerdict, SkipVerdict, Verdict } from './verdict.js';

/** What became of the records of a run. Grows while it runs. */
export interface RunCounts {
  /** A handler ended well. */
  handled: number;
  /** No handler ran, by reason. */
  readonly skipped: Record<SkipVerdict['reason'], number>;
  /** Set aside. */
  deadLettered: number;
}

export interface SettlerOptions {
  readonly dispatcher: Dispatcher;
  readonly subscription: Subscription;
  readonly counts: RunCounts;
  readonly logger: Logger;
}

/**
 * Brings one record to its end: verdict, handler, dead letter. Answers nothing when it was settled at once, else a
 * promise. An error means that the record cannot be settled. What comes after the context's abort changes nothing.
 */
export type Settle = (record: ConsumerRecord, context: HandlerContext) => Promise<void> | undefined;

export function noCounts(): RunCounts {
  return {
    handled: 0,
    skipped: { unhandled: 0, unknown: 0, superseded: 0, invalid: 0, undecodable: 0 },
    deadLettered: 0,
  };
}

export function createSettler({ dispatcher, subscription, counts, logger }: SettlerOptions): Settle {
  const carryOut = (verdict: Verdict, record: ConsumerRecord, context: HandlerContext) => {
    switch (verdict.action) {
      case 'handle':
        return handle(verdict, context);
      case 'skip':
        counts.skipped[verdict.reason]++;
        return undefined;
      case 'dead-letter': {
        const { error, event } = verdict;
        const cause = { code: error.code, message: error.message, attempts: 0 };
        return setAside(record, event === undefined ? cause : { ...cause, event: nameOf(event) }, error);
      }
      case 'fail':
        throw verdict.error;
    }
  };

  const handle = (verdict: HandleVerdict, context: HandlerContext): Promise<void> | undefined => {
    let pending: unknown;
    try {
      pending = verdict.registration.handler(verdict.event, {
        ...context,
        handler: verdict.registration.name,
      });
    } catch (error) {
      return failed(verdict, context, error);
    }
    if (isThenable(pending)) return finish(pending, verdict, context);
    counts.handled++;
    return undefined;
  };

  const finish = async (pending: PromiseLike<unknown>, verdict: HandleVerdict, context: HandlerContext) => {
    try {
      await pending;
    } catch (error) {
      return failed(verdict, context, error);
    }
    if (!context.signal.aborted) counts.handled++;
  };

  const failed = (
    { event, registration }: HandleVerdict,
    context: HandlerContext,
    thrown: unknown,
  ): Promise<void> | undefined => {
    if (context.signal.aborted) return undefined;
    const { record } = event;
    const name = nameOf(event);
    // What the handler's error says may quote the payload; its kind and place do not.
    const what = thrown instanceof Error ? thrown.name : `a thrown ${typeof thrown}`;
    const message = `Handler ${quoted(registration.name)} of event ${quoted(name)} failed with ${what} (${positionOf(record)}).`;
    const error = new BusbarError('handler-failed', message, { cause: thrown });
    logger.error(message, { code: error.code, at: firstFrame(thrown) });
    return setAside(record, { code: error.code, message, event: name, attempts: context.attempt }, error);
  };

  const setAside = (record: ConsumerRecord, cause: DeadLetterCause, error: BusbarError) => {
    if (subscription.deadLetter === undefined) throw error;
    return subscription.deadLetter(record, cause).then(() => {
      counts.deadLettered++;
    });
  };

  return (record, context) => {
    const verdict = dispatcher.dispatch(record);
    if (!(verdict instanceof Promise)) return carryOut(verdict, record, context);
    return verdict.then((late) => (context.signal.aborted ? undefined : carryOut(late, record, context)));
  };
}

/** The catalogue name; cut, because a record may claim any. */
function nameOf({ type, version }: EventKey): string {
  return `${type}-${version}`.slice(0, 256);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as PromiseLike<unknown>).then === 'function'
  );
}

/** Where it was thrown: `at handler (file:///srv/app/handlers.js:12:9)`. */
function firstFrame(thrown: unknown): string | undefined {
  const stack = thrown instanceof Error ? thrown.stack : undefined;
  return stack
    ?.split('\n')
    .find((line) => /^\s+at .+:\d+:\d+\)?$/.test(line))
    ?.trim();
}
