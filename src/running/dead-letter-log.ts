import type { Clock } from '../base/clock.js';
import type { DeadLetter } from './dead-letter.js';
import type { LogFields, Logger } from '../base/logger.js';
import type { ConsumerRecord } from '../transports/transport.js';

/** Minimum time between two lines of a kind, in milliseconds. */
const interval = 1_000;

/**
 * Logs records that were dead-lettered without an attempt, each kind at most once a second. A kind is an event and an
 * error code. The next line of the kind contains the number of records that were not logged.
 */
export class DeadLetterLog {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #kinds = new Map<string, Kind>();

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  add({ topic, partition, offset }: ConsumerRecord, { cause, error }: DeadLetter): void {
    const { code, event, handler } = cause;
    const fields = { code, event, handler, topic, partition, offset, error: error.message };
    // All unknown names are one kind: a stream of random names must not fill memory or the log.
    const name = code === 'unknown-record' ? code : `${code} ${event}`;
    const now = this.#clock.now();
    const kind = this.#kinds.get(name);
    if (kind === undefined || (now >= kind.next && kind.unlogged === 0)) {
      this.#kinds.set(name, { next: now + interval, unlogged: 0, latest: fields, cancel: undefined });
      this.#write(fields);
      return;
    }
    kind.latest = fields;
    kind.unlogged++;
    // The clock may have been set back.
    kind.cancel ??= this.#clock.schedule(Math.min(kind.next - now, interval), () => this.#catchUp(kind));
  }

  /** Logs the kinds that still wait for the end of their second. */
  stop(): void {
    for (const kind of this.#kinds.values()) {
      kind.cancel?.();
      if (kind.unlogged > 0) this.#catchUp(kind);
    }
  }

  #catchUp(kind: Kind): void {
    const { latest, unlogged } = kind;
    kind.next = this.#clock.now() + interval;
    kind.unlogged = 0;
    kind.cancel = undefined;
    this.#write({ ...latest, ...(unlogged > 1 && { unlogged: unlogged - 1 }) });
  }

  #write(fields: LogFields): void {
    this.#logger.warn('record dead-lettered', fields);
  }
}

interface Kind {
  /** The earliest time of the next line. */
  next: number;
  unlogged: number;
  latest: LogFields;
  cancel: (() => void) | undefined;
}
