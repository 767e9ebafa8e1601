import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { ApiError } from './api-error.js';
import type { Tokens } from './tokens.js';

export type Authentication = ReturnType<typeof createAuthentication>;

export function createAuthentication(keys: readonly string[], tokens: Tokens) {
  const known = keys.map(digest);
  /** Whether a string is an API key; compares in constant time. */
  const isKey = (text: string) => {
    const candidate = digest(text);
    // Always compares all keys, so that the time does not reveal the matching one.
    return known.filter((key) => timingSafeEqual(key, candidate)).length > 0;
  };
  return {
    isKey,
    /**
     * Returns a handler that responds with 401 to requests without a token or an API key. `bare` allows a token without
     * the word `Token`, which data-import requests need (specification, authentication, 3).
     */
    require:
      ({ bare }: { readonly bare: boolean }): RequestHandler =>
      (request, _response, next) => {
        check(request.headers.authorization, bare);
        next();
      },
  };

  function check(header: string | undefined, bare: boolean): void {
    if (header === undefined || header === '')
      throw refused('not_authenticated', 'Send a token or an API key.');
    const [, scheme = '', spaces = '', credentials = ''] = /^(\S+)( +)(\S+)$/.exec(header) ?? [];
    if (scheme.toLowerCase() === 'basic') checkBasic(credentials);
    // RFC 9110 allows other capitals and more spaces; the platform has one form.
    else if (scheme === 'Token' && spaces === ' ') checkToken(credentials);
    else if (bare && !header.includes(' ')) checkToken(header);
    else throw refused('invalid_authorization', 'Send "Token", a space and the token, or HTTP basic.');
  }

  function checkBasic(credentials: string): void {
    const [user = '', ...password] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
    if (password.join(':') !== '') throw refused('password_not_empty', 'The password must be empty.');
    if (!isKey(user)) throw refused('invalid_api_key', 'The API key is unknown.');
  }

  function checkToken(token: string): void {
    const verdict = tokens.check(token);
    if (verdict === 'expired') throw refused('expired_token', 'The token has expired. Obtain another one.');
    if (verdict === 'foreign') throw refused('invalid_token', 'The token is not from this platform.');
  }
}

/** Returns a 401 with a header that makes browsers prompt for the API key (RFC 7617). */
function refused(code: string, detail: string): ApiError {
  const headers = {
    'WWW-Authenticate': 'Basic realm="platform API: key as user name, no password", charset="UTF-8"',
  };
  return new ApiError(401, code, detail, { headers });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
