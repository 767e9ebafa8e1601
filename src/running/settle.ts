import type { Clock } from '../base/clock.js';
import { DeadLetterLog } from './dead-letter-log.js';
import { type DeadLetterDetails, errorDetails } from '../error-details.js';
import type { Letter } from './letter.js';
import type { Logger } from '../base/logger.js';
import type { RunObserver } from './observer.js';
import type { Subscription } from '../transports/transport.js';
import type { HandleVerdict, SkipVerdict } from '../verdict.js';
import type { Work } from './work.js';

/** What became of the records of a run. Grows while it runs. */
export interface RunCounts {
  /** A handler ended well. */
  handled: number;
  /** No handler ran, by reason. */
  readonly skipped: Record<SkipVerdict['reason'], number>;
  /** Set aside. */
  deadLettered: number;
  /** Attempts after the first ones. */
  retried: number;
}

export function noCounts(): RunCounts {
  return {
    handled: 0,
    skipped: { unhandled: 0, unknown: 0, superseded: 0, 'other-group': 0, invalid: 0, undecodable: 0 },
    deadLettered: 0,
    retried: 0,
  };
}

export interface SettlerOptions {
  readonly subscription: Subscription;
  readonly counts: RunCounts;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly observer: RunObserver;
  readonly deadLetterDetails: DeadLetterDetails;
}

/** Keeps the books of a run: each record ends in one of three ways. */
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

  /**
   * Resolves when the record is safe among the dead letters. Throws the letter's error at once where there are none.
   */
  setAside(work: Work, letter: Letter): Promise<void> {
    const { subscription, counts, observer, deadLetterDetails } = this.#options;
    const { cause: reason, event, error } = letter;
    if (subscription.deadLetter === undefined) throw error;
    // An undefined cause was thrown as well.
    const hasThrown = Object.hasOwn(error, 'cause');
    const cause = hasThrown ? { ...reason, error: errorDetails(error.cause, deadLetterDetails) } : reason;
    return subscription.deadLetter(work.record, cause).then(() => {
      if (work.isAbandoned) return;
      counts.deadLettered++;
      // A failed attempt has a line of its own.
      if (cause.attempts === 0) this.#log.add(work.record, letter);
      observer.settled?.(work.record, { outcome: 'dead-lettered', event, cause, ...this.#effort(work) });
    });
  }

  /** Nothing follows. */
  stop(): void {
    this.#log.stop();
  }

  #effort({ attempts, since }: Work): { attempts: number; duration: number } {
    return { attempts, duration: since === undefined ? 0 : this.#options.clock.now() - since };
  }
}
