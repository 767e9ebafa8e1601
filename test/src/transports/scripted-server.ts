import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

/** A server that says what a test wants it to say, right or wrong. */
export interface ScriptedServer {
  readonly url: string;
  /** Messages of the clients, parsed. */
  readonly heard: readonly { readonly type: string }[];
  /** Resolves with the n-th connection, counted from 1, once it has subscribed. */
  subscribed(n: number): Promise<WebSocket>;
}

/** Stopped after the test. `options` go to ws. */
export async function scriptedServer(options: { autoPong?: boolean } = {}): Promise<ScriptedServer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', ...options });
  const heard: { type: string }[] = [];
  const connections: WebSocket[] = [];
  const waiting: (() => void)[] = [];
  server.on('connection', (socket) => {
    socket.on('error', () => {});
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as { type: string };
      heard.push(message);
      if (message.type === 'subscribe') connections.push(socket);
      for (const wake of waiting.splice(0)) wake();
    });
  });
  onTestFinished(() => {
    for (const client of server.clients) client.terminate();
    server.close();
  });
  await once(server, 'listening');
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    heard,
    async subscribed(n) {
      while (connections.length < n) await new Promise<void>((resolve) => waiting.push(resolve));
      return connections[n - 1]!;
    },
  };
}

export const welcome = (next = 1, stream = 'one') => JSON.stringify({ type: 'welcome', stream, next });

/** A frame with records whose value is their number. */
export function batch(first: number, count: number): string {
  const records = Array.from({ length: count }, () => ({ key: 'k', headers: {}, timestamp: 1 }));
  return [JSON.stringify({ type: 'batch', first, records }), ...records.map((_, n) => `${first + n}`)].join(
    '\n',
  );
}
