import type { EventType, PayloadOf, VersionOf } from 'busbar/catalogue';
import type { Occurrence } from '../engine/scenario.js';

/** Payloads of one occurrence by version: at least one version of the type. */
type Payloads<T extends EventType> = { readonly [V in VersionOf<T>]?: PayloadOf<T, V> };

/**
 * Creates an occurrence. Its versions are sent in the order of `payloads`.
 * @param key Partition key: identifies the entity whose events stay in order.
 */
export function occurrence<T extends EventType>(type: T, key: string, payloads: Payloads<T>): Occurrence {
  const versions = [];
  for (const version in payloads)
    versions.push({ version, payload: payloads[version as keyof typeof payloads] });
  return { type, key, versions };
}
