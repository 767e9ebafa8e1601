import type { EventType, PayloadOf, VersionOf } from '../../catalogue/index.js';
import type { Occurrence } from '../engine/scenario.js';

/** Payloads of one occurrence by version: at least one of those that the type has. */
export type Payloads<T extends EventType> = { readonly [V in VersionOf<T>]?: PayloadOf<T, V> };

/**
 * An occurrence of that type. `key` is the entity whose events must stay in order; the versions are sent in the order
 * in which they are written here.
 */
export function occurrence<T extends EventType>(type: T, key: string, payloads: Payloads<T>): Occurrence {
  const versions = [];
  for (const version in payloads)
    versions.push({ version, payload: payloads[version as keyof typeof payloads] });
  return { type, key, versions };
}
