import { createHash, timingSafeEqual } from 'node:crypto';
import type { Broker } from './broker.js';
import type { Connection } from './connection.js';
import { MalformedMessage } from './protocol/reader.js';

/** The one mechanism that the broker offers (RFC 4616). */
export const PLAIN = 'PLAIN';

/** Checks a PLAIN token: `[authorization id] NUL user NUL password`. On success the connection is open to all APIs. */
export function authenticate(broker: Broker, connection: Connection, token: Buffer): boolean {
  const [, user = '', password, ...rest] = token.toString('utf8').split('\0');
  const users = broker.settings.sasl?.users ?? {};
  const expected = Object.hasOwn(users, user) ? users[user] : undefined;
  const granted =
    connection.saslMechanism === PLAIN &&
    rest.length === 0 &&
    password !== undefined &&
    expected !== undefined &&
    sameText(password, expected);
  connection.authenticated = granted;
  if (!granted) {
    broker.logger.warn('SASL/PLAIN authentication failed: unknown user or wrong password', {
      clientHost: connection.clientHost,
    });
  }
  return granted;
}

/** After SaslHandshake v0 (before KIP-152): the frame is the token, an empty frame is consent. */
export function authenticateBareToken(broker: Broker, connection: Connection, token: Buffer): Buffer[] {
  connection.expectsBareToken = false;
  if (!authenticate(broker, connection, token))
    throw new MalformedMessage('SASL/PLAIN authentication failed');
  return [Buffer.alloc(4)];
}

/** Takes the same time wherever the texts differ. */
function sameText(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
