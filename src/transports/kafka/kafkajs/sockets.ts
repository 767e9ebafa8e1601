import { isIP, connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

/**
 * The sockets of one `Kafka`. When kafkajs disconnects, it waits for responses: half a minute or, after a request has
 * timed out, forever. Meanwhile its sockets and timers keep the process alive.
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

  /** Ends all requests, and allows no more. */
  close(): void {
    this.isClosed = true;
    for (const socket of this.#open) socket.destroy(new Error('given up'));
  }
}
