import { DeadLetterLog } from './dead-letter-log.js';
import { errorDetails } from '../error-details.js';
import type { DeadLetter } from './dead-letter.js';
import type { RunSettings } from './run-options.js';
import type { RunCounts } from './running-consumer.js';
import type { Subscription } from '../transports/transport.js';
import type { HandleVerdict, SkipVerdict } from '../verdict.js';
import type { Work } from './work.js';

interface SettlerOptions extends RunSettings {
  readonly subscription: Subscription;
  readonly counts: RunCounts;
}

/** Counts the settled records of a run and reports them to its observer. */
export class Settler {
  readonly #options: SettlerOptions;
  readonly #log: DeadLetterLog;

  constructor(options: SettlerOptions) {
    this.#options = options;
    this.#log = new DeadLetterLog(options.clock, options.logger);
  }

  handled(work: Work, { event, registration }: HandleVerdict): void {
    const { counts, observer } = this.#options;
    counts.handled++;
    observer.settled?.(work.record, {
      outcome: 'handled',
      event,
      handler: registration.name,
      ...this.#effort(work),
    });
  }

  skipped(work: Work, { reason }: SkipVerdict): void {
    const { counts, observer } = this.#options;
    counts.skipped[reason]++;
    observer.settled?.(work.record, { outcome: 'skipped', reason, attempts: 0, duration: 0 });
  }

  retried(): void {
    this.#options.counts.retried++;
  }

  /** Resolves when the dead letter is stored. Throws its error synchronously if the transport has no dead letters. */
  deadLetter(work: Work, letter: DeadLetter): Promise<void> {
    const { subscription, counts, observer, deadLetterDetails } = this.#options;
    const { cause: reason, event, error } = letter;
    if (subscription.deadLetter === undefined) throw error;
    // A handler may throw undefined, so the cause's presence counts, not its value.
    const hasThrown = Object.hasOwn(error, 'cause');
    const cause = hasThrown ? { ...reason, error: errorDetails(error.cause, deadLetterDetails) } : reason;
    return subscription.deadLetter(work.record, cause).then(() => {
      if (work.isAbandoned) return;
      counts.deadLettered++;
      // Failed attempts are already logged.
      if (cause.attempts === 0) this.#log.add(work.record, letter);
      observer.settled?.(work.record, { outcome: 'dead-lettered', event, cause, ...this.#effort(work) });
    });
  }

  /** Logs pending lines. */
  stop(): void {
    this.#log.stop();
  }

  #effort({ attempts, since }: Work): { attempts: number; duration: number } {
    return { attempts, duration: since === undefined ? 0 : this.#options.clock.now() - since };
  }
}
