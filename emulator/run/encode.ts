import { type BusbarEnvelope, busbarEnvelope } from 'busbar';
import { BusbarError } from 'busbar/base';
import type { Catalogue, CatalogueEvent } from 'busbar/catalogue';
import type { Ordering } from '../engine/identity.js';
import type { Occurrence } from '../engine/scenario.js';
import type { TimedOccurrence } from '../engine/simulation.js';
import { formatInstant } from '../engine/time.js';
import type { OutgoingEvent } from './outgoing-event.js';

/** Encodes an occurrence as one event per version. Returns a promise only while validators load. */
export type Encoder = (occurred: TimedOccurrence) => OutgoingEvent[] | Promise<OutgoingEvent[]>;

/** Versions of an occurrence that are sent: all of them, or only the newest. */
export type SentVersions = 'all' | 'latest';

/**
 * Returns an encoder that validates every payload. Event ids don't depend on the sent versions. The encoder throws
 * `scenario-failed` for an invalid payload, with scenario, step, event and JSON pointer.
 */
export function encoder(catalogue: Catalogue, ordering: Ordering, sent: SentVersions = 'all'): Encoder {
  const finish = (occurred: TimedOccurrence) => {
    const emissions = encode(occurred, ordering);
    return sent === 'all' || emissions.length < 2 ? emissions : newest(catalogue, emissions);
  };
  return (occurred) => {
    const { type, versions, asIs } = occurred.occurrence;
    if (asIs) return encode(occurred, ordering);
    for (const { version, payload } of versions) {
      const isValid = catalogue.loadedValidator(requireEvent(catalogue, type, version, occurred))?.(payload);
      // Rare: the validator isn't loaded yet, or the payload is invalid.
      if (isValid !== true) return check(catalogue, occurred).then(() => finish(occurred));
    }
    return finish(occurred);
  };
}

/** Returns the event with the version that the catalogue lists last. */
function newest(catalogue: Catalogue, emissions: readonly OutgoingEvent[]): OutgoingEvent[] {
  const order = catalogue.versionsOf(emissions[0]?.envelope.event_type ?? '');
  const rank = ({ envelope }: OutgoingEvent) => order.indexOf(envelope.version);
  return [emissions.reduce((last, each) => (rank(each) > rank(last) ? each : last))];
}

function encode(occurred: TimedOccurrence, ordering: Ordering): OutgoingEvent[] {
  const { at, rank, number, occurrence } = occurred;
  const occurrenceId = ordering.eventId(at, rank, number);
  return occurrence.versions.map((versioned, index) => {
    const id = index === 0 ? occurrenceId : ordering.eventId(at, rank, number + index);
    return emission(occurred, versioned, id, occurrenceId);
  });
}

function emission(
  { at, occurrence: { type, key }, cell, instance, step, branches }: TimedOccurrence,
  { version, payload }: Occurrence['versions'][number],
  id: string,
  occurrenceId: string,
): OutgoingEvent {
  const occurredAt = formatInstant(at);
  const envelope: BusbarEnvelope = { id, event_type: type, version, occurred_at: occurredAt, payload };
  const { value, headers } = busbar.encode({ type, version, id, occurrenceId, occurredAt, payload });
  const bytes = Buffer.from(value);
  return { envelope, bytes, headers, key, at, cell, instance, step, faults: none, branches };
}

const none: readonly string[] = [];
const busbar = busbarEnvelope();

async function check(catalogue: Catalogue, occurred: TimedOccurrence): Promise<void> {
  const { type, versions } = occurred.occurrence;
  for (const { version, payload } of versions) {
    const event = requireEvent(catalogue, type, version, occurred);
    const isValid = await catalogue.validator(event);
    if (!isValid(payload)) await reject(catalogue, event, payload, occurred);
  }
}

function requireEvent(
  catalogue: Catalogue,
  type: string,
  version: string,
  occurred: TimedOccurrence,
): CatalogueEvent {
  const event = catalogue.find(type, version);
  if (event !== undefined) return event;
  const versions = catalogue.versionsOf(type);
  const hint =
    versions.length > 0
      ? `"${type}" has ${versions.map((each) => `"${each}"`).join(', ')}.`
      : 'Add its schema to the catalogue, or correct the name.';
  throw new BusbarError(
    'scenario-failed',
    `${where(occurred)} emits "${type}" "${version}", which is not in the catalogue. ${hint}`,
  );
}

async function reject(
  catalogue: Catalogue,
  event: CatalogueEvent,
  payload: unknown,
  occurred: TimedOccurrence,
): Promise<never> {
  const violations = await catalogue.explain(event, payload);
  const listed = violations.slice(0, 5).map(({ pointer, message }) => `"${pointer || 'payload'}" ${message}`);
  throw new BusbarError(
    'scenario-failed',
    `${where(occurred)} emits an invalid "${event.name}": ${listed.join('; ')}.`,
  );
}

function where({ instance, step, cell }: TimedOccurrence): string {
  return `Scenario instance "${instance}" in cell ${cell}, step "${step}",`;
}
