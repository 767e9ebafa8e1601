import type { Catalogue, CatalogueEvent } from '../../catalogue/index.js';
import { type BusbarEnvelope, envelopeHeaders } from '../../src/envelope/busbar.js';
import { BusbarError } from '../../src/errors.js';
import type { Ordering } from '../engine/identity.js';
import type { Occurred } from '../engine/simulation.js';
import { formatInstant } from '../engine/time.js';
import type { Emission } from './emission.js';

/** Turns what occurred into what is sent: one emission for each version. */
export type Encoder = (occurred: Occurred) => Promise<Emission[]>;

/**
 * An encoder that vouches for what it lets through: every payload is valid by the catalogue.
 * @throws BusbarError `scenario-failed` for an invalid payload; names scenario, step, event and JSON pointer.
 */
export function encoder(catalogue: Catalogue, ordering: Ordering): Encoder {
  return async (occurred) => {
    const { at, place, occurrence } = occurred;
    const occurrenceId = ordering.eventId(at, place, occurred.number);
    const emissions: Emission[] = [];
    for (const { version, payload } of occurrence.versions) {
      const event = known(catalogue, occurrence.type, version, occurred);
      const valid = catalogue.loadedValidator(event) ?? (await catalogue.validator(event));
      if (!valid(payload)) await reject(catalogue, event, payload, occurred);
      const envelope: BusbarEnvelope = {
        id: ordering.eventId(at, place, occurred.number + emissions.length),
        event_type: event.type,
        version: event.version,
        occurred_at: formatInstant(at),
        payload,
      };
      emissions.push({
        envelope,
        bytes: Buffer.from(JSON.stringify(envelope)),
        headers: {
          [envelopeHeaders.type]: event.type,
          [envelopeHeaders.version]: event.version,
          [envelopeHeaders.id]: envelope.id,
          [envelopeHeaders.occurrence]: occurrenceId,
        },
        key: occurrence.key,
        at,
        cell: occurred.cell,
        instance: occurred.instance,
        step: occurred.step,
        faults: [],
      });
    }
    return emissions;
  };
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
