import type { Catalogue, CatalogueEvent } from '../catalogue/index.js';
import type { Logger } from './base/logger.js';
import type { Routes } from './registry.js';

/**
 * Logs what a run will do, in one line: its handlers, versions newer than those that are handled, and what is ignored:
 * older versions without a handler, superseded ones, and how many other events there are that nobody handles.
 */
export function tellRoutes(routes: Routes, catalogue: Catalogue, logger: Logger): void {
  const treated = catalogue.events.map((event) => ({ event, route: routes.routeOf(event) }));
  const isHandled = new Set(treated.filter(({ route }) => route !== undefined).map(({ event }) => event));
  const superseded = treated.filter(({ route }) => route?.isSuperseded).map(({ event }) => event.name);
  const newer: string[] = [];
  const ignored: string[] = [];
  let others = 0;
  for (const { event, route } of treated) {
    if (route !== undefined) continue;
    const versions = versionsOf(catalogue, event.type);
    const latest = versions.findLastIndex((version) => isHandled.has(version));
    if (latest === -1) others++;
    else if (versions.indexOf(event) > latest) newer.push(event.name);
    else ignored.push(event.name);
  }
  logger.info('The consumer starts.', {
    handlers: routes.registrations.map(({ name }) => name),
    ...(newer.length > 0 && { newer }),
    ...(ignored.length > 0 && { ignored }),
    ...(superseded.length > 0 && { superseded }),
    unhandledEvents: others,
  });
}

function versionsOf(catalogue: Catalogue, type: string): CatalogueEvent[] {
  return catalogue
    .versionsOf(type)
    .map((version) => catalogue.find(type, version))
    .filter((event) => event !== undefined);
}
