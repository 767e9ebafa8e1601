import { stderrLogger, systemClock } from 'busbar/base';
import type { ControlApiOptions } from '../control-api/index.js';
import type { DashboardOptions } from '../dashboard/dashboard.js';
import { lazyRoutes } from '../http/lazy-routes.js';
import { httpSecurity } from '../http/secure.js';
import type { HttpServer } from '../http/server.js';
import { type Servers, startServers } from '../http/servers.js';
import { platformApiService } from '../platform-api/service.js';
import type { WorldView } from '../platform-api/world-view.js';
import type { Session } from '../run/session.js';
import { type SendOptions, serversAsked } from './send-options.js';

/** Servers of a run, and the keys of its REST API. */
export interface Serving {
  readonly servers: Servers;
  readonly apiKeys: readonly string[];
}

/** Data of the REST API. */
export interface ApiBackend {
  readonly world: WorldView;
  readonly session: (() => Session) | undefined;
}

/** Starts the servers that the options ask for. @throws BusbarError `invalid-option`, `file-failed`, `port-in-use` */
export async function serve(options: SendOptions, backend: ApiBackend): Promise<Serving> {
  const { clock = systemClock, logger = stderrLogger } = options;
  const { kafka, http: httpOptions } = serversAsked(options);
  const api = platformApiService(options.platformApi ?? {}, { ...backend, clock, logger });
  const http = httpOptions && { port: httpOptions.port, ...(await httpSecurity(httpOptions)) };
  const servers = await startServers({ kafka, http, services: [api.service], clock, logger });
  return { servers, apiKeys: api.apiKeys };
}

export function mountControlApi(http: HttpServer, options: Omit<ControlApiOptions, 'guard'>): void {
  const load = async () => {
    const { controlApi } = await import('../control-api/index.js');
    return controlApi({ ...options, guard: http.guard });
  };
  http.use('/emulator/v1', lazyRoutes(load));
}

export function mountDashboard(http: HttpServer, options: DashboardOptions): void {
  const load = async () => {
    const { dashboard } = await import('../dashboard/dashboard.js');
    return dashboard(options);
  };
  http.use('/', lazyRoutes(load));
}

/** Returns the condition that the first event waits for. */
export function readiness(
  servers: Servers,
  { run: { waitForConsumer: consumer } = {} }: SendOptions,
): { readonly ready?: Promise<void> } {
  return consumer !== undefined && servers.sinks.length > 0
    ? { ready: servers.waitForConsumer(consumer) }
    : {};
}
