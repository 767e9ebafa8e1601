import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createHttpServer } from '../../../emulator/http/server.js';
import {
  type WebSocketSink,
  type WebSocketSinkOptions,
  websocketSink,
} from '../../../emulator/sinks/websocket.js';
import { silentLogger } from '../../../src/base/logger.js';

export interface StreamServer {
  readonly sink: WebSocketSink;
  readonly url: string;
  readonly port: number;
  /** Of all connections. */
  readonly bytesRead: () => number;
  /** Breaks every connection, as a network does: without a word. */
  readonly sever: () => void;
  readonly stop: () => Promise<void>;
}

/** The real sink behind the real HTTP server, on a free port. Stopped after the test at the latest. */
export async function streamServer(options: WebSocketSinkOptions = {}, port = 0): Promise<StreamServer> {
  const sink = websocketSink({ logger: silentLogger, ...options });
  const services = [{ path: '/events', about: 'The stream.', upgrade: sink.upgrade }];
  const http = await createHttpServer({ port, services });
  const sockets = new Set<Socket>();
  http.server.on('connection', (socket) => sockets.add(socket));
  const server = {
    sink,
    url: `${http.url.replace('http', 'ws')}/events`,
    port: Number(new URL(http.url).port),
    bytesRead: () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, 0),
    sever() {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    async stop() {
      server.sever();
      await sink.close();
      await http.stop();
    },
  };
  onTestFinished(() => server.stop());
  return server;
}
