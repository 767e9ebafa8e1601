import { createHash, timingSafeEqual } from 'node:crypto';
import { MalformedMessage } from 'busbar/internal/kafka-protocol';
import type { BrokerCore } from './core.js';
import type { Connection } from './connection.js';

/** The only supported mechanism (RFC 4616). */
export const PLAIN = 'PLAIN';

/** Checks a PLAIN token, `[authorization id] NUL user NUL password`, and marks the connection as authenticated. */
export function authenticate(broker: BrokerCore, connection: Connection, token: Buffer): boolean {
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
    broker.logger.warn('sasl authentication failed', { clientHost: connection.clientHost });
  }
  return granted;
}

/** Handles the frame after SaslHandshake v0, a bare token; the response is an empty frame (before KIP-152). */
export function authenticateBareToken(broker: BrokerCore, connection: Connection, token: Buffer): Buffer[] {
  connection.expectsBareToken = false;
  if (!authenticate(broker, connection, token))
    throw new MalformedMessage('SASL/PLAIN authentication failed');
  return [Buffer.alloc(4)];
}

/** Compares in constant time. */
function sameText(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
