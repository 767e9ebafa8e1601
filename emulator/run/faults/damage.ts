import type { Catalogue, Validator } from '../../../catalogue/index.js';
import { type BusbarEnvelope, envelopeHeaders } from '../../../src/envelope/busbar.js';
import type { Emission } from '../emission.js';
import type { Decisions } from './decide.js';
import type { FaultName } from './settings.js';
import { spoilPayload } from './spoil-payload.js';

/** What a fault was done with: numbers, names and pointers, never values of a payload. */
export type FaultParameters = Readonly<Record<string, string | number>>;

/** What a fault makes of an event; undefined when it can do nothing to it. */
export type Damage = (
  emission: Emission,
  catalogue: Catalogue,
  decisions: Decisions,
) => { readonly emission: Emission; readonly parameters: FaultParameters } | undefined;

/** Every envelope has more bytes; a cut that went by its length would be another with other faults. */
const shortest = 100;

/**
 * The faults that change what is sent, in the order in which they are done: those that need the event's schema come
 * before those that take its name away. Each leaves the others' choices alone.
 */
export const damages = {
  invalid: (emission, catalogue, decisions) => {
    const { id, payload } = emission.envelope;
    const isValid = validatorOf(emission, catalogue);
    const spoiled = isValid && spoilPayload(payload, isValid, decisions.draw('invalid', id, 'place'));
    if (spoiled === undefined) return undefined;
    const { pointer, how } = spoiled;
    return { emission: encoded(emission, { payload: spoiled.payload }), parameters: { pointer, how } };
  },
  'extra-field': (emission, catalogue) => {
    const { payload } = emission.envelope;
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return undefined;
    const extended = { ...payload, [extraField]: 'added' };
    // Tolerance is about valid payloads: a schema that closes its objects has no extra fields.
    const isValid = validatorOf(emission, catalogue);
    if (isValid !== undefined && isValid(payload) && !isValid(extended)) return undefined;
    return { emission: encoded(emission, { payload: extended }), parameters: { pointer: `/${extraField}` } };
  },
  'unknown-event': (emission, catalogue) => {
    let type = emission.envelope.event_type;
    do type += '.unannounced';
    while (catalogue.versionsOf(type).length > 0);
    return { emission: renamed(emission, { event_type: type }), parameters: { event_type: type } };
  },
  'unknown-version': (emission, catalogue) => {
    const { event_type: type } = emission.envelope;
    let number = 99;
    while (catalogue.find(type, `v${number}`) !== undefined) number++;
    const version = `v${number}`;
    return { emission: renamed(emission, { version }), parameters: { version } };
  },
  corrupt: (emission, _catalogue, decisions) => {
    const { id } = emission.envelope;
    // A JSON object without its end, or with another beginning, is no JSON.
    if (decisions.draw('corrupt', id, 'how') < 0.5) {
      const kept = Math.floor(decisions.draw('corrupt', id, 'kept') * shortest);
      const bytes = emission.bytes.subarray(0, kept);
      return { emission: { ...emission, bytes }, parameters: { how: 'truncated', bytes: kept } };
    }
    const bytes = Buffer.from(emission.bytes);
    bytes[0] = 0x00;
    return { emission: { ...emission, bytes }, parameters: { how: 'garbled', byte: 0 } };
  },
} satisfies Partial<Record<FaultName, Damage>>;

export const extraField = 'busbar_extra_field';

function validatorOf({ envelope }: Emission, catalogue: Catalogue): Validator | undefined {
  const event = catalogue.find(envelope.event_type, envelope.version);
  return event && catalogue.loadedValidator(event);
}

function renamed(
  emission: Emission,
  name: Partial<Pick<BusbarEnvelope, 'event_type' | 'version'>>,
): Emission {
  const changed = encoded(emission, name);
  const { event_type: type, version } = changed.envelope;
  return {
    ...changed,
    headers: { ...emission.headers, [envelopeHeaders.type]: type, [envelopeHeaders.version]: version },
  };
}

function encoded(emission: Emission, members: Partial<BusbarEnvelope>): Emission {
  const envelope = { ...emission.envelope, ...members };
  return { ...emission, envelope, bytes: Buffer.from(JSON.stringify(envelope)) };
}
