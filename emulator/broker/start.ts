import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { Broker } from './broker.js';
import {
  checkOptions,
  listen,
  objectWith,
  type OptionTable,
  portNumber,
  text,
  withDefaults,
} from 'busbar/base';
import { brokerOptions, type BrokerOptions } from './options.js';

/** Keep-alive detects peers that disappear without closing. Kafka uses it, too. */
const SOCKET_OPTIONS = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 };
/** Milliseconds for the TLS handshake, during which `Connections` does not know the client. */
const HANDSHAKE_MS = 5000;

/** The options of {@link startBroker}. */
export interface StartBrokerOptions extends BrokerOptions {
  /** Default 9092; 0 chooses a free port. */
  readonly port?: number;
  /** The address to listen on. Default 127.0.0.1, which only this machine reaches. */
  readonly host?: string;
  /** The key and certificate (PEM) for TLS; `ca` and `requestCert` require client certificates. Default: no TLS. */
  readonly tls?: Pick<
    TlsOptions,
    'key' | 'cert' | 'ca' | 'passphrase' | 'requestCert' | 'rejectUnauthorized'
  >;
}

const startOptions = {
  ...brokerOptions,
  port: { type: portNumber, default: 9092 },
  host: { type: text, default: '127.0.0.1' },
  tls: { type: objectWith('an object with "key" and "cert"') },
} satisfies OptionTable<StartBrokerOptions>;

/** A broker that listens on a port. */
export interface RunningBroker
  extends Pick<Broker, 'inspect' | 'faults' | 'evict' | 'rebalance' | 'truncate' | 'closeConnections'> {
  /** The address for Kafka clients, as `host:port`. */
  readonly bootstrapServers: string;
  readonly port: number;
  /** Closes the port and all connections. May be called more than once. */
  stop(): Promise<void>;
}

/** A running broker with its internal methods, for the emulator's sinks and for tests. */
export interface EmbeddedBroker
  extends RunningBroker,
    Pick<Broker, 'append' | 'read' | 'fetchedAt' | 'clock' | 'onCommit' | 'onRequest'> {}

/**
 * Starts the embedded broker: a single Kafka-protocol node in memory, for development and tests.
 *
 * @example
 * const broker = await startBroker({ port: 0, topics: [{ name: 'platform.events', partitions: 6 }] });
 * const kafka = new Kafka({ brokers: [broker.bootstrapServers] });
 * await broker.stop();
 *
 * @throws BusbarError `port-in-use`, `invalid-option`
 */
export function startBroker(options?: StartBrokerOptions): Promise<RunningBroker> {
  return startEmbeddedBroker(options);
}

/** {@link startBroker} with the internal methods, and the name of the port's option in messages. */
export async function startEmbeddedBroker(
  options: StartBrokerOptions = {},
  portOption = 'port',
): Promise<EmbeddedBroker> {
  checkOptions<StartBrokerOptions>('startBroker()', startOptions, options);
  const { port, host, tls } = withDefaults(startOptions, options);
  const broker = new Broker(options);
  const accept = (socket: Socket): void => {
    const reachedAt = { host: socket.localAddress ?? host, port: socket.localPort ?? port };
    broker.handle(socket, {
      clientHost: socket.remoteAddress ?? 'unknown',
      advertised: isWildcard(host) ? reachedAt : { host, port: reachedAt.port },
    });
  };
  const server = tls
    ? createTlsServer({ ...SOCKET_OPTIONS, ...tls, handshakeTimeout: HANDSHAKE_MS }, accept)
    : createServer(SOCKET_OPTIONS, accept);
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', (error: Error) => {
    broker.logger.warn('tls connection refused', { error: error.message });
  });
  const { port: bound } = await listen(server, {
    port,
    host,
    subject: 'The broker',
    option: portOption,
  });
  server.on('error', (error: Error) => broker.logger.error('listener failed', { error: error.message }));

  let stopped: Promise<void> | undefined;
  return {
    bootstrapServers: `${isWildcard(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${bound}`,
    port: bound,
    clock: broker.clock,
    append: (topic, records) => broker.append(topic, records),
    read: (at, maxBytes) => broker.read(at, maxBytes),
    fetchedAt: (group, at) => broker.fetchedAt(group, at),
    inspect: () => broker.inspect(),
    faults: broker.faults,
    evict: (options) => broker.evict(options),
    rebalance: (options) => broker.rebalance(options),
    truncate: (options) => broker.truncate(options),
    closeConnections: (options) => broker.closeConnections(options),
    onCommit: (listener) => broker.onCommit(listener),
    onRequest: (listener) => broker.onRequest(listener),
    stop: () => (stopped ??= stopAll(server, broker, sockets)),
  };
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '';
}

async function stopAll(server: Server, broker: Broker, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await broker.stop();
  // The broker does not know sockets in a TLS handshake.
  for (const socket of sockets) socket.destroy();
  await closed;
}
