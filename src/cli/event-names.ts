import { nonEmptyText } from '../base/options.js';

/** Returns the catalogue names and the event types, for completion. */
export async function eventNames(): Promise<string[]> {
  const { openCatalogue } = await import('../../catalogue/open.js');
  return [...new Set(openCatalogue().events.flatMap(({ name, type }) => [name, type]))];
}

/** The argument that names an event. */
export const eventArgument = {
  type: nonEmptyText,
  isRequired: true,
  text: 'Catalogue name or event type',
  complete: eventNames,
} as const;
