import { signal } from '@preact/signals';
import { go } from '../place.js';
import { nameOf, payloadOf, type StreamEvent } from '../stream/stream-event.js';

/** An event in the making. It outlives a look at another view. */
export interface Draft {
  /** Catalogue name. */
  readonly name: string;
  readonly payload: unknown;
  /** Partition key; empty: what the payload says it is about. */
  readonly key: string;
  /** Number in the stream of the event that it repeats. */
  readonly repeats: number | undefined;
}

export const draft = signal<Draft | undefined>(undefined);

/** Opens an event to be sent once more, as it was or changed: a new event with the same payload. */
export function resend(event: StreamEvent): void {
  const payload = payloadOf(event) ?? {};
  draft.value = { name: nameOf(event), payload, key: event.key ?? '', repeats: event.number };
  go({ view: 'compose', compose: nameOf(event), event: undefined });
}
