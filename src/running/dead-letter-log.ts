import type { Clock } from '../base/clock.js';
import type { Letter } from './letter.js';
import type { LogFields, Logger } from '../base/logger.js';
import type { ConsumerRecord } from '../transports/transport.js';

/** In milliseconds. */
const interval = 1_000;

/**
 * Logs records that became dead letters without an attempt, each kind at most once a second. A kind is an error code of
 * an event. The next line of the kind has the number of those that were not logged.
 */
export class DeadLetterLog {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #kinds = new Map<string, Kind>();

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  add({ topic, partition, offset }: ConsumerRecord, { cause, error }: Letter): void {
    const { code, event, handler } = cause;
    const fields = { code, event, handler, topic, partition, offset, error: error.message };
    // A stream of names that are in no catalogue is one kind: it must fill neither memory nor the log.
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
    kind.cancel ??= this.#clock.schedule(kind.next - now, () => this.#catchUp(kind));
  }

  /** Logs what waits for its second to end. */
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
    this.#write({ ...latest, unlogged: unlogged - 1 });
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
