import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../src/base/clock.js';

/** Makes tokens and knows its own again. Nothing is kept: a token holds when it expires, signed. */
export interface Tokens {
  /** A new token, and when it expires in milliseconds of wall time since the epoch. */
  issue(): { readonly token: string; readonly expiresAt: number };
  check(token: string): 'valid' | 'expired' | 'foreign';
}

/** How long a token is good for, in milliseconds of wall time: clients keep tokens by the clock on the wall. */
export const tokenLifetime = 3_600_000;

/** Tokens of one emulator: the key that signs them is made here and never leaves. */
export function createTokens(clock: Clock): Tokens {
  const secret = randomBytes(32);
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest();
  return {
    issue() {
      const expiresAt = clock.now() + tokenLifetime;
      const text = `${expiresAt.toString(36)}.${randomBytes(12).toString('base64url')}`;
      return { token: `${text}.${sign(text).toString('base64url')}`, expiresAt };
    },
    check(token) {
      const end = token.lastIndexOf('.');
      const text = token.slice(0, Math.max(0, end));
      const signature = Buffer.from(token.slice(end + 1), 'base64url');
      const expected = sign(text);
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return 'foreign';
      return clock.now() < Number.parseInt(text, 36) ? 'valid' : 'expired';
    },
  };
}
