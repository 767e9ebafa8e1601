import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpReader } from '../../../emulator/start/http-reader.js';
import type { Emulator } from '../../../emulator/start/start-emulator.js';

/** A server that receives requests, and calls `answer` with the number of each. */
async function serverThat(answer: (socket: Socket, request: number) => void) {
  let requests = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', () => answer(socket, ++requests));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return httpReader({ url, apiKeys: ['key'] } as unknown as Emulator);
}

const found = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 11\r\n\r\n{"found":1}';

describe('the reader of the HTTP APIs', () => {
  it('asks again on a new connection when the server has closed the one before', async () => {
    const { find } = await serverThat((socket, request) => {
      if (request === 2) socket.destroy();
      else socket.write(found);
    });
    expect(await find('/v1/accounts/')).toEqual({ found: 1 });
    expect(await find('/v1/accounts/')).toEqual({ found: 1 });
  });

  it('names what it cannot read when the server closes every connection', async () => {
    const { find } = await serverThat((socket) => socket.destroy());
    await expect(find('/v1/accounts/?page=2')).rejects.toMatchObject({
      code: 'connection-failed',
      message: expect.stringMatching(/^\/v1\/accounts\/ cannot be read: [A-Z_]+\.$/) as unknown,
    });
  });
});
