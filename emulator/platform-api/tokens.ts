import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from 'busbar/base';

export type Tokens = ReturnType<typeof createTokens>;

/** The lifetime of a token in milliseconds of wall time, which clients use. */
const tokenLifetime = 3_600_000;

/** Issues and checks tokens. Stores none: a token contains its expiry, signed with a random key. */
export function createTokens(clock: Clock) {
  const secret = randomBytes(32);
  const sign = (text: string) => createHmac('sha256', secret).update(text).digest();
  return {
    /** Returns a new token and its expiry, in milliseconds of wall time since the epoch. */
    issue() {
      const expiresAt = clock.now() + tokenLifetime;
      const text = `${expiresAt.toString(36)}.${randomBytes(12).toString('base64url')}`;
      return { token: `${text}.${sign(text).toString('base64url')}`, expiresAt };
    },
    check(token: string): 'valid' | 'expired' | 'foreign' {
      const end = token.lastIndexOf('.');
      const text = token.slice(0, Math.max(0, end));
      const signature = Buffer.from(token.slice(end + 1), 'base64url');
      const expected = sign(text);
      if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return 'foreign';
      return clock.now() < Number.parseInt(text, 36) ? 'valid' : 'expired';
    },
  };
}
