import { createServer, isIPv6, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { Broker } from './broker.js';
import { objectWith, type OptionTable, portNumber, text, withDefaults } from '../../src/base/options.js';
import { BrokerError } from './broker-error.js';
import type { Address } from './connection.js';
import { brokerOptions, type BrokerOptions, checkBrokerOptions } from './options.js';

/** Finds peers that are gone without a word; Kafka asks for keep-alive, too. */
const SOCKET_OPTIONS = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 };
/** A client with TLS has sent nothing before its handshake is complete. */
const HANDSHAKE_MS = 5000;

export interface StartBrokerOptions extends BrokerOptions {
  /** 9092 by default; 0 takes a free one. */
  readonly port?: number;
  /** 127.0.0.1 by default: the broker is for this machine unless told otherwise. */
  readonly host?: string;
  /** Serve TLS with this key and certificate (PEM); with `ca` and `requestCert`, clients must bring one, too. */
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

/** A broker that listens. */
export interface RunningBroker extends Pick<Broker, 'append' | 'inspect' | 'intercept' | 'onCommit'> {
  /** What a client is configured with: `host:port`. */
  readonly bootstrapServers: string;
  readonly port: number;
  /** Closes the port and every connection. May be called more than once. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded broker: a single Kafka-protocol node in memory, for development and tests.
 *
 * @example
 * const broker = await startBroker({ port: 0, topics: [{ name: 'platform.events', partitions: 6 }] });
 * const kafka = new Kafka({ brokers: [broker.bootstrapServers] });
 * await broker.stop();
 *
 * @throws {BrokerError} ADDRESS_IN_USE, CANNOT_LISTEN, INVALID_OPTION
 */
export async function startBroker(options: StartBrokerOptions = {}): Promise<RunningBroker> {
  checkBrokerOptions('startBroker()', startOptions, options);
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
    broker.logger.warn('TLS connection refused', { error: error.message });
  });
  const bound = await listen(server, { host, port });
  server.on('error', (error: Error) => broker.logger.error('listener failed', { error: error.message }));

  let stopped: Promise<void> | undefined;
  return {
    bootstrapServers: `${isIPv6(host) ? `[${host}]` : isWildcard(host) ? 'localhost' : host}:${bound}`,
    port: bound,
    append: (topic, records) => broker.append(topic, records),
    inspect: () => broker.inspect(),
    intercept: (apiKey, interceptor) => broker.intercept(apiKey, interceptor),
    onCommit: (listener) => broker.onCommit(listener),
    stop: () => (stopped ??= stopAll(server, broker, sockets)),
  };
}

function listen(server: Server, { host, port }: Address): Promise<number> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException): void => reject(listenError(error, { host, port }));
    server.once('error', refuse);
    server.listen({ host, port }, () => {
      server.off('error', refuse);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Address): BrokerError {
  if (error.code === 'EADDRINUSE') {
    return new BrokerError(
      'ADDRESS_IN_USE',
      `port ${port} on "${host}" is in use, perhaps by another broker; stop it, or take a free port: --kafka-port 0 (in code: port: 0)`,
      { cause: error },
    );
  }
  const message = `the broker cannot listen on "${host}", port ${port}: ${error.message}; choose another host or port`;
  return new BrokerError('CANNOT_LISTEN', message, { cause: error });
}

function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::' || host === '';
}

async function stopAll(server: Server, broker: Broker, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  await broker.stop();
  // The broker does not know those whose handshake is not complete.
  for (const socket of sockets) socket.destroy();
  await closed;
}
