import { DeadLetterLog } from './dead-letter-log.js';
import { errorDetails } from '../error-details.js';
import type { DeadLetter } from './dead-letter.js';
import type { RunSettings } from './run-options.js';
import type { RunCounts } from './running-consumer.js';
import type { Settlement } from './observer.js';
import type { Subscription } from '../transports/transport.js';
import type { HandleVerdict, SkipVerdict } from '../verdict.js';
import type { Work } from './work.js';

interface SettlerOptions extends RunSettings {
  readonly subscription: DeadLetterStore;
  readonly counts: RunCounts;
}

type DeadLetterStore = Pick<Subscription, 'deadLetter'>;

/** Counts the settled records of a run and reports them to its observer. */
export class Settler {
  readonly #options: SettlerOptions;
  readonly #log: DeadLetterLog;

  constructor(options: SettlerOptions) {
    this.#options = options;
    this.#log = new DeadLetterLog(options.clock, options.logger);
  }

  handled(work: Work, verdict: HandleVerdict): void {
    const { counts, observer } = this.#options;
    counts.handled++;
    observer.settled?.(work.record, this.settlementOf(work, verdict));
  }

  skipped(work: Work, verdict: SkipVerdict): void {
    const { counts, observer } = this.#options;
    counts.skipped[verdict.reason]++;
    observer.settled?.(work.record, this.settlementOf(work, verdict));
  }

  /** Returns the final result of a record that was handled or skipped. It has no payload, so it may be logged. */
  settlementOf(work: Work, verdict: HandleVerdict | SkipVerdict): Settlement {
    if (verdict.action === 'skip')
      return { outcome: 'skipped', reason: verdict.reason, attempts: 0, duration: 0 };
    const { event, registration } = verdict;
    return {
      outcome: 'handled',
      event: { type: event.type, version: event.version },
      handler: registration.name,
      attempts: work.attempts,
      duration: this.#durationOf(work),
    };
  }

  retried(): void {
    this.#options.counts.retried++;
  }

  /** Resolves when the dead letter is stored. Throws its error synchronously if the transport has no dead letters. */
  deadLetter(
    work: Work,
    letter: DeadLetter,
    store: DeadLetterStore = this.#options.subscription,
  ): Promise<Settlement> {
    const { counts, observer, deadLetterDetails } = this.#options;
    const { cause: reason, event, error } = letter;
    if (store.deadLetter === undefined) throw error;
    // A handler may throw undefined, so the cause's presence counts, not its value.
    const hasThrown = Object.hasOwn(error, 'cause');
    const cause = hasThrown ? { ...reason, error: errorDetails(error.cause, deadLetterDetails) } : reason;
    const { signal } = (work.storing = new AbortController());
    return store.deadLetter(work.record, cause, signal).then(() => {
      const { attempts } = work;
      const duration = this.#durationOf(work);
      const settlement: Settlement = { outcome: 'dead-lettered', event, cause, attempts, duration };
      if (work.isAbandoned) return settlement;
      counts.deadLettered++;
      // Failed attempts are already logged.
      if (cause.attempts === 0) this.#log.add(work.record, letter);
      observer.settled?.(work.record, settlement);
      return settlement;
    });
  }

  /** Logs pending lines. */
  stop(): void {
    this.#log.stop();
  }

  #durationOf({ since }: Work): number {
    return since === undefined ? 0 : this.#options.clock.now() - since;
  }
}
