import { createServer, type IncomingMessage, type RequestListener, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RequestHandler } from 'express';
import { listen, type Logger, stderrLogger, safeMessage } from 'busbar/base';
import { type Access, checkAccess } from './access.js';
import { declineUpgrade, ignoringOffers, offersOtherProtocol } from './declined-upgrade.js';
import { createGuard } from './guard.js';
import { lazyListener } from './lazy-routes.js';
import type { HttpService, Upgrade, UpgradeRefusal } from './service.js';
import { createTlsServer, type TlsFiles } from './tls.js';
import { lenientServerOptions, respondToMalformed } from './malformed-requests.js';

export interface HttpServerOptions {
  /** The port; 0 chooses a free one. */
  readonly port: number;
  /** The address to listen on. Default 127.0.0.1, which only this machine reaches. */
  readonly host?: string;
  /** The key and certificate for HTTPS, which refuses plain HTTP. Default: plain HTTP. */
  readonly tls?: TlsFiles;
  /** The access token check. Default: every request is admitted. */
  readonly access?: Access;
  /** The services, for the front page, the list in a 404, and upgrades. Default none. */
  readonly services?: readonly HttpService[];
  /** Logs errors of routes, with their stack. Default: standard error. */
  readonly logger?: Logger;
}

export type HttpServer = Awaited<ReturnType<typeof createHttpServer>>;

/**
 * Starts the emulator's HTTP server. Refuses requests for foreign host names, and upgrades from pages of other origins,
 * with 403.
 * @throws BusbarError `port-in-use`; `invalid-option` for an unusable port or address.
 */
export async function createHttpServer(options: HttpServerOptions) {
  const { port, host = '127.0.0.1', services = [], logger = stderrLogger, tls } = options;
  const { access } = options;
  const guard = createGuard(host);
  const check = access && checkAccess(access, tls !== undefined);
  // Express is loaded for the first request, so a run with Kafka only starts without it.
  const early: (readonly [string, RequestHandler])[] = [];
  let use = (path: string, routes: RequestHandler): void => void early.push([path, routes]);
  const listener = lazyListener(
    async () => {
      const { createApp } = await import('./app.js');
      const { outer, app } = createApp(guard, services, logger, check);
      use = (path, routes) => void app.use(path, routes);
      for (const [path, routes] of early) use(path, routes);
      return outer;
    },
    (error) => logger.error('http routes failed to load', { error: safeMessage(error) }),
  );
  // `web` speaks HTTP and `server` listens: with TLS the second passes connections to the first.
  const { web, server } = tls === undefined ? plainServer(listener) : createTlsServer(listener, tls);
  const refuse = (request: IncomingMessage): UpgradeRefusal | undefined => {
    const { host: asked, origin } = request.headers;
    const foreign = guard.refuseHost(request);
    if (foreign !== undefined) return foreign;
    const message = guard.refuseOrigin(origin, asked);
    if (message !== undefined) return { status: 403, message };
    if (access?.admits(request) !== false) return undefined;
    return { status: 401, message: 'Add the access token that the emulator printed: ?token=TOKEN.' };
  };
  respondToMalformed(web);
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    // Known after a declined upgrade: the server handles the connection again.
    if (connections.has(socket)) return;
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  web.on('upgrade', (request, socket, head) => {
    if (offersOtherProtocol(request)) {
      declineUpgrade(web, request, socket, head);
      return;
    }
    // The client may have disconnected, and no other listener exists yet.
    socket.on('error', () => socket.destroy());
    const refusal = refuse(request) ?? serviceFor(request, services)(request, socket, head);
    if (refusal !== undefined) sendRefusal(socket, refusal);
  });
  const { port: bound } = await listen(server, {
    port,
    host,
    backlog,
    subject: 'The HTTP server',
    option: 'http.port',
  });

  let stopping: Promise<void> | undefined;
  return {
    /** The base URL without a slash at the end: `http://127.0.0.1:4100`. */
    url: `${tls === undefined ? 'http' : 'https'}://${urlHost(host)}:${bound}`,
    /** Adds routes below a path, at any time. Requests without a route get a 404. */
    use: (path: string, routes: RequestHandler) => use(path, routes),
    /** Refuses pages of other sites. */
    guard,
    server,
    /** Closes all connections and the port. Later calls wait for the first. */
    stop: (): Promise<void> =>
      (stopping ??= new Promise((resolve) => {
        server.close(() => resolve());
        // Also upgraded connections, which the server does not know any more.
        for (const socket of connections) socket.destroy();
      })),
  };
}

function plainServer(listener: RequestListener) {
  const server = createServer({ ...lenientServerOptions, ...ignoringOffers }, listener);
  return { web: server, server };
}

/**
 * The maximum number of connections that wait to be accepted. With Node's 511, of a thousand concurrent ones the others
 * are reset after half a minute.
 */
const backlog = 4096;

function serviceFor({ url }: IncomingMessage, services: readonly HttpService[]): Upgrade {
  const path = url?.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split('?', 1)[0];
  const streams = services.filter(({ upgrade }) => upgrade !== undefined);
  const message = `This path has no WebSocket. Paths with one: ${streams.map((each) => each.path).join(', ') || 'none'}.`;
  return streams.find((each) => each.path === path)?.upgrade ?? (() => ({ status: 404, message }));
}

/** Writes a response to an upgrade, which has no response object. */
function sendRefusal(socket: Duplex, { status, message }: UpgradeRefusal): void {
  const body = `${message}\n`;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n` +
      'Connection: close\r\nContent-Type: text/plain; charset=utf-8\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
