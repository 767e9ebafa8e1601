import { flatFields } from '../event/flat-fields.js';
import type { BatchHead, RecordAbout, RecordHead } from 'busbar/internal/websocket-protocol';

/** A record of the stream. Its value is parsed on demand. */
export interface StreamEvent {
  readonly number: number;
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Wall time of sending, in milliseconds since the epoch. */
  readonly timestamp: number;
  readonly about: RecordAbout;
  /** The value as it was sent; in base64 if it is not a line of text. */
  readonly line: string;
  readonly encoding: RecordHead['encoding'];
}

/** Returns the records of a batch, from its head and one line per record. */
export function eventsIn(head: BatchHead, lines: readonly string[]): StreamEvent[] {
  return head.records.map(({ key, headers, timestamp, encoding, about = unknown }, index) => {
    const number = head.numbers?.[index] ?? head.first + index;
    return { number, key, headers, timestamp, about, line: lines[index] ?? '', encoding };
  });
}

export function nameOf({ about }: Pick<StreamEvent, 'about'>): string {
  return `${about.type}-${about.version}`;
}

/** Returns the id that the versions of one occurrence share. */
export function occurrenceOf({ headers, number }: StreamEvent): string {
  return headers['occurrence-id'] ?? headers['event-id'] ?? String(number);
}

export function scenarioOf({ about }: StreamEvent): string {
  return about.instance.replace(/#\d+$/, '');
}

/** Returns the name of a customer. Events of no customer are in cell 0. */
export function customerName(cell: number): string {
  return cell === 0 ? 'The platform' : `Customer ${cell}`;
}

export function sentAt({ about }: Pick<StreamEvent, 'about'>): number {
  return about.sentAt ?? about.at;
}

/** Returns the envelope, or the reason why it is unreadable. */
export function readEnvelope(
  event: StreamEvent,
): { readonly envelope: unknown } | { readonly problem: string } {
  if (event.encoding === 'null') return { problem: 'The record has no value.' };
  if (event.encoding === 'base64')
    return { problem: 'The value is not a line of text. It is shown in base64.' };
  try {
    return { envelope: JSON.parse(event.line) as unknown };
  } catch (error) {
    return error instanceof RangeError
      ? { problem: 'The value is nested too deeply.' }
      : { problem: 'The value is not JSON. Consumers dead-letter it.' };
  }
}

export function payloadOf(event: StreamEvent): unknown {
  const read = readEnvelope(event);
  const envelope = 'envelope' in read ? read.envelope : undefined;
  return typeof envelope === 'object' && envelope !== null && 'payload' in envelope
    ? envelope.payload
    : undefined;
}

/** Returns the account numbers in the payload and the key. */
export function accountsOf(event: StreamEvent): string[] {
  const payload = payloadOf(event);
  const named: unknown[] = typeof payload === 'object' && payload !== null ? Object.values(payload) : [];
  return [...new Set([...named, event.key].filter(isAccountNumber))];
}

/** Returns the number of the supply point in the payload. */
export function supplyPointOf(event: StreamEvent): string | undefined {
  const fields = flatFields(payloadOf(event), 60);
  const named = [...fields].filter(([path]) =>
    /(^|\.)(mpan|mprn|market_supply_point_id|external_identifier)$/.test(path),
  );
  const numbers = new Set(named.map(([, value]) => value));
  return numbers.size === 1 ? [...numbers][0] : undefined;
}

export function isAccountNumber(value: unknown): value is string {
  return typeof value === 'string' && /^A-[0-9A-F]{8}$/.test(value);
}

const unknown: RecordAbout = { type: '', version: '', at: 0, cell: 0, instance: '', step: '', faults: [] };
