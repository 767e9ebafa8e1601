import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Refusal } from './refusal.js';

/**
 * Keeps pages of other sites away from a server on loopback, which a browser would happily let them reach: by a name
 * that an attacker points to 127.0.0.1 (DNS rebinding; the Host header gives it away), and by WebSocket, to which the
 * same-origin policy does not apply (RFC 6455, 10.2; the Origin header gives it away).
 */
export interface Guard {
  /** Why a request is refused for its Host header, or for the host in its target where that is a whole address. */
  refuseHost(request: Pick<IncomingMessage, 'url' | 'rawHeaders'>): Refusal | undefined;
  /** Answers why an upgrade, or a call that steers the emulator, with this Origin header is refused. Programs, unlike pages, send none. */
  refuseOrigin(origin: string | undefined, host: string | undefined): string | undefined;
}

/** `bound` is the address that the server listens on; `allowedHosts` are further names that it is reached by. */
export function createGuard(bound: string, allowedHosts: readonly string[]): Guard {
  const names = new Set(['localhost', '127.0.0.1', '[::1]', bracketed(bound.toLowerCase())]);
  for (const name of allowedHosts) names.add(bracketed(name.toLowerCase()));
  // Who listens everywhere is reached by addresses that it does not know. An address cannot be rebound.
  const takesAddresses = bound === '0.0.0.0' || bound === '::';

  const isOurs = (host: string | undefined) => {
    const name = hostname(host);
    return name !== undefined && (names.has(name) || (takesAddresses && isAddress(name)));
  };

  return {
    refuseHost({ url = '/', rawHeaders }) {
      const hosts = rawHeaders.filter(
        (_value, at) => rawHeaders[at - 1]?.toLowerCase() === 'host' && at % 2 === 1,
      );
      if (hosts.length > 1) return twoHosts;
      if ([hosts[0], ...targetHost(url)].every(isOurs)) return undefined;
      const message = `This server does not go by the host that the request names. Use ${[...names].join(', ')}, or allow the name.`;
      return { status: 403, code: 'foreign-host', message };
    },
    refuseOrigin(origin, host) {
      if (origin === undefined || (host !== undefined && originHost(origin) === host.toLowerCase())) {
        return undefined;
      }
      return 'Pages of another origin may not connect. Open the page from this server, or leave Origin out.';
    },
  };
}

/** RFC 9112, 3.2: which of them is meant, each server on the way may read otherwise. */
const twoHosts: Refusal = {
  status: 400,
  code: 'bad-request',
  message: 'The request has several Host headers. Send one.',
};

/** The host in a target that is a whole address (RFC 9112, 3.2.2), or nothing where it is a path or `*`. */
function targetHost(target: string): readonly (string | undefined)[] {
  if (target.startsWith('/') || target === '*') return [];
  return [/^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1]];
}

function hostname(host: string | undefined): string | undefined {
  // Anything but a name and a port would be read as another part of the URL.
  if (host === undefined || !/^[^/?#@\\\s]+$/.test(host)) return undefined;
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return undefined;
  }
}

function originHost(origin: string): string | undefined {
  try {
    return new URL(origin).host;
  } catch {
    return undefined;
  }
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host;
}
