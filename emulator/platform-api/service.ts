import { lazyRoutes } from '../http/lazy-routes.js';
import type { HttpService } from '../http/service.js';
import type { PlatformApi } from './api.js';
import { type PlatformApiOptions, readSettings } from './settings.js';

/**
 * Creates the platform's REST API as a service of the HTTP server, by validated options. Loads its routes at the first
 * request, so that a run starts without them.
 */
export function platformApiService(
  options: PlatformApiOptions,
  parts: Omit<PlatformApi, 'settings'>,
): { readonly service: HttpService; readonly apiKeys: readonly string[] } {
  const settings = readSettings(options);
  const routes = lazyRoutes(async () => {
    const { platformApi } = await import('./api.js');
    return platformApi({ settings, ...parts });
  });
  const about = "the platform's REST API; its document is at /v1/openapi.json";
  return { service: { path: '/v1', about, routes }, apiKeys: settings.apiKeys };
}
