import type { StreamEvent } from '../invariants/invariant.js';
import { asIdentifier, member } from '../invariants/payload.js';
import { readHeader, type RecordingHeader } from '../run/recording/format.js';

/** A line that is read, counted from 1. */
export type ReadLine =
  | { readonly line: number; readonly event: StreamEvent }
  /** The first line of a recording. */
  | { readonly line: number; readonly header: RecordingHeader }
  /** The line is broken: what is wrong with it, without any of its values. */
  | { readonly line: number; readonly broken: string };

/** No event is longer. */
const longest = 64 * 1024 * 1024;

/**
 * The events of a file of lines: envelopes, as `--to stdout` prints them, or a recording, whose lines have the envelope
 * beside what became of it, under a header. One line at a time: the file may be larger than memory.
 */
export async function* readEvents(input: AsyncIterable<Buffer>): AsyncGenerator<ReadLine, void, void> {
  for await (const { line, text } of linesOf(input)) {
    if (text === undefined) {
      yield { line, broken: `it is longer than ${longest} bytes` };
      continue;
    }
    if (text.trim() === '') continue;
    const parsed = parse(text);
    if (parsed === undefined) yield { line, broken: 'it is not JSON' };
    else if (line === 1 && member(parsed, 'busbar-recording') !== undefined)
      yield { line, ...headerIn(text) };
    else yield { line, ...eventIn(parsed) };
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
  if (id === undefined) return { broken: 'its envelope has no text "id"' };
  if (type === undefined) return { broken: 'its envelope has no text "event_type"' };
  if (version === undefined) return { broken: 'its envelope has no text "version"' };
  if (occurredAt === undefined || Number.isNaN(Date.parse(occurredAt))) {
    return { broken: 'its envelope has no instant "occurred_at"' };
  }
  const payload = member(envelope, 'payload');
  if (payload === undefined) return { broken: 'its envelope has no "payload"' };
  return { event: { id, type, version, occurredAt, payload, key: asIdentifier(member(parsed, 'key')) } };
}

/** The envelope itself, or what is wrong. A recording keeps it as the text that was sent, or as bytes of no text. */
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

/** Lines as text; undefined for one that is too long, whose bytes are let go. */
async function* linesOf(
  input: AsyncIterable<Buffer>,
): AsyncGenerator<{ line: number; text: string | undefined }, void, void> {
  let parts: Buffer[] = [];
  let length = 0;
  let line = 1;
  const take = () => {
    const text = length > longest ? undefined : Buffer.concat(parts).toString();
    parts = [];
    length = 0;
    return { line: line++, text };
  };
  const keep = (bytes: Buffer) => {
    length += bytes.length;
    if (length > longest) parts = [];
    else parts.push(bytes);
  };
  for await (const chunk of input) {
    let rest = chunk;
    for (let end = rest.indexOf(lineFeed); end !== -1; end = rest.indexOf(lineFeed)) {
      keep(rest.subarray(0, end));
      yield take();
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) keep(rest);
  }
  if (length > 0) yield take();
}

const lineFeed = 0x0a;
