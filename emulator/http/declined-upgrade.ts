import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Whether a request offers another protocol than WebSocket, which a server may leave alone (RFC 9110, 7.8). Java's
 * HttpClient and `curl --http2` offer HTTP/2 with every first request to a plain address.
 */
export function offersOtherProtocol({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.trim().toLowerCase() !== 'websocket';
}

/**
 * Answers such a request as if nothing had been offered. Node has taken it for an upgrade and given its connection up,
 * so the connection begins again, with the request less its offer; the body may still be on its way.
 */
export function declineUpgrade(web: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] ?? '';
    if (!ofTheOffer.has(name.toLowerCase())) lines.push(`${name}: ${request.rawHeaders[at + 1]}`);
  }
  // As it was read: header values are bytes.
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  web.emit('encrypted' in socket ? 'secureConnection' : 'connection', socket);
}

/** What speaks of this connection only (RFC 9110, 7.6.1; RFC 7540, 3.2.1). */
const ofTheOffer: ReadonlySet<string> = new Set(['connection', 'upgrade', 'http2-settings']);
