import {
  type BusbarEnvelope,
  type EncodedEvent,
  type EnvelopeCodec,
  type EventToEncode,
  recordHeaders,
} from 'busbar';
import { BusbarError, memoized, quoted } from 'busbar/base';
import { openCatalogue } from 'busbar/catalogue';
import type { OutgoingEvent } from './outgoing-event.js';
import { eventTopic, type Sink } from './sink.js';

type Encoding = EnvelopeCodec & Required<Pick<EnvelopeCodec, 'encode'>>;

/**
 * Returns sinks that send each event in an envelope, or the sinks themselves without one. Each event is encoded once for
 * all sinks of a topic. Recordings and faults keep Busbar's own envelope.
 * @throws BusbarError `invalid-option` for a codec that does not encode
 */
export function inEnvelope(sinks: readonly Sink[], codec: EnvelopeCodec | undefined): readonly Sink[] {
  if (codec === undefined) return sinks;
  const encodedIn = memoized((topic: string) => {
    const encoding = encodingOf(codec, topic);
    const events = new WeakMap<OutgoingEvent, OutgoingEvent>();
    return (event: OutgoingEvent) => {
      const encoded = events.get(event) ?? encode(event, encoding);
      events.set(event, encoded);
      return encoded;
    };
  });
  encodedIn(eventTopic);
  return sinks.map((sink) => ({
    name: sink.name,
    ...(sink.batchSize !== undefined && { batchSize: sink.batchSize }),
    write: (events) =>
      sink.write(events.map((event) => encodedIn(sink.topicOf?.(event) ?? eventTopic)(event))),
    begin: () => sink.begin?.(),
    end: () => sink.end(),
    close: () => sink.close(),
  }));
}

/** Puts records into an envelope. */
export type RecordEncoder = <R extends EncodedEvent>(record: R) => R;

/**
 * Returns a function that puts a record of Busbar's own envelope into another. The headers stay, because they name the
 * event in results. A corrupted record stays.
 * @throws BusbarError `invalid-option` for a codec that does not encode
 */
export function recordsIn(codec: EnvelopeCodec | undefined): RecordEncoder {
  if (codec === undefined) return (record) => record;
  const encode = contentsIn(codec);
  return (record) => {
    const { value, headers } = encode(record);
    return { ...record, value, headers: { ...record.headers, ...headers } };
  };
}

/**
 * Returns a function that puts the content of a record into another envelope, as the broker has it. A corrupted one stays.
 * @throws BusbarError `invalid-option` for a codec that does not encode
 */
export function contentsIn(codec: EnvelopeCodec | undefined): (content: EncodedEvent) => EncodedEvent {
  if (codec === undefined) return (content) => content;
  const encoding = encodingOf(codec, eventTopic);
  return (content) => {
    let envelope: BusbarEnvelope;
    try {
      envelope = JSON.parse(Buffer.from(content.value as string).toString()) as BusbarEnvelope;
    } catch {
      return content;
    }
    return encoding.encode(eventIn(envelope, content.headers));
  };
}

function encodingOf(codec: EnvelopeCodec, topic: string): Encoding {
  const found = codec.ofTopic?.(topic) ?? codec;
  if (found.encode !== undefined) return found as Encoding;
  const message = `Envelope ${quoted(found.name)} cannot be sent. Give its codec the method "encode".`;
  throw new BusbarError('invalid-option', message);
}

/**
 * Rejects an envelope with parts in headers, for a sink that sends values only. The type of the content may be lost.
 * @throws BusbarError `invalid-option`
 */
export function requireInValue(codec: EnvelopeCodec, sink: string): void {
  const catalogue = openCatalogue();
  const [{ type, version } = { type: '', version: '' }] = catalogue.events;
  const { value, headers } = encodingOf(codec, eventTopic).encode({ ...sample, type, version });
  const { 'content-type': contentType } = headers;
  const left = contentType === undefined ? {} : { 'content-type': contentType };
  const record = {
    topic: eventTopic,
    partition: 0,
    offset: 0,
    timestamp: 0,
    key: null,
    value: Buffer.from(value),
  };
  try {
    codec.decode({ ...record, headers: recordHeaders(left) }, undefined, catalogue);
  } catch {
    const problem = `"--to ${sink}" sends no headers, but the envelope needs them.`;
    throw new BusbarError('invalid-option', `${problem} Choose another envelope, or another sink.`);
  }
}

const sample: Omit<EventToEncode, 'type' | 'version'> = {
  id: '019a0000-0000-7000-8000-000000000000',
  occurrenceId: '019a0000-0000-7000-8000-000000000000',
  occurredAt: '2026-03-01T00:00:00.000Z',
  payload: {},
};

function encode(emission: OutgoingEvent, codec: Encoding): OutgoingEvent {
  const { envelope, bytes, headers, faults } = emission;
  const encoded = codec.encode(eventIn(envelope, headers));
  const value = Buffer.from(encoded.value as string);
  return {
    ...emission,
    bytes: faults.includes('corrupt') ? corruptedLike(bytes, value) : value,
    headers: encoded.headers,
    original: { bytes, headers },
  };
}

function eventIn(
  { id, event_type: type, version, occurred_at: occurredAt, payload }: BusbarEnvelope,
  headers: EncodedEvent['headers'],
): EventToEncode {
  const occurrenceId = headers['occurrence-id'] ?? id;
  // A recording lacks the payload of an event that a fault made unreadable.
  return { type, version, id, occurrenceId, occurredAt, payload: payload ?? null };
}

/** Applies the fault of other bytes: another first byte, or the loss of all but a few. */
function corruptedLike(other: Buffer, bytes: Buffer): Buffer {
  if (other[0] === 0) bytes[0] = 0;
  return other[0] === 0 ? bytes : bytes.subarray(0, Math.min(other.length, bytes.length - 1));
}
