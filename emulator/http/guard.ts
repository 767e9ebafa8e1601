import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Refusal } from './refusal.js';

export type Guard = ReturnType<typeof createGuard>;

/**
 * Protects a server on loopback from pages of other sites. Browsers let them reach it by a name that an attacker points
 * to 127.0.0.1 (DNS rebinding; visible in the Host header), and by WebSocket, which has no same-origin policy (RFC 6455,
 * 10.2; visible in the Origin header).
 * @param bound The address that the server listens on.
 */
export function createGuard(bound: string) {
  const names = new Set(['localhost', '127.0.0.1', '[::1]', bracketed(bound.toLowerCase())]);
  // A server on all interfaces does not know its addresses and names.
  const isOpen = bound === '0.0.0.0' || bound === '::';

  const isOurs = (host: string | undefined) => {
    const name = hostname(host);
    return name !== undefined && (names.has(name) || (isOpen && isSafe(name)));
  };

  return {
    /** Returns the refusal of a request for its Host header, or for the host in an absolute target. */
    refuseHost({ url = '/', rawHeaders }: Pick<IncomingMessage, 'url' | 'rawHeaders'>): Refusal | undefined {
      const hosts = rawHeaders.filter(
        (_value, at) => rawHeaders[at - 1]?.toLowerCase() === 'host' && at % 2 === 1,
      );
      if (hosts.length > 1) return twoHosts;
      if ([hosts[0], ...targetHost(url)].every(isOurs)) return undefined;
      const others = isOpen ? ', an address, or a name without dots' : '';
      const message = `The host of the request is not a name of this server. Use ${[...names].join(', ')}${others}.`;
      return { status: 403, code: 'foreign-host', message };
    },
    /** Returns why an upgrade or a call of the control API is refused for its Origin header. Programs send none. */
    refuseOrigin(origin: string | undefined, host: string | undefined): string | undefined {
      if (origin === undefined || (host !== undefined && originHost(origin) === host.toLowerCase())) {
        return undefined;
      }
      return 'Pages of another origin may not connect. Open the page from this server, or omit Origin.';
    },
  };
}

/** The refusal of several Host headers, of which each server may read another one (RFC 9112, 3.2). */
const twoHosts: Refusal = {
  status: 400,
  code: 'bad-request',
  message: 'The request has several Host headers. Send one.',
};

/** Returns the host of an absolute target (RFC 9112, 3.2.2), or an empty list for a path or `*`. */
function targetHost(target: string): readonly (string | undefined)[] {
  if (target.startsWith('/') || target === '*') return [];
  return [/^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1]];
}

function hostname(host: string | undefined): string | undefined {
  // Other characters would become another part of the URL.
  if (host === undefined || !/^[^/?#@\\\s]+$/.test(host)) return undefined;
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

function originHost(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/**
 * Whether no attacker can point the host to another machine: an address, or a name in no public domain, such as that of a
 * container (RFC 6761, 6762; ICANN reserves `internal`).
 */
function isSafe(host: string): boolean {
  return isIP(host.replace(/^\[|\]$/g, '')) !== 0 || /^[^.]+$|\.(localhost|local|internal)$/.test(host);
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
