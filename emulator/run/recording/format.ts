import { isUtf8 } from 'node:buffer';
import { type BusbarEnvelope, envelopeHeaders } from 'busbar';
import { isObject } from 'busbar/base';
import { formatInstant } from '../../engine/time.js';
import { worldVersion } from '../../world/version.js';
import type { OutgoingEvent } from '../outgoing-event.js';
import type { Input } from '../inputs.js';

/** First line of a recording. `docs/guides/recording.md` describes the format. */
export interface RecordingHeader {
  /** Version of the format. */
  readonly 'busbar-recording': 1;
  /** See {@link worldVersion}. */
  readonly worldVersion: number;
  /** Options that decide the run's bytes, for `--resume`. */
  readonly options: RecordedOptions;
  /** Fingerprint of the catalogue: SHA-256 over every schema. */
  readonly catalogue: string;
  /** SHA-256 of each scenario file among the options, by its path. */
  readonly files: Readonly<Record<string, string>>;
}

export type RecordedOptions = Readonly<Record<string, unknown>>;

/** Returns the line of an event, line feed included. */
export function recordedLine(emission: OutgoingEvent): string {
  const { at, sentAt, key, headers, cell, instance, step, faults, bytes } = emission;
  const value = isUtf8(bytes) ? { value: bytes.toString() } : { base64: bytes.toString('base64') };
  return `${JSON.stringify({ at, sentAt, key, cell, instance, step, faults, headers, ...value })}\n`;
}

/** Returns the line of an input, line feed included. */
export function inputLine(input: Input): string {
  return `${inputStart}${JSON.stringify(input)}}\n`;
}

export function isInputLine(line: Buffer): boolean {
  return line.subarray(0, inputStart.length).equals(inputStartBytes);
}

const inputStart = '{"input":';
const inputStartBytes = Buffer.from(inputStart);

/** Parses the line of an input. @throws Error with the reason in its message, without values */
export function readInput(line: string): Input {
  const { input } = objectIn(line);
  if (!isObject(input)) throw new Error('it has no object "input"');
  if (!isInstant(input.at)) throw new Error('its input has no instant "at"');
  if (!Number.isSafeInteger(input.nth) || (input.nth as number) < 1)
    throw new Error('its input has no number "nth"');
  const kind = inputMembers[input.kind as Input['kind']] as Readonly<Record<string, string>> | undefined;
  if (kind === undefined) throw new Error('its input has an unknown kind');
  for (const [member, type] of Object.entries(kind)) {
    if (typeof input[member] !== type) throw new Error(`its input has no ${type} "${member}"`);
  }
  return input as unknown as Input;
}

const inputMembers: Readonly<Record<Input['kind'], Readonly<Record<string, string>>>> = {
  start: { cell: 'number', scenario: 'string' },
  event: { cell: 'number', type: 'string', version: 'string', key: 'string' },
  faults: {},
  'import-supplier': { supplier: 'object' },
};

/** Parses the header line. @throws Error with the reason in its message, without values */
export function readHeader(line: string): RecordingHeader {
  const header = objectIn(line);
  const version = header['busbar-recording'];
  if (version === undefined) throw new Error('it is not the first line of a recording');
  if (version !== 1) throw new Error('its format is of another version than 1');
  if (header.worldVersion !== worldVersion) {
    throw new Error(
      `it was recorded in another version of the world than ${worldVersion}, which this release plays`,
    );
  }
  if (!isObject(header.options)) throw new Error('it has no object "options"');
  if (typeof header.catalogue !== 'string') throw new Error('it has no string "catalogue"');
  return { files: {}, ...header } as unknown as RecordingHeader;
}

/** Parses the line of an event. @throws Error with the reason in its message, without values */
export function readOutgoingEvent(line: string): OutgoingEvent {
  const parts = objectIn(line);
  const { at, sentAt, cell, headers, faults, value, base64 } = parts;
  const texts = Object.fromEntries(['key', 'instance', 'step'].map((name) => [name, text(parts, name)]));
  if (!isInstant(at)) throw new Error('it has no instant "at"');
  if (sentAt !== undefined && !isInstant(sentAt)) throw new Error('its "sentAt" is not an instant');
  if (typeof cell !== 'number') throw new Error('it has no number "cell"');
  if (!isObject(headers) || !Object.values(headers).every((each) => typeof each === 'string')) {
    throw new Error('it has no object "headers" of strings');
  }
  if (!Array.isArray(faults) || !faults.every((each) => typeof each === 'string')) {
    throw new Error('it has no list "faults" of strings');
  }
  if (typeof value !== 'string' && typeof base64 !== 'string') throw new Error('it has no string "value"');
  const bytes = typeof value === 'string' ? Buffer.from(value) : Buffer.from(base64 as string, 'base64');
  const known = headers as Readonly<Record<string, string>>;
  return {
    ...(texts as Pick<OutgoingEvent, 'key' | 'instance' | 'step'>),
    at,
    ...(sentAt !== undefined && { sentAt }),
    cell,
    headers: known,
    faults: faults,
    bytes,
    envelope: envelopeIn(bytes, known, at),
  };
}

/** Returns the envelope of an event, or one from its headers if a fault made the value unreadable. */
function envelopeIn(bytes: Buffer, headers: Readonly<Record<string, string>>, at: number): BusbarEnvelope {
  try {
    const envelope = JSON.parse(bytes.toString()) as unknown;
    if (isObject(envelope) && typeof envelope.event_type === 'string') {
      return envelope as unknown as BusbarEnvelope;
    }
  } catch {
    // A fault made the value unreadable.
  }
  return {
    id: headers[envelopeHeaders.id] ?? '',
    event_type: headers[envelopeHeaders.type] ?? '',
    version: headers[envelopeHeaders.version] ?? '',
    occurred_at: formatInstant(at),
    payload: undefined,
  };
}

function objectIn(line: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // The parser's message would quote the line.
    throw new Error('it is not JSON');
  }
  if (isObject(value)) return value;
  throw new Error('it is not an object');
}

function text(parts: Readonly<Record<string, unknown>>, name: string): string {
  const value = parts[name];
  if (typeof value === 'string') return value;
  throw new Error(`it has no string "${name}"`);
}

function isInstant(value: unknown): value is number {
  return Number.isSafeInteger(value) && Math.abs(value as number) <= 8.64e15;
}
