import { randomInt } from 'node:crypto';
import { freePort } from '../examples/start/free-port.js';

/**
 * Resolves to a free port of 127.0.0.1 on which a server can start a second time. No system gives these ports to
 * outgoing connections, one of which would keep the server from starting.
 */
export function restartPort(): Promise<number> {
  return freePort(randomInt(20_000, 32_000));
}
