import type { ConsumerRecord } from '../transports/transport.js';
import { EventKeyCache } from './event-key-cache.js';
import type { DecodedEvent, EncodedEvent, EnvelopeCodec, EventKey, EventToEncode } from './envelope.js';
import { checkSameName } from './event-name.js';
import { objectOf, optionalText, parseValue, undecodable } from './json.js';

/** The default wire format: UTF-8 JSON with these members, in this order. */
export interface BusbarEnvelope {
  /** UUIDv7 (RFC 9562) of this version of the occurrence. Sorts in the order of the stream. */
  readonly id: string;
  readonly event_type: string;
  readonly version: string;
  /** Time of the occurrence, as RFC 3339 in UTC with milliseconds. */
  readonly occurred_at: string;
  readonly payload: unknown;
}

/** Names of the headers that accompany the default envelope, so that a consumer can route without parsing. */
export const envelopeHeaders = {
  type: 'event-type',
  version: 'event-version',
  id: 'event-id',
  /** Identifier that the versions of one occurrence share. */
  occurrence: 'occurrence-id',
} as const;

/** Headers by the names in {@link envelopeHeaders}. */
export type EnvelopeHeaders = Readonly<
  Record<(typeof envelopeHeaders)[keyof typeof envelopeHeaders], string>
>;

/** Returns the headers of an event. Literal names, because computed ones take four times as long. */
export function envelopeHeadersOf(
  type: string,
  version: string,
  id: string,
  occurrenceId: string,
): EnvelopeHeaders {
  return { 'event-type': type, 'event-version': version, 'event-id': id, 'occurrence-id': occurrenceId };
}

/**
 * Creates the default codec: {@link BusbarEnvelope} in the value, and optionally {@link envelopeHeaders}. A record whose
 * headers and value name different events is undecodable.
 */
export function busbarEnvelope() {
  const names = new EventKeyCache();
  return {
    name: 'busbar',
    peek(record: ConsumerRecord): EventKey | undefined {
      const type = record.headers.get(envelopeHeaders.type);
      if (type === undefined) return undefined;
      const version = record.headers.get(envelopeHeaders.version);
      return version === undefined ? undefined : names.get(type, version);
    },
    decode(record: ConsumerRecord, named: EventKey | undefined): DecodedEvent {
      const body: Partial<Record<keyof BusbarEnvelope, unknown>> = objectOf(parseValue(record));
      const { event_type: type, version, payload } = body;
      if (typeof type !== 'string' || type === '') throw undecodable('The value has no string "event_type".');
      if (typeof version !== 'string' || version === '')
        throw undecodable('The value has no string "version".');
      if (payload === undefined) throw undecodable('The value has no "payload".');
      checkSameName(named, { type, version });
      const id = optionalText(body.id, 'id');
      const occurredAt = optionalText(body.occurred_at, 'occurred_at');
      return new BusbarEvent({ type, version }, id, occurredAt, payload, record);
    },
    encode({ type, version, id, occurrenceId, occurredAt, payload }: EventToEncode): EncodedEvent {
      // JSON.stringify of the whole envelope takes a third longer.
      const name = `"event_type":${JSON.stringify(type)},"version":${JSON.stringify(version)}`;
      const about = `"id":${JSON.stringify(id)},${name},"occurred_at":${JSON.stringify(occurredAt)}`;
      return {
        value: `{${about},"payload":${JSON.stringify(payload)}}`,
        headers: envelopeHeadersOf(type, version, id, occurrenceId),
      };
    },
  } satisfies EnvelopeCodec;
}

/** Reads the header of the occurrence only on access. */
class BusbarEvent implements DecodedEvent {
  readonly type: string;
  readonly version: string;
  readonly id: string | undefined;
  readonly occurredAt: string | undefined;
  readonly payload: unknown;
  readonly #record: ConsumerRecord;

  constructor(
    { type, version }: EventKey,
    id: string | undefined,
    occurredAt: string | undefined,
    payload: unknown,
    record: ConsumerRecord,
  ) {
    this.type = type;
    this.version = version;
    this.id = id;
    this.occurredAt = occurredAt;
    this.payload = payload;
    this.#record = record;
  }

  get occurrenceId(): string | undefined {
    const header = this.#record.headers.get(envelopeHeaders.occurrence);
    return header && Buffer.from(header).toString();
  }
}
