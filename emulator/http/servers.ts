import type { Clock, Logger } from 'busbar/base';
import { subprotocol } from 'busbar/internal/websocket-protocol';
import { type BrokerSink, brokerSink, type BrokerSinkOptions } from '../sinks/broker.js';
import type { Sink } from '../run/sink.js';
import { type WebSocketSink, websocketSink } from '../sinks/websocket.js';
import { createAccess } from './access.js';
import { isLoopback } from './secure.js';
import { createHttpServer, type HttpServer } from './server.js';
import type { HttpService } from './service.js';
import type { TlsFiles } from './tls.js';

export interface ServerOptions {
  /** Address of the broker, or false for no broker. */
  readonly kafka: (Omit<BrokerSinkOptions, 'logger'> & { readonly host: string }) | false;
  /** Address of the HTTP server, with key and certificate for HTTPS, or false for no HTTP server. */
  readonly http: HttpAddress | false;
  /** Further services over HTTP. */
  readonly services: readonly HttpService[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns the state of the run for the stream's observers. */
  readonly report: () => object;
}

/** Address of the HTTP server, with key and certificate for HTTPS. */
interface HttpAddress {
  readonly port: number;
  readonly host: string;
  readonly tls: TlsFiles | undefined;
}

/** The emulator's own servers: the broker, and HTTP with the event stream. */
export interface Servers {
  readonly url: string | undefined;
  /** The URL of the dashboard, with the access token if other machines reach it. */
  readonly pageUrl: string | undefined;
  readonly streamUrl: string | undefined;
  readonly broker: BrokerSink | undefined;
  readonly stream: WebSocketSink | undefined;
  /** The HTTP server, to add routes; undefined without one. */
  readonly http: HttpServer | undefined;
  /** The sinks through which a run serves its events. */
  readonly sinks: readonly Sink[];
  /**
   * Resolves when the consumer group of that name on the broker has begun to fetch, or the consumer of that name on the
   * stream is attached; for a number, when that many consumers are attached to the stream.
   */
  waitForConsumer(wanted: string | number): Promise<void>;
  stop(): Promise<void>;
}

const streamPath = '/events';

/** Starts the broker and the HTTP server, unless their ports are false. @throws BusbarError `port-in-use` */
export async function startServers(options: ServerOptions): Promise<Servers> {
  const { http, kafka, logger } = options;
  const broker = kafka === false ? undefined : await brokerSink({ ...kafka, logger });
  if (kafka !== false && !isLoopback(kafka.host))
    logger.warn('other machines can use the kafka broker without a password', { host: kafka.host });
  let web: Awaited<ReturnType<typeof serveHttp>> | undefined;
  try {
    if (http !== false) web = await serveHttp(http, options);
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
    async waitForConsumer(wanted) {
      const ways = [web?.stream.waitForConsumer(wanted)];
      if (typeof wanted === 'string') ways.push(broker?.waitForGroup(wanted));
      await Promise.race(ways.filter((way) => way !== undefined));
    },
    async stop() {
      await web?.stream.close();
      await web?.http.stop();
      await broker?.close();
    },
  };
}

async function serveHttp({ port, host, tls }: HttpAddress, options: ServerOptions) {
  const { services, clock, logger, report } = options;
  const stream = websocketSink({ clock, logger, report });
  const access = isLoopback(host) ? undefined : createAccess();
  const about = `the event stream, a WebSocket with subprotocol ${subprotocol}`;
  const http = await createHttpServer({
    port,
    host,
    logger,
    ...(tls && { tls }),
    ...(access && { access }),
    services: [
      { path: streamPath, about, upgrade: stream.upgrade },
      { path: '/emulator/v1/', about: 'the control API; its document is at /emulator/v1/openapi.json' },
      ...services,
    ],
  });
  return { http, stream, access };
}
