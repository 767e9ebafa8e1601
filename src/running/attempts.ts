import { systemClock } from '../base/clock.js';
import { memoized } from '../base/once.js';
import { positionOf } from '../dispatch.js';
import { BusbarError, type ErrorCode, isOurs, kindOf, quoted } from '../base/errors.js';
import type { HandlerContext } from '../event.js';
import {
  type DeadLetter,
  failedHandlerDeadLetter,
  heldKeyDeadLetter,
  invalidRecordDeadLetter,
  nameOf,
} from './dead-letter.js';
import type { HeldLanes } from './held-lanes.js';
import { laneKeyOf } from './lane.js';
import type { AttemptEnd } from './observer.js';
import type { Registration } from '../registry.js';
import { type ResolvedRetry, resolveRetry, retryDelay } from './retry.js';
import type { RunSettings } from './run-options.js';
import { AttemptContext, RunningAttempt } from './running-attempt.js';
import type { Settler } from './settle.js';
import { isThenable } from '../base/is-thenable.js';
import { userFrame } from '../base/user-frame.js';
import type { HandleVerdict, Verdict } from '../verdict.js';
import type { Work } from './work.js';

/** Result of applying a verdict. */
export type Outcome =
  | { readonly type: 'settled' }
  /** The record stays unsettled. */
  | { readonly type: 'released' }
  | { readonly type: 'retry'; readonly delay: number }
  | { readonly type: 'dead-letter'; readonly letter: DeadLetter };

interface AttemptsOptions extends RunSettings {
  readonly consumer: string;
  readonly settler: Settler;
}

/** Calls handlers, and decides after each attempt between settling, retry and dead letter. */
export class Attempts {
  readonly #options: AttemptsOptions;
  /** Asynchronous attempts in the order of their start, abandoned ones included. */
  readonly running = new Set<RunningAttempt>();
  readonly #settingsOf: (registration: Registration) => HandlerSettings;

  constructor(options: AttemptsOptions) {
    this.#options = options;
    this.#settingsOf = memoized(({ options: { retry, deadline = options.deadline } }) => ({
      retry: resolveRetry(retry, options.retry),
      deadline,
    }));
  }

  /**
   * Applies the verdict on a record: calls the handler unless its lane is held, skips the record, or requests a dead
   * letter. Throws the error of a `fail` verdict.
   * @param hold Undefined for a run that continues after a dead letter.
   */
  apply(work: Work, verdict: Verdict, hold: HeldLanes | undefined): Outcome | Promise<Outcome> {
    switch (verdict.action) {
      case 'handle':
        if (hold?.isActive && hold.isHeld(laneKeyOf(work), work.record))
          return { type: 'dead-letter', letter: heldKeyDeadLetter(verdict) };
        return this.make(work, verdict);
      case 'skip':
        this.#options.settler.skipped(work, verdict);
        return settled;
      case 'dead-letter':
        return { type: 'dead-letter', letter: invalidRecordDeadLetter(verdict) };
      case 'fail':
        throw verdict.error;
    }
  }

  /** Starts the next attempt at the event. Synchronous when the handler returns no promise. */
  make(work: Work, verdict: HandleVerdict): Outcome | Promise<Outcome> {
    const { observer, settler } = this.#options;
    const { event, registration } = verdict;
    if (work.attempts > 0) settler.retried();
    const context = new AttemptContext(++work.attempts, registration.name, this.#options);
    const startedAt = observer.attempted === undefined ? 0 : performance.now();
    const attempt: Attempt = { work, verdict, context, startedAt };
    let pending: unknown;
    try {
      pending =
        observer.around === undefined
          ? registration.handler(event, context)
          : observer.around(event, context, () => registration.handler(event, context));
    } catch (error) {
      return this.#failed(attempt, error);
    }
    if (isThenable(pending)) return this.#watch(pending, attempt);
    return this.#handled(attempt);
  }

  async #watch(pending: PromiseLike<unknown>, attempt: Attempt): Promise<Outcome> {
    const { work, verdict, context } = attempt;
    const { deadline } = this.#settingsOf(verdict.registration);
    const running = new RunningAttempt(context, work.record, deadline, (hung) => this.#logHung(hung));
    const { clock } = this.#options;
    work.since ??= clock.now();
    work.running = running;
    this.running.add(running);
    let thrown: ErrorOptions | undefined;
    try {
      await pending;
    } catch (error) {
      thrown = { cause: error };
    }
    running.end();
    work.running = undefined;
    this.running.delete(running);
    // While the machine slept, no time has elapsed.
    if (clock === systemClock) work.since += running.overslept;
    if (running.isLate) return this.#late(attempt, deadline, thrown);
    return thrown === undefined ? this.#handled(attempt) : this.#failed(attempt, thrown.cause);
  }

  #handled(attempt: Attempt): Outcome {
    const { work, verdict } = attempt;
    this.#reportEnd(attempt, 'handled', undefined);
    if (!work.isAbandoned) this.#options.settler.handled(work, verdict);
    return settled;
  }

  /** A late attempt fails even if it resolved: it may have stopped early because its signal aborted. */
  #late(attempt: Attempt, deadline: number, thrown?: ErrorOptions): Outcome {
    const what = `did not end within ${deadline} ms`;
    return this.#unsuccessful(attempt, 'late', 'deadline-exceeded', what, thrown);
  }

  #failed(attempt: Attempt, thrown: unknown): Outcome {
    // The message of a handler's error may quote the payload. Its class and stack frame do not, nor do Busbar's messages.
    const why = isOurs(thrown) ? `: ${thrown.message.replace(/\.$/, '')}` : '';
    const what = `failed with ${kindOf(thrown)}${why}`;
    return this.#unsuccessful(attempt, 'failed', 'handler-failed', what, { cause: thrown });
  }

  #unsuccessful(
    attempt: Attempt,
    outcome: Exclude<AttemptEnd['outcome'], 'handled'>,
    code: ErrorCode,
    what: string,
    thrown: ErrorOptions = {},
  ): Outcome {
    const { work, verdict } = attempt;
    const { clock, random, logger } = this.#options;
    const { event, registration } = verdict;
    const now = clock.now();
    const elapsed = now - (work.since ??= now);
    const { retry } = this.#settingsOf(registration);
    const { cause } = thrown;
    const delay =
      work.isAbandoned || work.isRetriedElsewhere
        ? undefined
        : retryDelay(retry, { attempt: work.attempts, elapsed, error: cause }, random);
    this.#reportEnd(attempt, outcome, delay);
    const tries = work.attempts === 1 ? '' : ` at attempt ${work.attempts}`;
    const subject = `Handler ${quoted(registration.name)} of event ${quoted(nameOf(event))}`;
    const message = `${subject} ${what}${tries} (${positionOf(work.record)}).`;
    const fields = { code, at: userFrame(cause), error: message };
    if (delay !== undefined) {
      logger.info('handler failed, retrying', { retryInMs: Math.ceil(delay), ...fields });
      return { type: 'retry', delay };
    }
    if (!work.isAbandoned) logger.error('handler failed', fields);
    const letter = failedHandlerDeadLetter(new BusbarError(code, message, thrown), event, {
      handler: registration.name,
      attempts: work.attempts,
    });
    return { type: 'dead-letter', letter };
  }

  #reportEnd(
    { verdict, context, startedAt }: Attempt,
    outcome: AttemptEnd['outcome'],
    retryIn: number | undefined,
  ): void {
    const { attempted } = this.#options.observer;
    if (attempted === undefined) return;
    attempted(verdict.event, context, { outcome, retryIn, duration: performance.now() - startedAt });
  }

  #logHung({ handler, deadline, record: { topic, partition, offset } }: RunningAttempt): void {
    const fields = { handler, deadlineMs: deadline, topic, partition, offset, code: 'deadline-exceeded' };
    this.#options.logger.error('handler exceeded its deadline', fields);
  }
}

interface Attempt {
  readonly work: Work;
  readonly verdict: HandleVerdict;
  readonly context: HandlerContext & AttemptContext;
  readonly startedAt: number;
}

interface HandlerSettings {
  readonly retry: ResolvedRetry;
  readonly deadline: number;
}

/** One shared object: most records end with it. */
const settled: Outcome = { type: 'settled' };
