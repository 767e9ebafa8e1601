import { systemClock } from '../../src/base/clock.js';
import { stderrLogger } from '../../src/base/logger.js';
import type { ControlApiOptions } from '../control-api/index.js';
import type { DashboardOptions } from '../dashboard/dashboard.js';
import { onDemand } from '../http/on-demand.js';
import { httpSecurity } from '../http/secure.js';
import type { HttpServer } from '../http/server.js';
import { type Servers, startServers } from '../http/servers.js';
import { platformApiService } from '../platform-api/service.js';
import type { WorldView } from '../platform-api/world-view.js';
import type { Session } from '../run/session.js';
import { portsOf, requireHttp, type SendOptions } from './send-options.js';

/** The servers of a run, and the keys of its REST API. */
export interface Serving {
  readonly servers: Servers;
  readonly apiKeys: readonly string[];
}

/** What the REST API answers from. */
export interface Behind {
  readonly world: WorldView;
  readonly session: (() => Session) | undefined;
}

/** Starts the servers that are wanted, or none. */
export async function serve(options: SendOptions, behind: Behind): Promise<Serving> {
  const { clock = systemClock, logger = stderrLogger } = options;
  const ports = portsOf(options);
  requireHttp(ports.httpPort, options);
  const api = platformApiService(options.platformApi ?? {}, { ...behind, clock, logger });
  const security = await httpSecurity(options);
  const servers = await startServers({ ...ports, ...security, services: [api.service], clock, logger });
  return { servers, apiKeys: api.apiKeys };
}

/** Opens the control API. */
export function steer(http: HttpServer, under: Omit<ControlApiOptions, 'guard'>): void {
  const load = async () => {
    const { controlApi } = await import('../control-api/index.js');
    return controlApi({ ...under, guard: http.guard });
  };
  http.use('/emulator/v1', onDemand(load));
}

/** Opens the dashboard. */
export function showPage(http: HttpServer, options: DashboardOptions): void {
  const load = async () => {
    const { dashboard } = await import('../dashboard/dashboard.js');
    return dashboard(options);
  };
  http.use('/', onDemand(load));
}

/** What the run has to wait for before it begins. */
export function readiness(
  servers: Servers,
  { waitForConsumer: awaited }: SendOptions,
): { readonly ready?: Promise<void> } {
  return awaited !== undefined && servers.sinks.length > 0 ? { ready: servers.waitForConsumer(awaited) } : {};
}
