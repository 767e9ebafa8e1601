import { signal } from '@preact/signals';
import { go } from '../view-route.js';
import { nameOf, payloadOf, type StreamEvent } from '../stream/stream-event.js';

/** The event in the composer. It is kept while another view is open. */
export interface Draft {
  /** Catalogue name. */
  readonly name: string;
  readonly payload: unknown;
  /** Partition key; empty for the key in the payload. */
  readonly key: string;
  /** Number of the copied event in the stream. */
  readonly repeats: number | undefined;
}

export const draft = signal<Draft | undefined>(undefined);

/** Opens a copy of an event in the composer. */
export function resend(event: StreamEvent): void {
  const payload = payloadOf(event) ?? {};
  draft.value = { name: nameOf(event), payload, key: event.key ?? '', repeats: event.number };
  go({ view: 'compose', compose: nameOf(event), event: undefined });
}
