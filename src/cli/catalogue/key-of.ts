import { usualKey } from '../../../catalogue/key-entities.js';
import type { Catalogue } from '../../../catalogue/catalogue.js';

/** Returns the `x-busbar-key` of a new version of an event type: that of the present versions. */
export function keyOf(type: string, { events }: Catalogue): string {
  return events.find((each) => each.type === type)?.key ?? usualKey;
}
