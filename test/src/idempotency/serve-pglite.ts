import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';

export interface ServedPglite {
  readonly url: string;
  /** Ends every connection, as an administrator's `pg_terminate_backend` does. */
  terminate(): void;
  /** Sends the end of the connection together with the next response. */
  terminateWithNextAnswer(): void;
  stop(): Promise<void>;
}

/** PGlite behind a port, for `pg` to connect to. PGlite has one session: clients must connect one after the other. */
export async function servePglite(database: PGlite): Promise<ServedPglite> {
  const sockets = new Set<Socket>();
  let before: Promise<unknown> = Promise.resolve();
  let isLastResponse = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('data', (request) => {
      before = before.then(async () => {
        const response = await database.execProtocolRaw(request);
        if (!isLastResponse) socket.write(response);
        else socket.end(Buffer.concat([response, terminated]));
        isLastResponse = false;
      });
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      before = before.then(() => database.exec('ROLLBACK'));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `postgresql://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/postgres`,
    terminate: () => sockets.forEach((socket) => socket.end(terminated)),
    terminateWithNextAnswer: () => {
      isLastResponse = true;
    },
    async stop() {
      const closed = [...sockets].map((socket) => once(socket.destroy(), 'close'));
      await Promise.all([...closed, new Promise((resolve) => server.close(resolve))]);
      await before;
    },
  };
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html, ErrorResponse */
const terminated = errorResponse({ S: 'FATAL', V: 'FATAL', C: '57P01', M: 'terminating connection' });

function errorResponse(fields: Readonly<Record<string, string>>): Buffer {
  const body = Object.entries(fields).map(([field, value]) => `${field}${value}\0`);
  const bytes = Buffer.from(`E....${body.join('')}\0`);
  bytes.writeInt32BE(bytes.length - 1, 1);
  return bytes;
}
