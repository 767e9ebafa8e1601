import { type BusbarEnvelope, envelopeHeaders } from 'busbar';
import { memberPointer } from 'busbar/base';
import type { Catalogue, Validator } from 'busbar/catalogue';
import type { OutgoingEvent } from '../outgoing-event.js';
import type { Decisions } from './decide.js';
import type { FaultName } from './settings.js';

/** Parameters of an injected fault: numbers, names and pointers, never values of a payload. */
export type FaultParameters = Readonly<Record<string, string | number>>;

/** Returns the event with a fault, or undefined if the fault does not apply to it. */
type Corruption = (
  emission: OutgoingEvent,
  catalogue: Catalogue,
  decisions: Decisions,
) => { readonly emission: OutgoingEvent; readonly parameters: FaultParameters } | undefined;

/** Maximum bytes of a truncated event, fewer than any envelope has, so that the cut is independent of other faults. */
const maxTruncated = 100;

/**
 * Faults that change the event, in the order of their injection. Faults that need the event's schema come before those that
 * change its name. The draws of each fault are independent of the others.
 */
export const corruptions = {
  invalid: (emission, catalogue, decisions) => {
    const { id, payload } = emission.envelope;
    const isValid = validatorOf(emission, catalogue);
    const corrupted = isValid && corruptPayload(payload, isValid, decisions.draw('invalid', id, 'place'));
    if (corrupted === undefined) return undefined;
    const { pointer, how } = corrupted;
    return { emission: encoded(emission, { payload: corrupted.payload }), parameters: { pointer, how } };
  },
  'extra-field': (emission, catalogue) => {
    const { payload } = emission.envelope;
    if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return undefined;
    const extended = { ...payload, [extraField]: 'added' };
    // The payload must stay valid: a closed object allows no extra field.
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
    // A JSON object without its end, or with another first byte, isn't JSON.
    if (decisions.draw('corrupt', id, 'how') < 0.5) {
      const kept = Math.floor(decisions.draw('corrupt', id, 'kept') * maxTruncated);
      const bytes = emission.bytes.subarray(0, kept);
      return { emission: { ...emission, bytes }, parameters: { how: 'truncated', bytes: kept } };
    }
    const bytes = Buffer.from(emission.bytes);
    bytes[0] = 0x00;
    return { emission: { ...emission, bytes }, parameters: { how: 'garbled', byte: 0 } };
  },
} satisfies Partial<Record<FaultName, Corruption>>;

const extraField = 'busbar_extra_field';

function validatorOf({ envelope }: OutgoingEvent, catalogue: Catalogue): Validator | undefined {
  const event = catalogue.find(envelope.event_type, envelope.version);
  return event && catalogue.loadedValidator(event);
}

function renamed(
  emission: OutgoingEvent,
  name: Partial<Pick<BusbarEnvelope, 'event_type' | 'version'>>,
): OutgoingEvent {
  const changed = encoded(emission, name);
  const { event_type: type, version } = changed.envelope;
  return {
    ...changed,
    headers: { ...emission.headers, [envelopeHeaders.type]: type, [envelopeHeaders.version]: version },
  };
}

function encoded(emission: OutgoingEvent, members: Partial<BusbarEnvelope>): OutgoingEvent {
  const envelope = { ...emission.envelope, ...members };
  return { ...emission, envelope, bytes: Buffer.from(JSON.stringify(envelope)) };
}

/**
 * Returns an invalid copy of a payload, with one value removed or of another type. Tries the values in turn, from the one that
 * `draw` (in [0, 1)) selects, and the JSON pointer (RFC 6901) of the value. Returns undefined if the schema allows every change.
 */
function corruptPayload(payload: unknown, isValid: (payload: unknown) => boolean, draw: number) {
  const ways = targetsIn(payload).flatMap((target) => [
    { ...target, how: 'missing' as const },
    { ...target, how: 'wrong-type' as const },
  ]);
  const start = Math.floor(draw * ways.length);
  for (const { path, key, how } of [...ways.slice(start), ...ways.slice(0, start)]) {
    const copy = structuredClone(payload);
    const holder = path.reduce(member, copy);
    if (how === 'wrong-type') (holder as Record<string, unknown>)[key] = otherType(member(holder, key));
    else if (Array.isArray(holder)) continue;
    else Reflect.deleteProperty(holder as object, key);
    if (!isValid(copy)) return { payload: copy, pointer: [...path, key].reduce(memberPointer, ''), how };
  }
  return undefined;
}

/** A member of an object or an item of an array. */
interface Target {
  /** Keys from the payload to the object or array. */
  readonly path: readonly string[];
  readonly key: string;
}

/** Maximum depth of values, above that of the catalogue's schemas. */
const maxDepth = 6;

function targetsIn(value: unknown, path: readonly string[] = []): Target[] {
  if (typeof value !== 'object' || value === null || path.length > maxDepth) return [];
  return Object.entries(value).flatMap(([key, each]) => [{ path, key }, ...targetsIn(each, [...path, key])]);
}

function member(value: unknown, key: string): unknown {
  return (value as Record<string, unknown>)[key];
}

function otherType(value: unknown): unknown {
  return typeof value === 'number' ? 'not a number' : 0;
}
