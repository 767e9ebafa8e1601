import { type Clock, sleep } from './clock.js';
import { BusbarError } from './errors.js';
import type { LogFields, Logger } from './logger.js';

/** Log messages of an outage. */
interface OutageLines {
  readonly began: string;
  readonly lasts: string;
  readonly ended: string;
}

/** Minimum time between two lines, in milliseconds. */
const interval = 30_000;

/**
 * Logs an outage when it begins, every 30 seconds while it lasts, and when it ends, however often it is reported. An
 * outage within 30 seconds of the last line is logged only if it outlasts them.
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
  /** Number of calls of `retry` that are not over. */
  #retries = 0;

  constructor(clock: Clock, logger: Logger, lines: OutageLines, fields: LogFields = {}) {
    this.#clock = clock;
    this.#logger = logger;
    this.#lines = lines;
    this.#fields = fields;
  }

  /** Start and reason of the present outage. */
  get outage(): { readonly since: number; readonly reason: string } | undefined {
    return this.#outage && { since: this.#outage.since, reason: this.#outage.error };
  }

  /**
   * Repeats work that fails with `connection-failed`, until the signal aborts.
   * @throws the signal's reason after an abort, and any other error of the work
   */
  async retry<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    this.#retries++;
    try {
      for (let delay = 100; ; delay = Math.min(delay * 2, 10_000)) {
        signal?.throwIfAborted();
        try {
          const result = await work();
          this.recovered();
          return result;
        } catch (error) {
          signal?.throwIfAborted();
          if (!(error instanceof BusbarError) || error.code !== 'connection-failed') {
            this.recovered();
            throw error;
          }
          this.failed(error);
          await sleep(this.#clock, delay, signal);
        }
      }
    } finally {
      // Nothing else would notice the end of the outage.
      if (--this.#retries === 0) this.stop();
    }
  }

  failed(error: Error, since = this.#clock.now()): void {
    if (this.#outage !== undefined) {
      this.#outage.error = error.message;
      return;
    }
    this.#outage = { since, error: error.message, isLogged: false };
    // The clock may have been set back.
    const wait = Math.min(this.#next - this.#clock.now(), interval);
    if (wait <= 0) this.#warn();
    else this.#cancel = this.#clock.schedule(wait, () => this.#warn());
  }

  recovered(): void {
    const outage = this.#outage;
    this.stop();
    if (!outage?.isLogged) return;
    this.#logger.info(this.#lines.ended, { ...this.#fields, outageMs: this.#clock.now() - outage.since });
  }

  /** Stops logging an outage that still lasts: its end will not be noticed. */
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
