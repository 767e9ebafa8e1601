import { isObject } from '../base/options.js';
import type { DecodedEvent } from './envelope.js';

/**
 * Returns the payload of an event without the fields that only its wire format reads.
 * @param named Fields that the schema of the event names.
 */
export function ownPayload({ payload, envelopeFields }: DecodedEvent, named: ReadonlySet<string>): unknown {
  const foreign = envelopeFields?.filter((name) => !named.has(name)) ?? [];
  if (foreign.length === 0 || !isObject(payload)) return payload;
  return Object.fromEntries(Object.entries(payload).filter(([name]) => !foreign.includes(name)));
}
