import type { EventIndex } from '../../catalogue/index.js';
import type { ConsumerRecord } from '../transports/transport.js';

/** What an envelope says of an event, before anybody looked whether it is true. */
export interface DecodedEvent {
  readonly type: string;
  /** Empty where the wire format has one name for both and the catalogue does not have it. */
  readonly version: string;
  /** Absent when the wire format has none. */
  readonly id: string | undefined;
  /** Shared by the versions of one occurrence; absent when the wire format has none. May be a getter. */
  readonly occurrenceId?: string | undefined;
  /** As on the wire, meant as RFC 3339; absent when the wire format has none. */
  readonly occurredAt: string | undefined;
  readonly payload: unknown;
}

/** Name of an event, as two fields: names are irregular and are never split. */
export interface EventKey {
  readonly type: string;
  readonly version: string;
}

/** A wire format. The specification shows none (event catalogue, general rule 4), so it is replaceable. */
export interface EnvelopeCodec {
  readonly name: string;
  /**
   * Names the event from what is cheap to read, as headers; undefined when only the body knows. Lets a consumer skip
   * an event without a handler unparsed. Fastest when the same name is the same string objects each time. A wire format
   * that has one name for type and version looks it up whole, with `catalogue.named`.
   */
  peek(record: ConsumerRecord, catalogue: EventIndex): EventKey | undefined;
  /**
   * Reads the whole record; `named` is what `peek` has answered for it.
   * @throws BusbarError `undecodable-record`, with what is wrong and where, never with what the record holds.
   */
  decode(record: ConsumerRecord, named: EventKey | undefined, catalogue: EventIndex): DecodedEvent;
}
