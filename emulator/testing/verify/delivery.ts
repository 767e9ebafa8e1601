import type { CatalogueEvent } from '../../../catalogue/index.js';
import { type BusbarEnvelope, envelopeHeadersOf } from '../../../src/envelope/busbar.js';
import { quoted } from '../../../src/base/quoted.js';
import type { MemoryRecord } from '../../../src/transports/memory.js';
import { day, formatInstant, hour, type Instant, minute, second } from '../../engine/time.js';

/** A record with the name of its event. */
export interface Sent {
  /** Its place in the course without faults. */
  readonly nth: number;
  /** Catalogue name of the event. */
  readonly name: string;
  /** Event id. */
  readonly id: string;
  /** When it is sent. */
  readonly at: Instant;
  readonly key: string | null;
  /** The household or business that it is about. */
  readonly cell: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Something that is sent to the consumer, with what goes wrong with it on the way. */
export interface Delivery {
  readonly sent: Sent;
  /**
   * What goes wrong on the way, or with its handler. `restart`: the consumer is stopped while it works on it, and started
   * anew; what others mean is known to the check that has put them there.
   */
  readonly faults: readonly string[];
  /** What would have been sent without faults; undefined where nothing would. */
  readonly origin: Sent | undefined;
}

/** An event in the default wire format. */
export function sentEvent(
  { name, type, version }: CatalogueEvent,
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

/** The same event with another payload. */
export function withPayload(sent: Sent, change: (payload: unknown) => unknown): Sent {
  const envelope = JSON.parse(sent.bytes.toString()) as BusbarEnvelope;
  return { ...sent, bytes: Buffer.from(JSON.stringify({ ...envelope, payload: change(envelope.payload) })) };
}

export function payloadOf({ bytes }: Sent): unknown {
  return (JSON.parse(bytes.toString()) as BusbarEnvelope).payload;
}

export function untouched(sent: Sent): Delivery {
  return { sent, faults: [], origin: sent };
}

/** What the same events are without faults: each once, in order. */
export function withoutFaults(deliveries: readonly Delivery[]): Delivery[] {
  const origins = new Map<number, Sent>();
  for (const { origin } of deliveries) if (origin !== undefined) origins.set(origin.nth, origin);
  return [...origins.values()].sort((one, other) => one.nth - other.nth).map(untouched);
}

export function recordOf({ sent: { key, bytes, headers } }: Delivery): MemoryRecord {
  return { key, value: bytes, headers };
}

/** `"account.created-v1" (duplicate, 28 days later, restart)` */
export function describeDelivery({ sent, faults, origin = sent }: Delivery): string {
  const [first, ...others] = faults;
  if (first === undefined) return quoted(sent.name);
  return `${quoted(sent.name)} (${[first, ...later(sent.at - origin.at), ...others].join(', ')})`;
}

/** In the largest unit of which there is one: whether a consumer remembers for hours or for weeks may be the matter. */
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
