import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Whether a request offers another protocol than WebSocket, which a server may ignore (RFC 9110, 7.8). Java's HttpClient
 * and `curl --http2` offer HTTP/2 with their first request to an HTTP URL.
 */
export function offersOtherProtocol({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.trim().toLowerCase() !== 'websocket';
}

/** Options of HTTP servers. From version 24.9 on, Node itself ignores an offer of another protocol. */
export const ignoringOffers = {
  shouldUpgradeCallback: (request: IncomingMessage) => !offersOtherProtocol(request),
};

/**
 * Responds to a request as if it offered no protocol. Node before version 24.9 has released its connection for an upgrade,
 * so the server handles the connection again, with the request without its offer; the body may arrive later.
 */
export function declineUpgrade(web: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] ?? '';
    if (!connectionHeaders.has(name.toLowerCase())) lines.push(`${name}: ${request.rawHeaders[at + 1]}`);
  }
  // Header values are bytes; Node decodes them as latin1.
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  web.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
}

/** Headers that concern this connection only (RFC 9110, 7.6.1; RFC 7540, 3.2.1). */
const connectionHeaders: ReadonlySet<string> = new Set(['connection', 'upgrade', 'http2-settings']);
