import { createRequire } from 'node:module';
import type * as ws from 'ws';
import { stderrLogger, systemClock } from 'busbar/base';
import { maxClientMessageBytes, subprotocol } from 'busbar/internal/websocket-protocol';
import { Stream, type StreamOptions } from './stream/stream.js';

export type { Stream as WebSocketSink } from './stream/stream.js';

/** Defaults: the wall clock, standard error, a history of 10,000 records and 16 MiB, 256 clients, 30 seconds. */
export type WebSocketSinkOptions = Partial<StreamOptions>;

/**
 * Creates the sink that serves a run over WebSocket.
 *
 * @example
 * const sink = websocketSink();
 * const http = await createHttpServer({ port: 0, services: [{ path: '/events', about: 'the event stream', upgrade: sink.upgrade }] });
 * await sink.waitForConsumer('billing');
 */
export function websocketSink(options: WebSocketSinkOptions = {}): Stream {
  // Here, because other sinks need no ws; required for the reason that express is.
  const { WebSocketServer } = createRequire(import.meta.url)('ws') as typeof ws;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    autoPong: false,
    perMessageDeflate: false,
    handleProtocols: () => subprotocol,
    // Only bounds the memory. `decodeClientMessage` checks the limit and returns a readable error.
    maxPayload: 16 * maxClientMessageBytes,
  });
  return new Stream(server, {
    clock: systemClock,
    logger: stderrLogger,
    history: { records: 10_000, bytes: 16 * 1024 * 1024 },
    maxClients: 256,
    keepAlive: 30_000,
    ...options,
  });
}
