import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Broker } from './broker.js';
import type { Connection } from './connection.js';
import type { Connections } from './connections.js';
import { answer } from './dispatch.js';
import { FrameSplitter } from './protocol/frames.js';
import { MalformedMessage } from './protocol/reader.js';
import { authenticateBareToken } from './sasl.js';

/** Kafka's `sasl.server.max.receive.size`: who has not authenticated gets no large buffers. */
const MAX_UNAUTHENTICATED_FRAME = 524_288;
/** How long one connection may keep the process busy before the others get their turn. */
const TURN_MS = 5;

/**
 * Serves one connection: one request at a time, so responses go out in the order of the requests and a client that
 * sends faster than it is answered is not read from. Never rejects.
 */
export async function serve(broker: Broker, connection: Connection): Promise<void> {
  const { connections } = broker;
  const { stream } = connection;
  stream.on('error', (error) => broker.logger.debug('connection lost', { error: error.message }));
  const frames = new FrameSplitter(MAX_UNAUTHENTICATED_FRAME);
  let turnEnds = performance.now() + TURN_MS;
  try {
    for await (const chunk of stream) {
      frames.maxFrameBytes = allowedFrame(broker, connection);
      for (const frame of frames.push(chunk as Buffer)) {
        if (connection.unfinishedBytes > 0) connections.hold(connection, 0);
        connection.hasAsked = true;
        connection.isAnswering = true;
        if (performance.now() > turnEnds) {
          await nextTurn();
          turnEnds = performance.now() + TURN_MS;
        }
        const response = connection.expectsBareToken
          ? authenticateBareToken(broker, connection, frame)
          : await answer(broker, connection, frame);
        if (response && !send(stream, response)) await drained(connections, connection);
        if (connection.closing) return;
        frames.maxFrameBytes = allowedFrame(broker, connection);
      }
      connection.isAnswering = false;
      connections.touch(connection);
      connections.hold(connection, frames.bufferedBytes);
    }
  } catch (error) {
    if (error instanceof MalformedMessage) {
      broker.closedConnections.report(error.message, connection.clientHost);
    } else if (!stream.destroyed) {
      broker.logger.error('connection closed: internal error', { error: String(error) });
    }
  } finally {
    connection.isAnswering = false;
    connections.hold(connection, 0);
    if (connection.closing) stream.end(() => stream.destroy());
    else stream.destroy();
  }
}

function allowedFrame(broker: Broker, connection: Connection): number {
  const { maxFrameBytes } = broker.settings;
  return connection.authenticated ? maxFrameBytes : Math.min(maxFrameBytes, MAX_UNAUTHENTICATED_FRAME);
}

/** Writes a frame in one go; false when the client does not read as fast. */
function send(stream: Duplex, parts: readonly Buffer[]): boolean {
  if (stream.destroyed || !stream.writable) return true;
  stream.cork();
  let goOn = true;
  for (const part of parts) goOn = stream.write(part);
  stream.uncork();
  return goOn && !stream.writableNeedDrain;
}

/** Resolves when the client has read what was sent; until then it counts as idle. */
function drained(connections: Connections, connection: Connection): Promise<void> {
  const { stream } = connection;
  connection.isAnswering = false;
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
