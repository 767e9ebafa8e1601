/** Returns the catalogue names and the event types, for completion. */
export async function eventNames(): Promise<string[]> {
  const { openCatalogue } = await import('../../catalogue/open.js');
  return [...new Set(openCatalogue().events.flatMap(({ name, type }) => [name, type]))];
}
