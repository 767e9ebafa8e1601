import { randomBytes } from 'node:crypto';
import type { Clock } from '../../src/base/clock.js';
import type { Logger } from '../../src/base/logger.js';
import { onDemand } from '../http/on-demand.js';
import type { HttpService } from '../http/service.js';
import type { ImportSession } from './data-import/imports.js';
import { type PlatformApiOptions, readSettings } from './settings.js';
import type { WorldView } from './world-view.js';

export interface PlatformApiService {
  readonly service: HttpService;
  /** The API keys that clients may use. */
  readonly apiKeys: readonly string[];
}

/**
 * The platform's REST API as a service of the HTTP server. Its options are checked at once; everything else is loaded
 * and made when it is first asked for, so that a run begins no later for it.
 * @throws BusbarError `invalid-option`
 */
export function platformApiService(
  options: PlatformApiOptions,
  parts: {
    readonly world: WorldView;
    readonly session: (() => ImportSession) | undefined;
    readonly clock: Clock;
    readonly logger: Logger;
  },
): PlatformApiService {
  const settings = readSettings(options, () => `sk_${randomBytes(18).toString('base64url')}`);
  const routes = onDemand(async () => {
    const { platformApi } = await import('./api.js');
    return platformApi({ settings, ...parts });
  });
  const about = "the platform's REST API; its document is at /v1/openapi.json";
  return { service: { path: '/v1', about, routes }, apiKeys: settings.apiKeys };
}
