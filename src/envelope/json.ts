// Imported, because the global `Buffer` is a getter that would run for each record.
import { Buffer, isAscii, isUtf8 } from 'node:buffer';
import { BusbarError } from '../base/errors.js';
import { isDeeper } from '../base/is-deeper.js';
import { isObject } from '../base/options.js';
import type { ConsumerRecord } from '../transports/transport.js';

/**
 * Maximum nesting. Parsing has no limit, but handlers often process values recursively, for example by `JSON.stringify`,
 * and would overflow the stack at a few thousand levels.
 */
const maxJsonDepth = 1000;

/**
 * Bytes that serializers of a schema registry put before the JSON: a zero, with which no JSON begins, and the number of a
 * schema (Confluent's wire format).
 */
const schemaPrefix = 5;

/** A record whose value was decoded before, as many at once. Its `value` may be a getter, for codecs that read bytes. */
export interface TextRecord extends ConsumerRecord {
  /** The value as text. It is not empty. */
  readonly text: string;
}

/** Parses the value of a record. @throws BusbarError `undecodable-record`, as {@link parseJson} */
export function parseValue(record: ConsumerRecord): unknown {
  const { text } = record as Partial<TextRecord>;
  return text === undefined ? parseJson(record.value) : parseText(text);
}

/**
 * Parses a record's value as UTF-8 JSON (RFC 8259), without the prefix of a schema registry.
 * @throws BusbarError `undecodable-record` for no value, an empty value, bytes that are not UTF-8, text that is not
 * JSON, and nesting beyond {@link maxJsonDepth}
 */
export function parseJson(value: Uint8Array | null): unknown {
  if (value === null) throw undecodable('The record has no value (a tombstone).');
  if (value.byteLength === 0) throw undecodable('The value is empty.');
  const whole =
    value instanceof Buffer ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const bytes = whole[0] === 0 ? whole.subarray(schemaPrefix) : whole;
  // Most values are ASCII, which decodes faster. Other values need a check, since decoding replaces invalid UTF-8 by
  // U+FFFD, which would falsify the payload.
  const isPlain = isAscii(bytes);
  if (!isPlain && !isUtf8(bytes)) throw undecodable('The value is not UTF-8 text.');
  return parseText(isPlain ? (bytes as LatinBuffer).latin1Slice() : bytes.toString());
}

function parseText(text: string): unknown {
  const parsed = parse(text);
  // A value of n levels takes at least 2n characters, so most records need not be walked.
  if (text.length >= 2 * maxJsonDepth && isDeeper(parsed, maxJsonDepth)) {
    throw undecodable(`The value is nested deeper than ${maxJsonDepth} levels.`);
  }
  return parsed;
}

/** Returns the value as an object. @throws BusbarError `undecodable-record` for any other JSON */
export function objectOf(parsed: unknown): Readonly<Record<string, unknown>> {
  if (isObject(parsed)) return parsed;
  throw undecodable('The value is JSON, but not an object.');
}

/** Returns a string, or undefined if it is absent. @throws BusbarError `undecodable-record` for any other value */
export function optionalText(value: unknown, member: string): string | undefined {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return undefined;
  throw undecodable(`The value has an "${member}" that is not text.`);
}

/** Returns an `undecodable-record` error. The message is one sentence without payload values. */
export function undecodable(what: string): BusbarError {
  return new BusbarError('undecodable-record', what);
}

/** Declares the method behind `toString('latin1')`, which avoids looking up the encoding by name. */
type LatinBuffer = Buffer & { latin1Slice(): string };

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The engine's message may quote the text. Only the position may be reported.
    const { message } = error as Error;
    if (message.includes('end of JSON input')) throw undecodable('The value is incomplete JSON.');
    const position = /at position \d+(?= \(line|$)/.exec(message)?.[0];
    throw undecodable(`The value is not JSON${position === undefined ? '' : ` (${position})`}.`);
  }
}
