// The global of the same name is looked up by a function, for each record.
import { Buffer, isAscii, isUtf8 } from 'node:buffer';
import { BusbarError } from '../base/errors.js';

/**
 * The deepest nesting that is accepted. Parsing knows no limit, but what handlers do with a value is often recursive,
 * `JSON.stringify` for one, and would overflow the stack some thousand levels further down.
 */
export const maxJsonDepth = 1000;

/**
 * Parses a record's value as UTF-8 JSON (RFC 8259).
 * @throws BusbarError `undecodable-record` for no value, an empty one, bytes that are not UTF-8, text that is not JSON,
 * and nesting beyond {@link maxJsonDepth}.
 */
export function parseJson(value: Uint8Array | null): unknown {
  if (value === null) throw undecodable('It has no value (a tombstone).');
  if (value.byteLength === 0) throw undecodable('Its value is empty.');
  const bytes =
    value instanceof Buffer ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  // Most values are ASCII, which is quick to see and quicker to read. For others, decoding alone would put U+FFFD for
  // what is no UTF-8, and the payload would be a false one.
  const isPlain = isAscii(bytes);
  if (!isPlain && !isUtf8(bytes)) throw undecodable('Its value is not UTF-8 text.');
  const text = isPlain ? (bytes as LatinBuffer).latin1Slice() : bytes.toString();
  const parsed = parse(text);
  // A value of n levels takes at least 2n bytes, so most records need not be walked.
  if (bytes.length >= 2 * maxJsonDepth && isDeeper(parsed, maxJsonDepth)) {
    throw undecodable(`Its value is nested deeper than ${maxJsonDepth} levels.`);
  }
  return parsed;
}

/** @throws BusbarError `undecodable-record` for JSON that is no object. */
export function objectOf(parsed: unknown): Readonly<Record<string, unknown>> {
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
    return parsed as Readonly<Record<string, unknown>>;
  }
  throw undecodable('Its value is JSON, but not an object.');
}

/** @throws BusbarError `undecodable-record` for a member that is there and is no text. */
export function optionalText(value: unknown, member: string): string | undefined {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return undefined;
  throw undecodable(`Its value has an "${member}" that is not text.`);
}

/** A `undecodable-record` error; say what is wrong in a whole sentence that begins with "It" or "Its". */
export function undecodable(what: string): BusbarError {
  return new BusbarError('undecodable-record', what);
}

/** What `toString('latin1')` calls in every Node, without looking up the encoding by its name. */
type LatinBuffer = Buffer & { latin1Slice(): string };

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The engine's message may quote the text, which must not be told: only the place may be.
    const { message } = error as Error;
    if (message.includes('end of JSON input')) throw undecodable('Its value is not JSON: it breaks off.');
    const place = /at position \d+(?= \(line|$)/.exec(message)?.[0];
    throw undecodable(`Its value is not JSON${place === undefined ? '' : ` (${place})`}.`);
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  const object = value as Record<string, unknown>;
  for (const key in object) if (isDeeper(object[key], levels - 1)) return true;
  return false;
}
