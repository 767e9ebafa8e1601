import type { StreamEvent } from '../invariants/invariant.js';
import { asIdentifier, member } from '../invariants/payload.js';
import { readHeader, type RecordingHeader } from '../run/recording/format.js';
import { linesIn, maxLine } from '../run/recording/read-lines.js';

/** A line of input, counted from 1. */
export type ReadLine =
  | { readonly line: number; readonly event: StreamEvent }
  /** The first line of a recording. */
  | { readonly line: number; readonly header: RecordingHeader }
  /** A broken line: the problem, without payload values. */
  | { readonly line: number; readonly broken: string };

/**
 * Reads events from lines: envelopes, as `--to stdout` prints them, or a recording, which has a header, and an envelope
 * with metadata in each line; inputs of the run are left out. It reads one line at a time: the file may be larger than memory.
 * @throws BusbarError as {@link linesIn} does
 */
export async function* readEvents(input: AsyncIterable<Buffer>): AsyncGenerator<ReadLine, void, void> {
  for await (const { number: line, bytes, isTooLong } of linesIn(input)) {
    if (isTooLong) {
      yield { line, broken: `it is longer than ${maxLine} bytes` };
      continue;
    }
    const text = bytes.toString();
    if (text.trim() === '') continue;
    const parsed = parse(text);
    if (parsed === undefined) yield { line, broken: 'it is not JSON' };
    else if (line === 1 && member(parsed, 'busbar-recording') !== undefined)
      yield { line, ...headerIn(text) };
    else if (member(parsed, 'input') === undefined) yield { line, ...eventIn(parsed) };
  }
}

function headerIn(text: string): { header: RecordingHeader } | { broken: string } {
  try {
    return { header: readHeader(text) };
  } catch (error) {
    return { broken: (error as Error).message };
  }
}

function eventIn(parsed: unknown): { event: StreamEvent } | { broken: string } {
  const envelope = envelopeIn(parsed);
  if (typeof envelope === 'string') return { broken: envelope };
  const [id, type, version, occurredAt] = ['id', 'event_type', 'version', 'occurred_at'].map((name) => {
    const value = member(envelope, name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  });
  if (id === undefined) return { broken: 'its envelope has no string "id"' };
  if (type === undefined) return { broken: 'its envelope has no string "event_type"' };
  if (version === undefined) return { broken: 'its envelope has no string "version"' };
  if (occurredAt === undefined || Number.isNaN(Date.parse(occurredAt))) {
    return { broken: 'its envelope has no instant "occurred_at"' };
  }
  const payload = member(envelope, 'payload');
  if (payload === undefined) return { broken: 'its envelope has no "payload"' };
  return { event: { id, type, version, occurredAt, payload, key: asIdentifier(member(parsed, 'key')) } };
}

/** Returns the envelope, or the problem. A recording has the sent text, or bytes that are not text. */
function envelopeIn(parsed: unknown): object | string {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return 'it is not an object';
  const sent = member(parsed, 'value');
  if (member(parsed, 'event_type') === undefined && typeof sent === 'string') {
    const value = parse(sent);
    const isEnvelope = typeof value === 'object' && value !== null;
    return isEnvelope ? value : 'what was sent is not a JSON object';
  }
  if (member(parsed, 'base64') !== undefined) return 'what was sent is not text';
  const envelope = member(parsed, 'envelope');
  return typeof envelope === 'object' && envelope !== null ? envelope : parsed;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message would quote the line.
    return undefined;
  }
}
