import { usualKey } from '../../catalogue/key-entities.js';
import type { Catalogue } from '../../catalogue/open.js';
import { nonEmptyText } from '../base/options.js';

/** Opens the catalogue of the configuration file; the built-in one if the file or a schema has an error. */
export async function hintCatalogue(): Promise<Catalogue> {
  const { openSources } = await import('../config/open-config.js');
  const { loadConfig } = await import('../config/index.js');
  const configured = loadConfig().then((config) => config.openCatalogue());
  return configured.catch(() => openSources([], ''));
}

/** Returns the catalogue names and the event types, for completion. */
export async function eventNames(): Promise<string[]> {
  const { events } = await hintCatalogue();
  return [...new Set(events.flatMap(({ name, type }) => [name, type]))];
}

/** Returns the `x-busbar-key` of a new version of an event type: that of the present versions. */
export function keyOf(type: string, { events }: Catalogue): string {
  return events.find((each) => each.type === type)?.key ?? usualKey;
}

/** The argument that names an event. */
export const eventArgument = {
  type: nonEmptyText,
  isRequired: true,
  text: 'Catalogue name or event type',
  complete: eventNames,
} as const;
