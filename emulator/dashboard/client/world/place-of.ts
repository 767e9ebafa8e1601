import type { Place } from '../place.js';
import type { StreamEvent } from '../stream/stream-event.js';

/** Where an account is seen as it was just after an event. */
export function worldOf(account: string, event: StreamEvent | undefined): Partial<Place> {
  return { view: 'world', account, at: event?.about.at, event: undefined };
}
