import { recognisesOccurrences } from './idempotency/idempotent.js';
import type { Logger } from './base/logger.js';
import type { Registration, Routes } from './registry.js';
import type { Catalogue } from '../catalogue/index.js';
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

/**
 * Warns about each handler that runs for several versions of one occurrence: the platform may send each version with an
 * id of its own. Handlers of `onAny` are excluded.
 */
export function warnOfVersions(routes: Routes, logger: Logger): void {
  for (const [registration, versions] of versionsByHandler(routes)) {
    const several = [...versions].filter(([, list]) => list.length > 1);
    const [first] = several;
    const { name, middleware, options } = registration;
    if (first === undefined || options.everyVersion === true || middleware.some(recognisesOccurrences))
      continue;
    const [type, list] = first;
    logger.warn('handler runs for each version of an occurrence', {
      handler: name,
      event: type,
      versions: list,
      moreEvents: several.length - 1,
      fix: `Handle one version, set "preferLatest", use idempotent({ by: 'occurrence' }), or set "everyVersion".`,
    });
  }
}

type VersionsByType = Map<string, string[]>;

/** Returns the versions that each handler receives, directly or by upcasts, by event type. */
function versionsByHandler(routes: Routes): ReadonlyMap<Registration, VersionsByType> {
  const found = new Map<Registration, VersionsByType>();
  for (const [event, { registration, isSuperseded }] of routes.handled) {
    if (isSuperseded || registration === routes.fallback) continue;
    const types = found.get(registration) ?? new Map<string, string[]>();
    found.set(registration, types);
    types.set(event.type, [...(types.get(event.type) ?? []), event.version]);
  }
  return found;
}
