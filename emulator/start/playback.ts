import { BusbarError, stderrLogger, systemClock } from 'busbar/base';
import type { RunningBroker } from '../broker/index.js';
import type { ControlApiOptions } from '../control-api/index.js';
import type { DashboardOptions } from '../dashboard/dashboard.js';
import { lazyRoutes } from '../http/lazy-routes.js';
import { httpSecurity } from '../http/secure.js';
import type { HttpServer } from '../http/server.js';
import { type Servers, startServers } from '../http/servers.js';
import { platformApiService } from '../platform-api/service.js';
import type { WorldView } from '../platform-api/world-view.js';
import type { PlanOptions } from '../run/plan.js';
import type { Run, RunSummary } from '../run/run.js';
import type { Session } from '../run/session.js';
import { consumed, type ConsumedOptions } from '../sinks/consumed.js';
import { type SendOptions, serversAsked } from './send-options.js';

/** Servers of a run, and the keys of its REST API. */
export interface Serving {
  readonly servers: Servers;
  readonly apiKeys: readonly string[];
}

/** Data of the REST API and the stream. */
export interface ApiBackend {
  readonly world: WorldView;
  readonly session: (() => Session) | undefined;
  /** Returns the state of the run. */
  readonly report: () => object;
}

/** Starts the servers that the options ask for. @throws BusbarError `invalid-option`, `file-failed`, `port-in-use` */
export async function serve(
  options: SendOptions & Pick<PlanOptions, 'seed'>,
  backend: ApiBackend,
): Promise<Serving> {
  const { clock = systemClock, logger = stderrLogger, seed = 1 } = options;
  const { kafka, http: httpOptions } = serversAsked(options);
  const api = platformApiService(options.platformApi ?? {}, { ...backend, clock, logger });
  const http = httpOptions && { port: httpOptions.port, ...(await httpSecurity(httpOptions)) };
  const servers = await startServers({
    kafka: kafka && { ...kafka, seed },
    http,
    services: [api.service],
    clock,
    logger,
    report: backend.report,
  });
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

/** A running run or replay, with its servers. */
export interface Playback {
  /** Address of the broker for Kafka clients, `127.0.0.1:9092`, or undefined without a broker. */
  readonly bootstrapServers: string | undefined;
  /** Port of the broker, or undefined without a broker. */
  readonly kafkaPort: number | undefined;
  /** Embedded broker, to inject faults, or undefined without a broker. */
  readonly broker: Omit<RunningBroker, 'stop'> | undefined;
  /** Address of the HTTP server, `http://127.0.0.1:4100`, or undefined without one. */
  readonly url: string | undefined;
  /** Address of the dashboard. Includes the access token if other machines can reach the server. */
  readonly pageUrl: string | undefined;
  /** Address of the stream, `ws://127.0.0.1:4100/events`, with the access token as in `pageUrl`. */
  readonly streamUrl: string | undefined;
  /** Address of the REST API, `http://127.0.0.1:4100/v1/`, or undefined without an HTTP server. */
  readonly apiUrl: string | undefined;
  /** API keys of the REST API. */
  readonly apiKeys: readonly string[];
  /** Resolves when every sink has sent the last event. The servers run until `stop`. Rejects if the run fails. */
  readonly finished: Promise<RunSummary>;
  /** Current run, to pause, resume, step, observe or stop. */
  readonly run: Run;
  /**
   * Waits for a consumer group on the broker. Resolves when the run has nothing left to send and the group has committed the
   * end of every partition.
   * @throws BusbarError `not-consumed`, with the lag and the state of the members
   */
  consumed(options: ConsumedOptions): Promise<void>;
  /** Stops the run, its sinks and its servers. Later calls wait for the first. */
  stop(): Promise<void>;
}

/** Access to the run of a playback. */
export interface PlayedRun {
  readonly run: () => Run;
  readonly finished: Promise<RunSummary>;
  readonly end: () => Promise<unknown>;
}

export function playback(
  { servers, apiKeys }: Serving,
  { sinks = [], clock = systemClock }: SendOptions,
  { run, finished, end }: PlayedRun,
): Omit<Playback, 'run'> {
  const { broker } = servers;
  const stopping = new AbortController();
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping.abort();
    await end();
    for (const sink of sinks) await sink.close();
    await servers.stop();
  };
  return {
    bootstrapServers: broker?.bootstrapServers,
    kafkaPort: broker?.broker.port,
    broker: broker?.broker,
    url: servers.url,
    pageUrl: servers.pageUrl,
    streamUrl: servers.streamUrl,
    apiUrl: servers.url && `${servers.url}/v1/`,
    apiKeys,
    finished,
    async consumed(options) {
      if (broker !== undefined) {
        await consumed(options, { broker: broker.broker, run: run(), clock, stopping: stopping.signal });
        return;
      }
      throw new BusbarError('invalid-option', 'consumed() needs the broker. Set "kafka".');
    },
    stop: () => (stopped ??= stop()),
  };
}
