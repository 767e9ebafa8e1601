import type { EventIndex } from '../../catalogue/index.js';
import { quoted } from '../base/errors.js';
import type { EventKey } from './envelope.js';
import { undecodable } from './json.js';

/** Returns type and version of a catalogue name, which only the catalogue can split, or of a type with its version. */
export function nameFrom(name: string, catalogue: EventIndex, version?: string): EventKey {
  if (version !== undefined) return { type: name, version };
  const event = catalogue.named(name);
  return event === undefined ? { type: name, version: '' } : { type: event.type, version: event.version };
}

/** @throws BusbarError `undecodable-record` if headers and value name different events */
export function checkSameName(headers: EventKey | undefined, value: EventKey): void {
  if (headers === undefined || (headers.type === value.type && headers.version === value.version)) return;
  const [named, other] = [headers, value].map(({ type, version }) => `${quoted(type)} ${quoted(version)}`);
  throw undecodable(`The headers name ${named}, but the value ${other}.`);
}
