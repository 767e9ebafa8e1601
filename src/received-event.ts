import type { CatalogueEvent } from '../catalogue/index.js';
import type { DecodedEvent } from './envelope/envelope.js';
import type { AnyEvent } from './event.js';
import type { ConsumerRecord } from './transports/transport.js';

/** An event as it arrived. Reads the occurrence id only on access: most handlers do not need it. */
export class ReceivedEvent implements AnyEvent {
  readonly id: string | undefined;
  readonly type: string;
  readonly version: string;
  readonly occurredAt: string | undefined;
  readonly payload: unknown;
  readonly record: ConsumerRecord;
  readonly #decoded: DecodedEvent;

  constructor(
    { type, version }: CatalogueEvent,
    decoded: DecodedEvent,
    payload: unknown,
    record: ConsumerRecord,
  ) {
    this.id = decoded.id;
    this.type = type;
    this.version = version;
    this.occurredAt = decoded.occurredAt;
    this.payload = payload;
    this.record = record;
    this.#decoded = decoded;
  }

  get occurrenceId(): string | undefined {
    return this.#decoded.occurrenceId;
  }
}
