import type { EventIndex } from '../../catalogue/index.js';
import type { EventKey } from './envelope.js';

/** Returns type and version of a catalogue name. Only the catalogue can split it. */
export function nameFrom(name: string, catalogue: EventIndex): EventKey {
  const event = catalogue.named(name);
  return event === undefined ? { type: name, version: '' } : { type: event.type, version: event.version };
}
