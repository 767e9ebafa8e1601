import type { Catalogue } from '../catalogue/index.js';
import { recognisesOccurrences } from './idempotency/idempotent.js';
import type { Logger } from './base/logger.js';
import { quoted } from './base/quoted.js';
import type { Registration, Routes } from './registry.js';

/**
 * Warns of each handler that runs once for every version of one occurrence. The platform may send several versions side
 * by side, each with an id of its own. A handler of `onAny` asks for that.
 */
export function warnOfVersions(routes: Routes, catalogue: Catalogue, logger: Logger): void {
  for (const [registration, versions] of versionsByHandler(routes, catalogue)) {
    const several = [...versions].filter(([, list]) => list.length > 1);
    const [first] = several;
    const { name, middleware, options } = registration;
    if (first === undefined || options.everyVersion === true || middleware.some(recognisesOccurrences))
      continue;
    const [type, list] = first;
    const more = several.length - 1;
    const others = more === 0 ? '' : ` (and several versions of ${more} more event types)`;
    logger.warn(
      `Handler ${quoted(name)} takes versions ${list.map(quoted).join(', ')} of ${quoted(type)}${others}. ` +
        'It runs for each version of one occurrence. Handle one version, set "preferLatest", ' +
        `use idempotent({ by: 'occurrence' }), or set "everyVersion" on the handler.`,
    );
  }
}

type VersionsByType = Map<string, string[]>;

/** The versions that each handler gets, directly or by upcasts, by event type. */
function versionsByHandler(routes: Routes, catalogue: Catalogue): ReadonlyMap<Registration, VersionsByType> {
  const found = new Map<Registration, VersionsByType>();
  for (const event of catalogue.events) {
    const route = routes.routeOf(event);
    if (route === undefined || route.isSuperseded || route.registration === routes.fallback) continue;
    const types = found.get(route.registration) ?? new Map<string, string[]>();
    found.set(route.registration, types);
    types.set(event.type, [...(types.get(event.type) ?? []), event.version]);
  }
  return found;
}
