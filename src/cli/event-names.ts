import type { Catalogue } from '../../catalogue/catalogue.js';
import { nonEmptyText } from '../base/options.js';

/** Opens the catalogue of the configuration file; the built-in one if the file or a schema has an error. */
export async function hintCatalogue(): Promise<Catalogue> {
  const { loadConfig } = await import('../config/index.js');
  const configured = loadConfig().then((config) => config.openCatalogue());
  return configured.catch(async () => (await import('../../catalogue/catalogue.js')).builtInCatalogue());
}

/** Returns the catalogue names and the event types, for completion. */
export async function eventNames(): Promise<string[]> {
  const { events } = await hintCatalogue();
  return [...new Set(events.flatMap(({ name, type }) => [name, type]))];
}

/** The argument that names an event. */
export const eventArgument = {
  type: nonEmptyText,
  isRequired: true,
  text: 'Catalogue name or event type',
  complete: eventNames,
} as const;
