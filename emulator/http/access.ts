import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { isPlatformPath } from './refusal.js';

export type Access = ReturnType<typeof createAccess>;

const cookieName = 'busbar-access';

/** Admits requests with a random token, which protects the server from other machines. */
export function createAccess() {
  const token = randomBytes(18).toString('base64url');
  return {
    token,
    /** Whether a request has the token: in `Authorization: Bearer` (programs), in a cookie (pages) or in its URL. */
    admits({ headers, url }: Pick<IncomingMessage, 'headers' | 'url'>): boolean {
      const tokens = [bearer(headers.authorization), cookie(headers.cookie), inUrl(url)];
      return tokens.some((each) => each !== undefined && isEqual(each, token));
    },
  };
}

/**
 * Responds with 401 to requests without the token. Sends a browser that has the token in its URL a cookie and redirects
 * it, so that the token is neither in its history nor in shared links. The platform's API, `/v1/`, has its own keys.
 */
export function checkAccess(access: Access, isSecure: boolean): RequestHandler {
  return (request, response, next) => {
    if (isPlatformPath(request.path)) next();
    else if (!access.admits(request)) {
      const message =
        'This emulator requires its access token, since other machines can reach it. Open the URL that it printed at ' +
        'start in a browser that accepts cookies, or send "Authorization: Bearer TOKEN".';
      response
        .status(401)
        .set('WWW-Authenticate', 'Bearer')
        .json({ error: 'access-token-required', message });
    } else if (request.method === 'GET' && request.path === '/' && inUrl(request.url) !== undefined) {
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

function inUrl(url: string | undefined): string | undefined {
  const [, query] = url?.split('?') ?? [];
  return new URLSearchParams(query).get('token') ?? undefined;
}

/** Compares in a time that does not depend on the first difference. */
function isEqual(received: string, token: string): boolean {
  const [one, other] = [Buffer.from(received), Buffer.from(token)];
  return one.length === other.length && timingSafeEqual(one, other);
}
