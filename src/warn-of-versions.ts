import { recognisesOccurrences } from './idempotency/idempotent.js';
import type { Logger } from './base/logger.js';
import type { Registration, Routes } from './registry.js';

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
