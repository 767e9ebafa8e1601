import type { Clock } from './base/clock.js';
import type { LogFields, Logger } from './base/logger.js';

/** The log lines of an outage. */
export interface OutageLines {
  readonly began: string;
  readonly lasts: string;
  readonly ended: string;
}

/** In milliseconds. */
const interval = 30_000;

/**
 * Logs an outage when it begins, each half minute while it lasts, and when it has ended, however often it is reported.
 * Outages within half a minute of the last line are logged only if they outlast it.
 */
export class OutageLog {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #lines: OutageLines;
  readonly #fields: LogFields;
  #outage: { readonly since: number; error: string; isLogged: boolean } | undefined;
  /** The earliest time of the next line. */
  #next = Number.NEGATIVE_INFINITY;
  #cancel: () => void = () => undefined;

  constructor(clock: Clock, logger: Logger, lines: OutageLines, fields: LogFields = {}) {
    this.#clock = clock;
    this.#logger = logger;
    this.#lines = lines;
    this.#fields = fields;
  }

  failed(error: Error): void {
    if (this.#outage !== undefined) {
      this.#outage.error = error.message;
      return;
    }
    const since = this.#clock.now();
    this.#outage = { since, error: error.message, isLogged: false };
    if (since >= this.#next) this.#warn();
    else this.#cancel = this.#clock.schedule(this.#next - since, () => this.#warn());
  }

  recovered(): void {
    const outage = this.#outage;
    this.stop();
    if (!outage?.isLogged) return;
    this.#logger.info(this.#lines.ended, { ...this.#fields, outageMs: this.#clock.now() - outage.since });
  }

  /** Logs nothing more of an outage that lasts: its end will not be seen. */
  stop(): void {
    this.#outage = undefined;
    this.#cancel();
  }

  #warn(): void {
    const outage = this.#outage;
    if (outage === undefined) return;
    const { since, error, isLogged } = outage;
    const now = this.#clock.now();
    const line = isLogged ? this.#lines.lasts : this.#lines.began;
    this.#logger.warn(line, { ...this.#fields, outageMs: now - since, error });
    outage.isLogged = true;
    this.#next = now + interval;
    this.#cancel = this.#clock.schedule(interval, () => this.#warn());
  }
}
