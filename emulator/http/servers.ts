import type { Clock } from '../../src/base/clock.js';
import type { Logger } from '../../src/base/logger.js';
import { subprotocol } from '../../src/transports/websocket-protocol.js';
import { type BrokerSink, brokerSink } from '../sinks/broker.js';
import type { Sink } from '../sinks/sink.js';
import { type WebSocketSink, websocketSink } from '../sinks/websocket.js';
import { createAccess } from './access.js';
import { isLoopback } from './secure.js';
import { createHttpServer, type HttpServer } from './server.js';
import type { HttpService } from './service.js';
import type { TlsFiles } from './tls.js';

export interface ServerOptions {
  /** 0 takes a free one, false does without. The broker listens on 127.0.0.1. */
  readonly httpPort: number | false;
  readonly kafkaPort: number | false;
  /** The address that HTTP listens on, and the key and certificate where it is HTTPS. */
  readonly host: string;
  readonly tls: TlsFiles | undefined;
  /** What else is served over HTTP. */
  readonly services: readonly HttpService[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The emulator's own servers: the broker, and HTTP with the stream on it. */
export interface Servers {
  readonly url: string | undefined;
  /** Where the page is; bears the access token where the address is not this machine's alone. */
  readonly pageUrl: string | undefined;
  readonly streamUrl: string | undefined;
  /** The servers themselves, for whoever looks into them. */
  readonly broker: BrokerSink | undefined;
  readonly stream: WebSocketSink | undefined;
  /** Where further routes go; undefined where there is no HTTP server. */
  readonly http: HttpServer | undefined;
  /** What a run writes to, for its events to be served. */
  readonly sinks: readonly Sink[];
  /**
   * Resolves when a consumer group of that name on the broker has begun to fetch, or a consumer of that name on the
   * stream has attached; or that many consumers on the stream.
   */
  waitForConsumer(wanted: string | number): Promise<void>;
  stop(): Promise<void>;
}

const streamPath = '/events';

/** Starts the servers that are wanted, or none. @throws BusbarError `port-in-use` */
export async function startServers(options: ServerOptions): Promise<Servers> {
  const { httpPort, kafkaPort, logger } = options;
  const broker = kafkaPort === false ? undefined : await brokerSink({ port: kafkaPort, logger });
  let web: Awaited<ReturnType<typeof serveHttp>> | undefined;
  try {
    if (httpPort !== false) web = await serveHttp(httpPort, options);
  } catch (error) {
    await broker?.close();
    throw error;
  }

  const token = web?.access === undefined ? '' : `?token=${web.access.token}`;
  return {
    url: web?.http.url,
    pageUrl: web && `${web.http.url}/${token}`,
    http: web?.http,
    streamUrl: web && web.http.url.replace(/^http/, 'ws') + streamPath + token,
    broker,
    stream: web?.stream,
    sinks: [broker, web?.stream].filter((sink) => sink !== undefined),
    waitForConsumer: (wanted) => attached(wanted, broker, web?.stream),
    async stop() {
      await web?.stream.close();
      await web?.http.stop();
      await broker?.close();
    },
  };
}

async function serveHttp(port: number, { host, tls, services, clock, logger }: ServerOptions) {
  const stream = await websocketSink({ clock, logger });
  const access = isLoopback(host) ? undefined : createAccess();
  const about = `the stream of events, as WebSocket with subprotocol ${subprotocol}`;
  const http = await createHttpServer({
    port,
    host,
    logger,
    ...(tls && { tls }),
    ...(access && { access }),
    services: [
      { path: streamPath, about, upgrade: stream.upgrade },
      { path: '/emulator/v1/', about: 'steering the emulator: see /emulator/v1/openapi.json' },
      ...services,
    ],
  });
  return { http, stream, access };
}

function attached(wanted: string | number, broker?: BrokerSink, stream?: WebSocketSink): Promise<void> {
  const ways = [stream?.waitForConsumer(wanted)];
  if (typeof wanted === 'string') ways.push(broker?.waitForGroup(wanted));
  return Promise.race(ways.filter((way) => way !== undefined));
}
