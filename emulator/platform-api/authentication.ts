import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { ApiError } from './api-error.js';
import type { Tokens } from './tokens.js';

export interface Authentication {
  /** Whether that is one of the API keys, in a time that says nothing about them. */
  isKey(text: string): boolean;
  /**
   * Lets only requests with a token or an API key pass, and answers others with 401. `bare` says whether the token
   * may stand alone in the header: data-import requests need the word `Token` before it (specification,
   * authentication, 3).
   */
  require(options: { readonly bare: boolean }): RequestHandler;
}

export function createAuthentication(keys: readonly string[], tokens: Tokens): Authentication {
  const known = keys.map(digest);
  const isKey = (text: string) => {
    const asked = digest(text);
    // All of them, always: which one it was is nobody's business.
    return known.filter((key) => timingSafeEqual(key, asked)).length > 0;
  };
  return {
    isKey,
    require:
      ({ bare }) =>
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
    // Unlike RFC 9110, which leaves capitals and further spaces open: the platform shows one form.
    else if (scheme === 'Token' && spaces === ' ') checkToken(credentials);
    else if (bare && !header.includes(' ')) checkToken(header);
    else throw refused('invalid_authorization', 'Send "Token", a space and the token, or HTTP basic.');
  }

  function checkBasic(credentials: string): void {
    const [user = '', ...password] = Buffer.from(credentials, 'base64').toString('utf8').split(':');
    if (password.join(':') !== '') throw refused('password_not_empty', 'The password must be empty.');
    if (!isKey(user)) throw refused('invalid_api_key', 'The API key is not known.');
  }

  function checkToken(token: string): void {
    const verdict = tokens.check(token);
    if (verdict === 'expired') throw refused('expired_token', 'The token has expired. Obtain another one.');
    if (verdict === 'foreign') throw refused('invalid_token', 'The token is not one of this platform.');
  }
}

/** A browser asks for the API key when it sees the header (RFC 7617). */
function refused(code: string, detail: string): ApiError {
  const headers = {
    'WWW-Authenticate': 'Basic realm="platform API: key as user name, no password", charset="UTF-8"',
  };
  return new ApiError(401, code, detail, { headers });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
