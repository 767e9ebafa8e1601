import type { Catalogue, CatalogueEvent } from '../../catalogue/index.js';
import { type BusbarEnvelope, envelopeHeadersOf } from '../../src/envelope/busbar.js';
import { BusbarError } from '../../src/base/errors.js';
import type { Ordering } from '../engine/identity.js';
import type { Occurrence } from '../engine/scenario.js';
import type { Occurred } from '../engine/simulation.js';
import { formatInstant } from '../engine/time.js';
import type { Emission } from './emission.js';

/** Turns what occurred into what is sent: one emission for each version. A promise only while validators load. */
export type Encoder = (occurred: Occurred) => Emission[] | Promise<Emission[]>;

/** Which versions of an occurrence are sent: all that it has, side by side, or the newest alone. */
export type SentVersions = 'all' | 'latest';

/**
 * An encoder that vouches for what it lets through: every payload is valid by the catalogue. The ids of events do not
 * depend on which versions are sent.
 * @throws BusbarError `scenario-failed` for an invalid payload; names scenario, step, event and JSON pointer.
 */
export function encoder(catalogue: Catalogue, ordering: Ordering, sent: SentVersions = 'all'): Encoder {
  const asJson = rememberedNames();
  const finish = (occurred: Occurred) => {
    const emissions = encode(occurred, ordering, asJson);
    return sent === 'all' || emissions.length < 2 ? emissions : newest(catalogue, emissions);
  };
  return (occurred) => {
    const { type, versions, asIs } = occurred.occurrence;
    if (asIs) return encode(occurred, ordering, namesAsJson);
    for (const { version, payload } of versions) {
      const isValid = catalogue.loadedValidator(known(catalogue, type, version, occurred))?.(payload);
      // Rare: the first of its kind, or one that is about to be refused.
      if (isValid !== true) return check(catalogue, occurred).then(() => finish(occurred));
    }
    return finish(occurred);
  };
}

/** The one whose version the catalogue lists last. */
function newest(catalogue: Catalogue, emissions: readonly Emission[]): Emission[] {
  const order = catalogue.versionsOf(emissions[0]?.envelope.event_type ?? '');
  const rank = ({ envelope }: Emission) => order.indexOf(envelope.version);
  return [emissions.reduce((last, each) => (rank(each) > rank(last) ? each : last))];
}

/** The emissions of an occurrence whose payloads are valid. */
function encode(occurred: Occurred, ordering: Ordering, asJson: AsJson): Emission[] {
  const { at, place, number, occurrence } = occurred;
  const occurrenceId = ordering.eventId(at, place, number);
  return occurrence.versions.map((versioned, index) => {
    const id = index === 0 ? occurrenceId : ordering.eventId(at, place, number + index);
    return emission(occurred, versioned, id, occurrenceId, asJson);
  });
}

function emission(
  { at, occurrence: { type, key }, cell, instance, step, branches }: Occurred,
  { version, payload }: Occurrence['versions'][number],
  id: string,
  occurrenceId: string,
  asJson: AsJson,
): Emission {
  const occurredAt = formatInstant(at);
  const envelope: BusbarEnvelope = { id, event_type: type, version, occurred_at: occurredAt, payload };
  const headers = envelopeHeadersOf(type, version, id, occurrenceId);
  // The envelope's own part written out: JSON.stringify of it all takes a third longer.
  const bytes = Buffer.from(
    `{"id":"${id}",${asJson(type, version)},"occurred_at":"${occurredAt}","payload":${JSON.stringify(payload)}}`,
  );
  return { envelope, bytes, headers, key, at, cell, instance, step, faults: none, branches };
}

/** Type and version, as members of the envelope. */
type AsJson = (type: string, version: string) => string;

const namesAsJson: AsJson = (type, version) =>
  `"event_type":${JSON.stringify(type)},"version":${JSON.stringify(version)}`;

/** Each pair of names is written once: only for those of the catalogue, which are a few hundred. */
function rememberedNames(): AsJson {
  const types = new Map<string, Map<string, string>>();
  return (type, version) => {
    let versions = types.get(type);
    if (versions === undefined) types.set(type, (versions = new Map<string, string>()));
    let text = versions.get(version);
    if (text === undefined) versions.set(version, (text = namesAsJson(type, version)));
    return text;
  };
}

const none: readonly string[] = [];

/** Loads the validators of an occurrence and asks them. */
async function check(catalogue: Catalogue, occurred: Occurred): Promise<void> {
  const { type, versions } = occurred.occurrence;
  for (const { version, payload } of versions) {
    const event = known(catalogue, type, version, occurred);
    const isValid = await catalogue.validator(event);
    if (!isValid(payload)) await reject(catalogue, event, payload, occurred);
  }
}

function known(catalogue: Catalogue, type: string, version: string, occurred: Occurred): CatalogueEvent {
  const event = catalogue.find(type, version);
  if (event !== undefined) return event;
  const versions = catalogue.versionsOf(type);
  const hint =
    versions.length > 0
      ? `"${type}" has ${versions.map((known) => `"${known}"`).join(', ')}.`
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
  occurred: Occurred,
): Promise<never> {
  const violations = await catalogue.explain(event, payload);
  const listed = violations.slice(0, 5).map(({ pointer, message }) => `"${pointer}" ${message}`);
  throw new BusbarError(
    'scenario-failed',
    `${where(occurred)} emits an invalid "${event.name}": ${listed.join('; ')}.`,
  );
}

function where({ instance, step, cell }: Occurred): string {
  return `Scenario instance "${instance}" in cell ${cell}, step "${step}",`;
}
