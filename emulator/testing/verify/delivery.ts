import { type BusbarEnvelope, envelopeHeaders, envelopeHeadersOf } from 'busbar';
import { quoted } from 'busbar/base';
import type { CatalogueEvent } from 'busbar/catalogue';
import { differences, listed } from '../differences.js';
import { day, formatInstant, hour, type Instant, minute, second } from '../../engine/time.js';

/** A record to send, with its event. */
export interface Sent {
  /** Index in the sequence without faults. */
  readonly nth: number;
  /** Catalogue name of the event. */
  readonly name: string;
  /** Event id. */
  readonly id: string;
  /** Virtual time of sending. */
  readonly at: Instant;
  readonly key: string | null;
  /** Index of the household or business. */
  readonly cell: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** A record that the consumer receives, with its faults. */
export interface Delivery {
  readonly sent: Sent;
  /**
   * Faults of the delivery or its handler. `restart` restarts the consumer while it handles the record; the check that
   * added another fault interprets it.
   */
  readonly faults: readonly string[];
  /** The record without faults; undefined for a record that a fault added. */
  readonly origin: Sent | undefined;
}

/** Returns an event in the default wire format. */
export function sentEvent(
  { name, type, version }: Pick<CatalogueEvent, 'name' | 'type' | 'version'>,
  payload: unknown,
  about: Pick<Sent, 'nth' | 'id' | 'at' | 'key' | 'cell'>,
): Sent {
  const { nth, id, at, key, cell } = about;
  const envelope: BusbarEnvelope = {
    id,
    event_type: type,
    version,
    occurred_at: formatInstant(at),
    payload,
  };
  const headers = envelopeHeadersOf(type, version, id, id);
  return { nth, name, id, at, key, cell, headers, bytes: Buffer.from(JSON.stringify(envelope)) };
}

/** Returns the event with a changed envelope. Its headers stay the same. */
export function withEnvelope(
  sent: Sent,
  change: (envelope: BusbarEnvelope) => Partial<BusbarEnvelope>,
): Sent {
  const envelope = JSON.parse(sent.bytes.toString()) as BusbarEnvelope;
  return { ...sent, bytes: Buffer.from(JSON.stringify({ ...envelope, ...change(envelope) })) };
}

/** Returns a record of an event that no catalogue has. */
export function asUnknownEvent(sent: Sent, payload = payloadOf(sent)): Sent {
  return sentEvent({ name: 'unknown.event-v1', type: 'unknown.event', version: 'v1' }, payload, sent);
}

export function payloadOf({ bytes }: Sent): unknown {
  return (JSON.parse(bytes.toString()) as BusbarEnvelope).payload;
}

/** Returns the pointers to changed fields of payloads as a clause, e.g. ` at "/valid_from"`; empty without a change. */
export function changesIn(deliveries: readonly Delivery[]): string {
  const pointers = deliveries.flatMap(({ sent, origin = sent }) =>
    sent === origin ? [] : differences(payloadOf(origin), payloadOf(sent)),
  );
  return pointers.length === 0 ? '' : ` at ${listed([...new Set(pointers)])}`;
}

/** Returns the id that all versions of an occurrence share. */
export function occurrenceOf({ sent }: Delivery): string {
  return sent.headers[envelopeHeaders.occurrence] ?? sent.id;
}

/**
 * Whether rows only log which events came: each version of an occurrence has one with its id, and so has every other
 * handled event, or these rows hold nothing but parts of their envelopes.
 */
export function isEventLog(
  rows: readonly (readonly unknown[])[],
  versions: readonly Delivery[],
  handled: readonly Delivery[],
): boolean {
  const rowOf = ({ sent }: Delivery) => rows.find((values) => values.includes(sent.id));
  if (!versions.every(rowOf) || new Set(versions.map(rowOf)).size < versions.length) return false;
  if (handled.length > versions.length && handled.every(rowOf)) return true;
  return versions.every((each) => rowOf(each)?.every((value) => envelopeOf(each).includes(String(value))));
}

function envelopeOf({ sent: { name, key, headers, bytes } }: Delivery): string[] {
  const { payload: _payload, ...envelope } = JSON.parse(bytes.toString()) as BusbarEnvelope;
  return [name, key, ...Object.values(headers), ...Object.values(envelope)].map(String);
}

export function untouched(sent: Sent): Delivery {
  return { sent, faults: [], origin: sent };
}

/** Returns the events without faults: each once, in order. */
export function withoutFaults(deliveries: readonly Delivery[]): Delivery[] {
  const origins = new Map<number, Sent>();
  for (const { origin } of deliveries) if (origin !== undefined) origins.set(origin.nth, origin);
  return [...origins.values()].sort((one, other) => one.nth - other.nth).map(untouched);
}

/** Returns the instant of the last delivery, or 0 without any. */
export function lastOf(deliveries: readonly Delivery[]): Instant {
  return deliveries.reduce((last, { sent }) => Math.max(last, sent.at), 0);
}

export function isFaulty({ faults }: Delivery): boolean {
  return faults.length > 0;
}

export function recordOf({ sent: { key, bytes, headers } }: Pick<Delivery, 'sent'>) {
  return { key, value: bytes, headers };
}

/** Returns a description, e.g. `"account.created-v1" (duplicate, 28 days later, restart)`. */
export function describeDelivery({ sent, faults, origin = sent }: Delivery): string {
  const [first, ...others] = faults;
  if (first === undefined) return quoted(sent.name);
  return `${quoted(sent.name)} (${[first, ...later(sent.at - origin.at), ...others].join(', ')})`;
}

/** Formats a delay in its largest unit. */
function later(delay: number): string[] {
  const unit = units.find(({ length }) => delay >= length);
  if (unit === undefined) return [];
  const count = Math.floor(delay / unit.length);
  return [`${count} ${unit.name}${count === 1 ? '' : 's'} later`];
}

const units = [
  { name: 'day', length: day },
  { name: 'hour', length: hour },
  { name: 'minute', length: minute },
  { name: 'second', length: second },
];
