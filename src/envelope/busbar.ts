import type { ConsumerRecord } from '../transports/transport.js';
import { EventKeyCache } from './event-key-cache.js';
import type { DecodedEvent, EnvelopeCodec, EventKey } from './envelope.js';
import { objectOf, optionalText, parseJson, undecodable } from './json.js';
import { quoted } from '../base/quoted.js';

/** The default wire format: UTF-8 JSON with these members, in this order. */
export interface BusbarEnvelope {
  /** UUIDv7 (RFC 9562), unique to the occurrence and version; sorts as the stream does. */
  readonly id: string;
  readonly event_type: string;
  readonly version: string;
  /** RFC 3339 with milliseconds, UTC. */
  readonly occurred_at: string;
  readonly payload: unknown;
}

/** Headers that accompany the default envelope, so that a consumer can route without parsing. */
export const envelopeHeaders = {
  type: 'event-type',
  version: 'event-version',
  id: 'event-id',
  /** Shared by the versions of one occurrence. */
  occurrence: 'occurrence-id',
} as const;

export type EnvelopeHeaders = Readonly<
  Record<(typeof envelopeHeaders)[keyof typeof envelopeHeaders], string>
>;

/** The headers of an event. Their names are written out: that makes an object four times as fast as looking them up. */
export function envelopeHeadersOf(
  type: string,
  version: string,
  id: string,
  occurrenceId: string,
): EnvelopeHeaders {
  return { 'event-type': type, 'event-version': version, 'event-id': id, 'occurrence-id': occurrenceId };
}

/**
 * The default codec: {@link BusbarEnvelope} in the value, named by {@link envelopeHeaders} where they are present.
 * Headers that name another event than the value make the record undecodable: one of the two lies.
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
      const body: Partial<Record<keyof BusbarEnvelope, unknown>> = objectOf(parseJson(record.value));
      const { event_type: type, version, payload } = body;
      if (typeof type !== 'string' || type === '') throw undecodable('Its value has no text "event_type".');
      if (typeof version !== 'string' || version === '')
        throw undecodable('Its value has no text "version".');
      if (payload === undefined) throw undecodable('Its value has no "payload".');
      if (named !== undefined && (named.type !== type || named.version !== version)) {
        throw undecodable(`Its headers name ${nameOf(named)}, but its value ${nameOf({ type, version })}.`);
      }
      const id = optionalText(body.id, 'id');
      const occurredAt = optionalText(body.occurred_at, 'occurred_at');
      return new BusbarEvent({ type, version }, id, occurredAt, payload, record);
    },
  } satisfies EnvelopeCodec;
}

/** Only those who ask for the occurrence pay for reading its header. */
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

function nameOf({ type, version }: EventKey): string {
  return `${quoted(type)} ${quoted(version)}`;
}
