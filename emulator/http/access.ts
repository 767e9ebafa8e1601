import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { isPlatformPath } from './refusal.js';

/** Keeps out whoever reaches the server from another machine and does not know its token. */
export interface Access {
  readonly token: string;
  /** A program bears the token in `Authorization: Bearer`, a page in a cookie; either may have it in its address. */
  admits(request: Pick<IncomingMessage, 'headers' | 'url'>): boolean;
}

const cookieName = 'busbar-access';

/** A token of its own for every start, or that of a test. */
export function createAccess(token = randomBytes(18).toString('base64url')): Access {
  return {
    token,
    admits({ headers, url }) {
      const offered = [bearer(headers.authorization), cookie(headers.cookie), inAddress(url)];
      return offered.some((each) => each !== undefined && isEqual(each, token));
    },
  };
}

/**
 * Answers 401 to those without the token. A browser that came by an address with it gets a cookie and is sent on, so
 * that the token stands neither in its history nor in what is shared. The platform's API, below `/v1/`, has keys of its own.
 */
export function checkAccess(access: Access, isSecure: boolean): RequestHandler {
  return (request, response, next) => {
    if (isPlatformPath(request.path)) next();
    else if (!access.admits(request)) {
      const message =
        'This emulator can be reached from other machines, and asks for its access token: open the address that it ' +
        'printed when it started, or send "Authorization: Bearer TOKEN".';
      response
        .status(401)
        .set('WWW-Authenticate', 'Bearer')
        .json({ error: 'access-token-required', message });
    } else if (request.method === 'GET' && request.path === '/' && inAddress(request.url) !== undefined) {
      const query = new URLSearchParams(request.url.split('?')[1]);
      query.delete('token');
      const secure = isSecure ? '; Secure' : '';
      response.set('Set-Cookie', `${cookieName}=${access.token}; Path=/; HttpOnly; SameSite=Strict${secure}`);
      response
        .set('Cache-Control', 'no-store')
        .redirect(303, query.size === 0 ? '/' : `/?${query.toString()}`);
    } else next();
  };
}

function bearer(authorization: string | undefined): string | undefined {
  return /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
}

function cookie(cookies: string | undefined): string | undefined {
  for (const each of (cookies ?? '').split(';')) {
    const [name, value] = each.trim().split('=', 2);
    if (name === cookieName) return value;
  }
  return undefined;
}

function inAddress(url: string | undefined): string | undefined {
  const [, query] = url?.split('?') ?? [];
  return new URLSearchParams(query).get('token') ?? undefined;
}

/** In a time that does not tell how much of it was right. */
function isEqual(offered: string, token: string): boolean {
  const [one, other] = [Buffer.from(offered), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}
