import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, STATUS_CODES } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { RequestHandler } from 'express';
import { BusbarError } from '../../src/base/errors.js';
import { type Logger, stderrLogger } from '../../src/base/logger.js';
import { type Access, checkAccess } from './access.js';
import { declineUpgrade, offersOtherProtocol } from './declined-upgrade.js';
import { createGuard, type Guard } from './guard.js';
import { listeningOnDemand } from './on-demand.js';
import type { HttpService, Upgrade, UpgradeAnswer } from './service.js';
import { createTlsServer, type TlsFiles } from './tls.js';
import { answerUnreadable, letThrough } from './unreadable.js';
import { told } from '../../src/base/thrown.js';

export interface HttpServerOptions {
  /** 0 lets the system choose. */
  readonly port: number;
  /** The address to listen on. Default 127.0.0.1: this machine only. */
  readonly host?: string;
  /** Serve HTTPS with this key and certificate; plain HTTP is then refused. Default: plain HTTP. */
  readonly tls?: TlsFiles;
  /** Who may come in. Default: everybody who reaches the address. */
  readonly access?: Access;
  /** Further names by which the server is reached, as that of a container. Default none. */
  readonly allowedHosts?: readonly string[];
  /** What is served, for the front page, the list in a 404, and upgrades. */
  readonly services?: readonly HttpService[];
  /** For bugs in routes, with their stack. Default: standard error. */
  readonly logger?: Logger;
}

export interface HttpServer {
  /** Without a slash at the end: `http://127.0.0.1:4100`. */
  readonly url: string;
  /** Adds what answers below a path, at any time; what nobody answers is a 404. */
  readonly use: (path: string, routes: RequestHandler) => void;
  /** What keeps foreign pages out. */
  readonly guard: Guard;
  /** What listens. */
  readonly server: Server;
  /** Cuts every connection and frees the port. Later calls wait for the first. */
  stop(): Promise<void>;
}

/**
 * Starts the one HTTP server of the emulator. Refuses requests under foreign host names, and upgrades from pages of
 * other origins, with 403.
 * @throws BusbarError `port-in-use`; `invalid-option` for a port or an address that cannot be listened on.
 */
export async function createHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { port, host = '127.0.0.1', allowedHosts = [], services = [], logger = stderrLogger, tls } = options;
  const { access } = options;
  const guard = createGuard(host, allowedHosts);
  const check = access && checkAccess(access, tls !== undefined);
  // Express is loaded for the first request: a run whose events go over Kafka alone begins without it.
  const early: (readonly [string, RequestHandler])[] = [];
  let use = (path: string, routes: RequestHandler): void => void early.push([path, routes]);
  const answerAll = listeningOnDemand(
    async () => {
      const { createApp } = await import('./app.js');
      const { outer, app } = createApp(guard, services, logger, check);
      use = (path, routes) => void app.use(path, routes);
      for (const [path, routes] of early) use(path, routes);
      return outer;
    },
    (error) => logger.error(`The HTTP server cannot answer: ${told(error)}`),
  );
  // What speaks HTTP, and what listens: with TLS the second hands connections to the first.
  const { web, server } = tls === undefined ? plainServer(answerAll) : createTlsServer(answerAll, tls);
  const refuse = (request: IncomingMessage): UpgradeAnswer | undefined => {
    const { host: asked, origin } = request.headers;
    const foreign = guard.refuseHost(request);
    if (foreign !== undefined) return foreign;
    const message = guard.refuseOrigin(origin, asked);
    if (message !== undefined) return { status: 403, message };
    if (access?.admits(request) !== false) return undefined;
    return { status: 401, message: 'Add the access token that the emulator printed: ?token=TOKEN.' };
  };
  answerUnreadable(web);
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  web.on('upgrade', (request, socket, head) => {
    if (offersOtherProtocol(request)) {
      declineUpgrade(web, request, socket, head);
      return;
    }
    // The client may be gone by now; nobody else listens yet.
    socket.on('error', () => socket.destroy());
    const refusal = refuse(request) ?? serviceFor(request, services)(request, socket, head);
    if (refusal !== undefined) answer(socket, refusal);
  });
  await listen(server, port, host);

  let stopping: Promise<void> | undefined;
  const { port: bound } = server.address() as AddressInfo;
  return {
    url: `${tls === undefined ? 'http' : 'https'}://${urlHost(host)}:${bound}`,
    use: (path, routes) => use(path, routes),
    guard,
    server,
    stop() {
      stopping ??= new Promise((resolve) => {
        server.close(() => resolve());
        // Upgraded connections too, which the server itself has forgotten.
        for (const socket of connections) socket.destroy();
      });
      return stopping;
    },
  };
}

function plainServer(answerAll: RequestListener) {
  const server = createServer(letThrough, answerAll);
  return { web: server, server };
}

/**
 * Connections that may wait to be accepted. Of a thousand that come at once, those beyond Node's 511 are reset half a
 * minute later.
 */
const backlog = 4096;

async function listen(server: Server, port: number, host: string): Promise<void> {
  try {
    server.listen({ port, host, backlog });
    await once(server, 'listening');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      const hint = 'Stop it, or take another one: --http-port 0 lets the system choose.';
      const message = `Another program listens on port "${port}" of "${host}". ${hint}`;
      throw new BusbarError('port-in-use', message, { cause: error });
    }
    if (['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'ERR_SOCKET_BAD_PORT'].includes(code)) {
      const message = `Port "${port}" of "${host}" cannot be listened on (${code}). Take another port or address.`;
      throw new BusbarError('invalid-option', message, { cause: error });
    }
    throw error;
  }
}

function serviceFor({ url }: IncomingMessage, services: readonly HttpService[]): Upgrade {
  const path = url?.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split('?', 1)[0];
  const streams = services.filter(({ upgrade }) => upgrade !== undefined);
  const message = `There is no WebSocket at this path. There is: ${streams.map((each) => each.path).join(', ') || 'none'}.`;
  return streams.find((each) => each.path === path)?.upgrade ?? (() => ({ status: 404, message }));
}

/** An upgrade has no response object: this is what one would write. */
function answer(socket: Duplex, { status, message }: UpgradeAnswer): void {
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
