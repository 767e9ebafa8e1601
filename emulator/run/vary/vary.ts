import type { Catalogue } from 'busbar/catalogue';
import { type Ordering, ordering } from '../../engine/identity.js';
import { hash32, hex8, randomStream } from '../../engine/random.js';
import type { Occurrence } from '../../engine/scenario.js';
import type { Idle, TimedOccurrence } from '../../engine/simulation.js';
import { varyPayload, type VaryPayloadOptions } from './vary-payload.js';

interface VaryOptions extends VaryPayloadOptions {
  readonly catalogue: Catalogue;
}

/** Varies occurrences by the seed, within the specification. */
export function* vary(
  occurrences: Iterable<TimedOccurrence | Idle>,
  options: VaryOptions,
): Generator<TimedOccurrence | Idle, void, void> {
  for (const occurred of occurrences) {
    if ('idleUntil' in occurred || occurred.occurrence.asIs) yield occurred;
    else yield { ...occurred, occurrence: varied(occurred, options) };
  }
}

/** Returns an ordering with another order of cells within a millisecond. */
export function varyOrdering(order: Ordering, seed: number): Ordering {
  const other = ordering(hash32(seed, 'vary', 'order'));
  return { ...order, rankOf: (cell) => other.rankOf(cell) };
}

function varied({ occurrence, cell, number }: TimedOccurrence, options: VaryOptions): Occurrence {
  const { seed, variations, catalogue } = options;
  const { type } = occurrence;
  const key = variations.has('keys') ? otherKey(occurrence, cell, seed) : occurrence.key;
  let versions = occurrence.versions.map(({ version, payload }) => {
    const event = catalogue.find(type, version);
    return { version, payload: event ? varyPayload(event.name, payload, options) : payload };
  });
  if (variations.has('order') && randomStream(seed, 'vary', 'order', cell, number).chance(0.5)) {
    versions = versions.toReversed();
  }
  return { type, key, versions };
}

/** Returns a finer, coarser or opaque key, of one kind for a whole run. */
function otherKey({ key, type }: Occurrence, cell: number, seed: number): string {
  switch (randomStream(seed, 'vary', 'keys').integer(0, 2)) {
    case 0:
      return `${type.split('.', 1)[0] ?? type}:${key}`;
    case 1:
      return `customer-${cell}`;
    default:
      return hex8(hash32(seed, 'vary', 'keys', key)) + hex8(hash32(seed, 'vary', 'keys', key, 'more'));
  }
}
