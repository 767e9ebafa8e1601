import { randomBytes } from 'node:crypto';
import { lazyRoutes } from '../http/lazy-routes.js';
import type { HttpService } from '../http/service.js';
import type { PlatformApi } from './api.js';
import { type PlatformApiOptions, readSettings } from './settings.js';

/**
 * Creates the platform's REST API as a service of the HTTP server. Checks its options at once and loads the rest at the
 * first request, so that a run starts without it.
 * @throws BusbarError `invalid-option`
 */
export function platformApiService(
  options: PlatformApiOptions,
  parts: Omit<PlatformApi, 'settings'>,
): { readonly service: HttpService; readonly apiKeys: readonly string[] } {
  const settings = readSettings(options, () => `sk_${randomBytes(18).toString('base64url')}`);
  const routes = lazyRoutes(async () => {
    const { platformApi } = await import('./api.js');
    return platformApi({ settings, ...parts });
  });
  const about = "the platform's REST API; its document is at /v1/openapi.json";
  return { service: { path: '/v1', about, routes }, apiKeys: settings.apiKeys };
}
