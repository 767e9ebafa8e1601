import { stepsOf } from '../base/json-pointer.js';
import { matching, type OptionTable, readOptions } from '../base/options.js';
import { quoted } from '../base/errors.js';
import type { ConsumerRecord } from '../transports/transport.js';
import type { DecodedEvent, EncodedEvent, EnvelopeCodec, EventKey } from './envelope.js';
import { EventKeyCache } from './event-key-cache.js';
import { nameFrom } from './event-name.js';
import { parseJson, parseValue, undecodable } from './json.js';

/**
 * The parts of a record that contain the parts of an event. Each is a JSON pointer into the value, for example
 * `/meta/type`, or `header:` and the name of a header.
 */
export interface EnvelopePaths {
  readonly type: string;
  /** Without it, `type` is a catalogue name. */
  readonly version?: string;
  /** JSON pointer; an empty one is the whole value. A string there is read as JSON. */
  readonly payload: string;
  readonly id?: string;
  /** Identifier that the versions of one occurrence share. */
  readonly occurrenceId?: string;
  readonly occurredAt?: string;
}

const headerPrefix = 'header:';
const pathType = matching(
  /^(header:.+|(\/([^~/]|~[01])*)+)$/s,
  'a JSON pointer, for example "/meta/type", or "header:" and a name',
);
const pointerType = matching(
  /^(\/([^~/]|~[01])*)*$/s,
  'a JSON pointer, for example "/data", or an empty string',
);

export const envelopePaths = {
  type: { type: pathType, isRequired: true },
  version: { type: pathType },
  payload: { type: pointerType, isRequired: true },
  id: { type: pathType },
  occurrenceId: { type: pathType },
  occurredAt: { type: pathType },
} satisfies OptionTable<EnvelopePaths>;

/**
 * Creates a codec for events whose parts are in headers and JSON members. If type and version are in headers, a consumer
 * skips events without a handler unparsed.
 * @throws BusbarError `invalid-option`
 * @example
 * const envelope = envelopeAtPaths({ type: 'header:event', version: '/meta/version', payload: '/data' });
 */
export function envelopeAtPaths(paths: EnvelopePaths) {
  const settings: EnvelopePaths = readOptions('envelopeAtPaths()', envelopePaths, paths);
  const { payload: payloadPath, ...parts } = settings;
  const read = Object.fromEntries(
    Object.entries(parts).map(([part, path]) => [part, readerOf(path)]),
  ) as Readonly<Record<keyof EnvelopePaths, Reader | undefined>>;
  const payloadSteps = stepsOf(payloadPath);
  const inPayload = Object.values(parts).filter((path) => path.startsWith(`${payloadPath}/`));
  const envelopeFields = inPayload.map((path) => stepsOf(path)[payloadSteps.length] ?? '');
  const [typeHeader, versionHeader] = [parts.type, parts.version].map(headerIn);
  const isNamedByHeaders =
    typeHeader !== undefined && (versionHeader !== undefined || parts.version === undefined);
  const names = new EventKeyCache();

  return {
    name: 'at paths',
    peek({ headers }, catalogue): EventKey | undefined {
      if (!isNamedByHeaders) return undefined;
      const type = headers.get(typeHeader);
      if (type === undefined) return undefined;
      if (versionHeader === undefined) {
        const name = names.get(type, noBytes);
        return catalogue.named(name.type) ?? name;
      }
      const version = headers.get(versionHeader);
      return version && names.get(type, version);
    },
    decode(record, named, catalogue): DecodedEvent {
      const body = parseValue(record);
      const required = (part: 'type' | 'version'): string => {
        const text = read[part]?.(record, body);
        if (text !== undefined && text !== '') return text;
        throw undecodable(`The record has no string at ${quoted(parts[part] ?? '')}.`);
      };
      const name = (): EventKey =>
        read.version === undefined
          ? nameFrom(required('type'), catalogue)
          : { type: required('type'), version: required('version') };
      const found = valueAt(body, payloadSteps);
      if (found === undefined) throw undecodable(`The value has no payload at ${quoted(payloadPath)}.`);
      const { type, version } = named ?? name();
      return {
        type,
        version,
        id: read.id?.(record, body),
        occurrenceId: read.occurrenceId?.(record, body),
        occurredAt: read.occurredAt?.(record, body),
        payload: typeof found === 'string' ? parseJson(Buffer.from(found)) : found,
        ...(envelopeFields.length > 0 && { envelopeFields }),
      };
    },
    encode({ type, version, payload, ...about }): EncodedEvent {
      const name = parts.version === undefined ? { type: `${type}-${version}` } : { type, version };
      const texts: Readonly<Record<string, string>> = { ...about, ...name };
      const headers: Record<string, string> = {};
      let value = withValueAt({}, payloadSteps, payload);
      for (const [part, path] of Object.entries(parts)) {
        const header = headerIn(path);
        const text = texts[part] ?? '';
        if (header !== undefined) headers[header] = text;
        // A field of the payload stays: a record has one of each name.
        else if (valueAt(value, stepsOf(path)) === undefined) value = withValueAt(value, stepsOf(path), text);
      }
      return { value: JSON.stringify(value), headers };
    },
  } satisfies EnvelopeCodec;
}

/** Returns the text of one part of a record, or undefined if the record lacks it. */
type Reader = (record: ConsumerRecord, body: unknown) => string | undefined;

const noBytes = new Uint8Array(0);

function readerOf(path: string): Reader {
  const header = headerIn(path);
  if (header !== undefined) {
    return ({ headers }) => {
      const bytes = headers.get(header);
      return bytes && Buffer.from(bytes).toString();
    };
  }
  const steps = stepsOf(path);
  return (_record, body) => {
    const value = valueAt(body, steps);
    if (value === undefined || value === null || typeof value === 'string') return value ?? undefined;
    if (typeof value === 'number') return String(value);
    throw undecodable(`The value at ${quoted(path)} is not text.`);
  };
}

function headerIn(path: string | undefined): string | undefined {
  return path?.startsWith(headerPrefix) ? path.slice(headerPrefix.length) : undefined;
}

function valueAt(value: unknown, steps: readonly string[]): unknown {
  let found = value;
  for (const step of steps) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[step];
  }
  return found;
}

/** Returns a copy of an object with a value at the steps; objects on the way are made. */
function withValueAt(target: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  const object = (target ?? {}) as Readonly<Record<string, unknown>>;
  return { ...object, [step]: withValueAt(object[step], rest, value) };
}
