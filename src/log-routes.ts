import type { Catalogue } from '../catalogue/index.js';
import type { Logger } from './base/logger.js';
import type { Routes } from './registry.js';
import { eventsOfType } from './versions.js';

/**
 * Logs one line with the handlers, versions newer than the handled ones, older versions without a handler, superseded
 * versions, and the number of other events without a handler.
 */
export function logRoutes(routes: Routes, catalogue: Catalogue, logger: Logger): void {
  const { handled } = routes;
  const superseded = [...handled].filter(([, { isSuperseded }]) => isSuperseded).map(([{ name }]) => name);
  const newer: string[] = [];
  const ignored: string[] = [];
  let others = catalogue.events.length;
  for (const type of new Set(Array.from(handled.keys(), (event) => event.type))) {
    const versions = eventsOfType(catalogue, type);
    const latest = versions.findLastIndex((version) => handled.has(version));
    for (const [index, event] of versions.entries())
      if (!handled.has(event)) (index > latest ? newer : ignored).push(event.name);
    others -= versions.length;
  }
  logger.info('consumer starting', {
    handlers: routes.registrations.map(({ name }) => name),
    ...(newer.length > 0 && { newer }),
    ...(ignored.length > 0 && { ignored }),
    ...(superseded.length > 0 && { superseded }),
    unhandledEvents: others,
  });
}
