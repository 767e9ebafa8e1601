import type { BatchHead, RecordAbout, RecordHead } from '../../../../src/transports/websocket-protocol.js';

/** A record of the stream, as the page keeps it: its value stays text until somebody looks inside. */
export interface StreamEvent {
  readonly number: number;
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** When it was sent, in milliseconds of the wall clock. */
  readonly timestamp: number;
  readonly about: RecordAbout;
  /** The value, as it was sent; of what is no line of text, its base64. */
  readonly line: string;
  readonly encoding: RecordHead['encoding'];
}

/** The records of a batch: its head, and one line for each. */
export function eventsIn(head: BatchHead, lines: readonly string[]): StreamEvent[] {
  return head.records.map(({ key, headers, timestamp, encoding, about = unknown }, index) => {
    const number = head.numbers?.[index] ?? head.first + index;
    return { number, key, headers, timestamp, about, line: lines[index] ?? '', encoding };
  });
}

/** Catalogue name: event type and version. */
export function nameOf({ about }: StreamEvent): string {
  return `${about.type}-${about.version}`;
}

/** Shared by the versions of one occurrence. */
export function occurrenceOf({ headers, number }: StreamEvent): string {
  return headers['occurrence-id'] ?? headers['event-id'] ?? String(number);
}

/** Virtual instant at which it was sent. */
export function sentAt({ about }: StreamEvent): number {
  return about.sentAt ?? about.at;
}

/** The envelope, or why it cannot be read. */
export function readEnvelope(
  event: StreamEvent,
): { readonly envelope: unknown } | { readonly problem: string } {
  if (event.encoding === 'null') return { problem: 'The record has no value.' };
  if (event.encoding === 'base64') return { problem: 'The value is no line of text; below it is in base64.' };
  try {
    return { envelope: JSON.parse(event.line) as unknown };
  } catch (error) {
    return error instanceof RangeError
      ? { problem: 'The value is nested too deeply to be read.' }
      : { problem: 'The value is no JSON: a consumer sets it aside.' };
  }
}

export function payloadOf(event: StreamEvent): unknown {
  const read = readEnvelope(event);
  const envelope = 'envelope' in read ? read.envelope : undefined;
  return typeof envelope === 'object' && envelope !== null && 'payload' in envelope
    ? envelope.payload
    : undefined;
}

/** Numbers of the accounts that it is about: those that its payload names, else that of its key. */
export function accountsOf(event: StreamEvent): string[] {
  const payload = payloadOf(event);
  const named: unknown[] = typeof payload === 'object' && payload !== null ? Object.values(payload) : [];
  return [...new Set([...named, event.key].filter(isAccountNumber))];
}

export function isAccountNumber(value: unknown): value is string {
  return typeof value === 'string' && /^A-[0-9A-F]{8}$/.test(value);
}

const unknown: RecordAbout = { type: '', version: '', at: 0, cell: 0, instance: '', step: '', faults: [] };
