import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FrameSplitter, MalformedMessage } from 'busbar/internal/kafka-protocol';
import type { BrokerCore } from './core.js';
import type { Connection } from './connection.js';
import type { Connections } from './connections.js';
import { dispatchRequest } from './dispatch.js';
import { authenticateBareToken } from './sasl.js';

/** Kafka's `sasl.server.max.receive.size`: unauthenticated clients get no large buffers. */
const MAX_UNAUTHENTICATED_FRAME = 524_288;
/** Milliseconds for which one connection may block the event loop. */
const TURN_MS = 5;

/**
 * Serves one connection, one request at a time: responses keep the order of requests, and a client that sends too fast
 * is not read. Never rejects.
 */
export async function serve(broker: BrokerCore, connection: Connection): Promise<void> {
  const { connections } = broker;
  const { stream } = connection;
  stream.on('error', (error) => broker.logger.debug('connection lost', { error: error.message }));
  const frames = new FrameSplitter(MAX_UNAUTHENTICATED_FRAME);
  let turnEnds = performance.now() + TURN_MS;
  try {
    for await (const chunk of stream) {
      requirePlain(connection, chunk as Buffer);
      frames.maxFrameBytes = allowedFrame(broker, connection);
      for (const frame of frames.push(chunk as Buffer)) {
        if (connection.unfinishedBytes > 0) connections.hold(connection, 0);
        connection.hasSentRequest = true;
        connection.isHandling = true;
        if (performance.now() > turnEnds) {
          await nextTurn();
          turnEnds = performance.now() + TURN_MS;
        }
        const response = connection.expectsBareToken
          ? authenticateBareToken(broker, connection, frame)
          : await dispatchRequest(broker, connection, frame);
        if (response && !send(stream, response)) await drained(connections, connection);
        if (connection.closing) return;
        frames.maxFrameBytes = allowedFrame(broker, connection);
      }
      connection.isHandling = false;
      connections.touch(connection);
      connections.hold(connection, frames.bufferedBytes);
    }
  } catch (error) {
    if (error instanceof MalformedMessage) {
      broker.closedConnections.report(error.message, connection.clientHost);
    } else if (!stream.destroyed) {
      broker.logger.error('connection failed', { error: String(error) });
    }
  } finally {
    connection.isHandling = false;
    connections.hold(connection, 0);
    if (connection.closing) stream.end(() => stream.destroy());
    else stream.destroy();
  }
}

/** Rejects a TLS handshake, which would be the length of a huge frame. */
function requirePlain({ hasSentRequest }: Connection, chunk: Buffer): void {
  if (hasSentRequest || chunk[0] !== 0x16 || chunk[1] !== 0x03) return;
  throw new MalformedMessage('the client speaks TLS, but this listener does not: connect without "ssl"');
}

function allowedFrame(broker: BrokerCore, connection: Connection): number {
  const { maxFrameBytes } = broker.settings;
  return connection.authenticated ? maxFrameBytes : Math.min(maxFrameBytes, MAX_UNAUTHENTICATED_FRAME);
}

/** Writes a frame at once. Returns false if the socket's buffer is full. */
function send(stream: Duplex, parts: readonly Buffer[]): boolean {
  if (stream.destroyed || !stream.writable) return true;
  stream.cork();
  for (const part of parts) stream.write(part);
  stream.uncork();
  return !stream.writableNeedDrain;
}

/** Resolves when the socket's buffer is empty; until then the client counts as idle. */
function drained(connections: Connections, connection: Connection): Promise<void> {
  const { stream } = connection;
  connection.isHandling = false;
  connections.touch(connection);
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
  });
}
