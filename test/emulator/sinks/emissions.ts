import type { OutgoingEvent } from '../../../emulator/run/outgoing-event.js';

/** An emission as a run makes it; `bytes` may be set apart from the envelope, as a fault would. */
export function emission(
  n: number,
  parts: Partial<Pick<OutgoingEvent, 'bytes' | 'headers' | 'key'>> = {},
): OutgoingEvent {
  const id = `019a0000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const envelope = {
    id,
    event_type: 'account.created',
    version: 'v1',
    occurred_at: '2026-03-01T09:00:00.000Z',
    payload: { n },
  };
  return {
    envelope,
    bytes: Buffer.from(JSON.stringify(envelope)),
    headers: { 'event-type': 'account.created', 'event-version': 'v1', 'event-id': id },
    key: `A-${n % 3}`,
    at: Date.parse(envelope.occurred_at),
    cell: 1,
    instance: 'house-move#1',
    step: 'step',
    faults: [],
    ...parts,
  };
}

/** Emissions `first` to `first + count - 1`; by default as the stream numbers them, from 1. */
export function emissions(count: number, first = 1): OutgoingEvent[] {
  return Array.from({ length: count }, (_, n) => emission(first + n));
}
