import type { OutgoingEvent } from '../../../emulator/index.js';
import { type CheckOptions, startCheck, type Violation } from '../../../emulator/invariants/check.js';
import type { StreamEvent } from '../../../emulator/invariants/invariant.js';

/** An emission, as somebody who reads the stream has it. */
export function eventOf({ envelope, key }: Pick<OutgoingEvent, 'envelope' | 'key'>): StreamEvent {
  const { id, event_type: type, version, occurred_at: occurredAt, payload } = envelope;
  return { id, type, version, occurredAt, payload, key };
}

/** Everything that the invariants have to say about a stream; `complete` (default true) tells that it goes to its end. */
export function check(
  events: Iterable<StreamEvent>,
  { complete = true, ...options }: CheckOptions & { readonly complete?: boolean } = {},
): Violation[] {
  const checking = startCheck(options);
  const found: Violation[] = [];
  for (const event of events) found.push(...checking.see(event));
  found.push(...checking.end(complete));
  return found;
}
