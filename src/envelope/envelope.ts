import type { EventIndex } from '../../catalogue/index.js';
import type { ConsumerRecord } from '../transports/transport.js';

/** A decoded event before validation. */
export interface DecodedEvent {
  readonly type: string;
  /** Version. Empty if the wire format has a single name, and the catalogue does not have that name. */
  readonly version: string;
  /** Identifier of the event; undefined if the wire format has none. */
  readonly id: string | undefined;
  /** Identifier that the versions of one occurrence share; undefined if the wire format has none. May be a getter. */
  readonly occurrenceId?: string | undefined;
  /** Time of the occurrence, normally as RFC 3339; undefined if the wire format has none. */
  readonly occurredAt: string | undefined;
  readonly payload: unknown;
  /** Fields of the payload that the wire format reads. A field that the schema does not name is not part of the payload. */
  readonly envelopeFields?: readonly string[] | undefined;
}

/** Type and version of an event. Two fields, because catalogue names cannot be split reliably. */
export interface EventKey {
  readonly type: string;
  readonly version: string;
}

/** An event to encode. */
export interface EventToEncode extends EventKey {
  readonly id: string;
  readonly occurrenceId: string;
  /** Time of the occurrence, as RFC 3339 in UTC. */
  readonly occurredAt: string;
  readonly payload: unknown;
}

/** The value and the headers of a record. */
export interface EncodedEvent {
  readonly value: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** A wire format. Replaceable, because the specification shows none (event catalogue, general rule 4). */
export interface EnvelopeCodec {
  readonly name: string;
  /**
   * Returns the event's name if it is cheap to read, for example from headers, or undefined if only the body has it.
   * Lets a consumer skip an event without a handler unparsed. Fastest when equal names are the same object each time. A
   * wire format with a single name for type and version uses `catalogue.named`.
   */
  peek(record: ConsumerRecord, catalogue: EventIndex): EventKey | undefined;
  /**
   * Decodes the whole record. `named` is the result of `peek`.
   * @throws BusbarError `undecodable-record`. Its message must not quote the record.
   */
  decode(record: ConsumerRecord, named: EventKey | undefined, catalogue: EventIndex): DecodedEvent;
  /** Encodes an event, so that `decode` returns the same event. Only the emulator needs it. */
  encode?(event: EventToEncode): EncodedEvent;
  /** Returns the codec of a topic. Only a codec that differs by topic has it. */
  ofTopic?(topic: string): EnvelopeCodec;
}
