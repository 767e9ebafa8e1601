import { type EnvelopeCodec, type EventToEncode, recordHeaders } from 'busbar';
import { BusbarError, quoted } from 'busbar/base';
import { type Catalogue, openCatalogue } from 'busbar/catalogue';
import type { OutgoingEvent } from './outgoing-event.js';
import type { Sink } from './sink.js';

type Encoding = EnvelopeCodec & Required<Pick<EnvelopeCodec, 'encode'>>;

/**
 * Returns sinks that send each event in an envelope, or the sinks themselves without one. Each event is encoded once for
 * all sinks. Recordings and faults keep Busbar's own envelope.
 * @throws BusbarError `invalid-option` for a codec that does not encode
 */
export function inEnvelope(sinks: readonly Sink[], codec: EnvelopeCodec | undefined): readonly Sink[] {
  if (codec === undefined) return sinks;
  const encoding = requireEncoding(codec);
  let last: readonly OutgoingEvent[] | undefined;
  let encoded: readonly OutgoingEvent[] = [];
  const encodedOnce = (emissions: readonly OutgoingEvent[]) => {
    if (emissions !== last) {
      last = emissions;
      encoded = emissions.map((emission) => encode(emission, encoding));
    }
    return encoded;
  };
  return sinks.map((sink) => ({
    name: sink.name,
    ...(sink.batchSize !== undefined && { batchSize: sink.batchSize }),
    write: (emissions) => sink.write(encodedOnce(emissions)),
    begin: () => sink.begin?.(),
    end: () => sink.end(),
    close: () => sink.close(),
  }));
}

function requireEncoding(codec: EnvelopeCodec): Encoding {
  if (codec.encode !== undefined) return codec as Encoding;
  const message = `Envelope ${quoted(codec.name)} cannot be sent. Give its codec the method "encode".`;
  throw new BusbarError('invalid-option', message);
}

/**
 * Rejects an envelope with parts in headers, for a sink that sends values only. The type of the content may be lost.
 * @throws BusbarError `invalid-option`
 */
export function requireInValue(
  codec: EnvelopeCodec,
  sink: string,
  catalogue: Catalogue = openCatalogue(),
): void {
  const [{ type, version } = { type: '', version: '' }] = catalogue.events;
  const { value, headers } = requireEncoding(codec).encode({ ...sample, type, version });
  const { 'content-type': contentType } = headers;
  const left = contentType === undefined ? {} : { 'content-type': contentType };
  const record = { topic: '', partition: 0, offset: 0, timestamp: 0, key: null, value: Buffer.from(value) };
  try {
    codec.decode({ ...record, headers: recordHeaders(left) }, undefined, catalogue);
  } catch {
    const problem = `"--to ${sink}" sends no headers, but envelope ${quoted(codec.name)} needs them.`;
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
  const { id, event_type: type, version, occurred_at: occurredAt, payload } = envelope;
  const occurrenceId = headers['occurrence-id'] ?? id;
  // A recording lacks the payload of an event that a fault made unreadable.
  const event = { type, version, id, occurrenceId, occurredAt, payload: payload ?? null };
  const encoded = codec.encode(event);
  const value = Buffer.from(encoded.value as string);
  return {
    ...emission,
    bytes: faults.includes('corrupt') ? corruptedLike(bytes, value) : value,
    headers: encoded.headers,
    original: { bytes, headers },
  };
}

/** Applies the fault of other bytes: another first byte, or the loss of all but a few. */
function corruptedLike(other: Buffer, bytes: Buffer): Buffer {
  if (other[0] === 0) bytes[0] = 0;
  return other[0] === 0 ? bytes : bytes.subarray(0, Math.min(other.length, bytes.length - 1));
}
