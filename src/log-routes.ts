import type { Catalogue } from '../catalogue/index.js';
import type { Logger } from './base/logger.js';
import type { Routes } from './registry.js';
import { eventsOfType } from './versions.js';

/**
 * Logs one line with the handlers, versions newer than the handled ones, older versions without a handler, superseded
 * versions, and the number of other events without a handler.
 */
export function logRoutes(routes: Routes, catalogue: Catalogue, logger: Logger): void {
  const routed = catalogue.events.map((event) => ({ event, route: routes.routeOf(event) }));
  const handled = new Set(routed.filter(({ route }) => route !== undefined).map(({ event }) => event));
  const types = new Set(Array.from(handled, ({ type }) => type));
  const superseded = routed.filter(({ route }) => route?.isSuperseded).map(({ event }) => event.name);
  const newer: string[] = [];
  const ignored: string[] = [];
  let others = 0;
  for (const { event, route } of routed) {
    if (route !== undefined) continue;
    if (!types.has(event.type)) {
      others++;
      continue;
    }
    const versions = eventsOfType(catalogue, event.type);
    const latest = versions.findLastIndex((version) => handled.has(version));
    if (versions.indexOf(event) > latest) newer.push(event.name);
    else ignored.push(event.name);
  }
  logger.info('consumer starting', {
    handlers: routes.registrations.map(({ name }) => name),
    ...(newer.length > 0 && { newer }),
    ...(ignored.length > 0 && { ignored }),
    ...(superseded.length > 0 && { superseded }),
    unhandledEvents: others,
  });
}
