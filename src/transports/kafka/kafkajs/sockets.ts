import { isIP, connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';
import { atMost, type Clock } from '../../../base/clock.js';

/** Maximum time in milliseconds that the end of connections waits for requests in flight. */
const closeLimit = 5_000;

/**
 * The sockets of one `Kafka`; none for a ready client, which makes its own. When kafkajs disconnects, it waits for
 * responses: half a minute or, after a request has timed out, forever. Meanwhile its sockets and timers keep the process
 * alive.
 */
export class Sockets {
  readonly #open = new Set<Socket>();
  isClosed = false;

  /** The option of kafkajs. Its sockets are those of kafkajs. */
  readonly factory: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    if (this.isClosed) throw new Error('closed');
    const servername = isIP(host) === 0 ? { servername: host } : {};
    // Not only an object, as its type says.
    const isEncrypted = Boolean(ssl);
    const socket = isEncrypted
      ? connectTls({ host, port, ...servername, ...ssl }, onConnect)
      : connectPlain({ host, port }, onConnect);
    socket.setKeepAlive(true, 60_000);
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  };

  /** Closes the sockets when kafkajs has disconnected, or after five seconds. */
  async closeAfter(disconnected: Promise<unknown>, clock: Clock): Promise<void> {
    await atMost(clock, closeLimit, disconnected);
    this.close();
  }

  /** Ends all requests, and allows no more. */
  close(): void {
    this.isClosed = true;
    for (const socket of this.#open) socket.destroy(new Error('given up'));
  }
}
