import { BusbarError, stderrLogger, systemClock } from 'busbar/base';
import { subprotocol } from 'busbar/internal/websocket-protocol';
import type { RunningBroker } from '../broker/index.js';
import type { ControlApiOptions } from '../control-api/index.js';
import type { DashboardOptions } from '../dashboard/dashboard.js';
import { createAccess } from '../http/access.js';
import { lazyRoutes } from '../http/lazy-routes.js';
import { httpSecurity, isLoopback } from '../http/secure.js';
import { createHttpServer, type HttpServer } from '../http/server.js';
import type { PlatformApi } from '../platform-api/api.js';
import { platformApiService } from '../platform-api/service.js';
import type { PlanOptions } from '../run/plan.js';
import type { Run, RunSummary } from '../run/run.js';
import { type BrokerSink, brokerSink } from '../sinks/broker.js';
import { consumed, type ConsumedOptions } from '../control-api/consumed.js';
import { type WebSocketSink, websocketSink } from '../sinks/websocket.js';
import { type SendOptions, serversAsked } from './send-options.js';

/** Data of the REST API and the stream. */
interface ApiBackend extends Pick<PlatformApi, 'world' | 'session'> {
  /** Returns the state of the run. */
  readonly report: () => object;
}

/** The emulator's own servers: the broker, and HTTP with the event stream and the REST API. */
export type Servers = Awaited<ReturnType<typeof startServers>>;

/** Starts the servers that the options ask for. @throws BusbarError `invalid-option`, `file-failed`, `port-in-use` */
export async function startServers(
  options: SendOptions & Pick<PlanOptions, 'seed'>,
  { report, ...backend }: ApiBackend,
) {
  const { clock = systemClock, logger = stderrLogger, seed = 1, platformApi = {}, run = {} } = options;
  const { kafka, http: asked } = serversAsked(options);
  const api = platformApiService(platformApi, { ...backend, clock, logger });
  const address = asked && { port: asked.port, ...(await httpSecurity(asked)) };
  const broker = kafka === false ? undefined : await brokerSink({ ...kafka, seed, logger });
  if (kafka !== false && !isLoopback(kafka.host)) {
    logger.warn('other machines can use the kafka broker without a password', { host: kafka.host });
  }
  const stream = address === false ? undefined : websocketSink({ clock, logger, report });
  const access = address === false || isLoopback(address.host) ? undefined : createAccess();
  let http: HttpServer | undefined;
  try {
    if (address !== false && stream !== undefined) {
      const { tls, ...at } = address;
      http = await createHttpServer({
        ...at,
        ...(tls && { tls }),
        ...(access && { access }),
        logger,
        services: [
          { path: streamPath, about: streamAbout, upgrade: stream.upgrade },
          { path: '/emulator/v1/', about: 'the control API; its document is at /emulator/v1/openapi.json' },
          api.service,
        ],
      });
    }
  } catch (error) {
    await broker?.close();
    throw error;
  }

  const token = access === undefined ? '' : `?token=${access.token}`;
  const sinks = [broker, stream].filter((sink) => sink !== undefined);
  const { waitForConsumer: consumer } = run;
  return {
    url: http?.url,
    /** The URL of the dashboard, with the access token if other machines reach it. */
    pageUrl: http && `${http.url}/${token}`,
    http,
    streamUrl: http && http.url.replace(/^http/, 'ws') + streamPath + token,
    broker,
    stream,
    /** The sinks through which a run serves its events. */
    sinks,
    apiKeys: api.apiKeys,
    /** The condition that the first event waits for. */
    readiness:
      consumer === undefined || sinks.length === 0 ? {} : { ready: consumerOf(consumer, broker, stream) },
    async stop(): Promise<void> {
      await stream?.close();
      await http?.stop();
      await broker?.close();
    },
  };
}

const streamPath = '/events';
const streamAbout = `the event stream, a WebSocket with subprotocol ${subprotocol}`;

/**
 * Resolves when the consumer group of that name on the broker has begun to fetch, or the consumer of that name on the
 * stream is attached; for a number, when that many consumers are attached to the stream.
 */
async function consumerOf(
  wanted: string | number,
  broker: BrokerSink | undefined,
  stream: WebSocketSink | undefined,
): Promise<void> {
  const ways = [stream?.waitForConsumer(wanted)];
  if (typeof wanted === 'string') ways.push(broker?.waitForGroup(wanted));
  await Promise.race(ways.filter((way) => way !== undefined));
}

/** Adds the control API and the dashboard to the HTTP server, if there is one. */
export function mountPages(
  { http, broker, stream }: Servers,
  { session, ...options }: Omit<DashboardOptions, 'broker'> & Pick<ControlApiOptions, 'session'>,
): void {
  if (http === undefined) return;
  const control = async () => {
    const { controlApi } = await import('../control-api/index.js');
    return controlApi({ session, broker, stream, guard: http.guard });
  };
  const pages = async () => {
    const { dashboard } = await import('../dashboard/dashboard.js');
    return dashboard({ ...options, broker });
  };
  http.use('/emulator/v1', lazyRoutes(control));
  http.use('/', lazyRoutes(pages));
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
interface PlayedRun {
  readonly run: () => Run;
  readonly finished: Promise<RunSummary>;
  readonly end: () => Promise<unknown>;
}

export function playback(
  servers: Servers,
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
    apiKeys: servers.apiKeys,
    finished,
    async consumed(options) {
      if (broker === undefined)
        throw new BusbarError('invalid-option', 'consumed() needs the broker. Set "kafka".');
      await consumed(options, { broker: broker.broker, run: run(), clock, stopping: stopping.signal });
    },
    stop: () => (stopped ??= stop()),
  };
}
