import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { type Clock, systemClock } from '../../src/base/clock.js';
import { BusbarError } from '../../src/base/errors.js';
import { type Logger, stderrLogger } from '../../src/base/logger.js';
import { encodeRecord } from '../../src/transports/websocket-frames.js';
import {
  maxClientMessageBytes,
  type RecordAbout,
  subprotocol,
} from '../../src/transports/websocket-protocol.js';
import type { Emission } from '../run/emission.js';
import type { Sink } from './sink.js';
import type { Bounds } from './stream/history.js';
import type { ConsumerPosition } from './stream/consumers.js';
import { Stream } from './stream/stream.js';

export interface WebSocketSinkOptions {
  /** Default: the wall clock. */
  readonly clock?: Clock;
  /** Default: standard error. */
  readonly logger?: Logger;
  /** What is kept for those who come late or fall behind. Default 10,000 records and 16 MiB. */
  readonly history?: Bounds;
  /** What a consumer may leave unacknowledged before the run waits for it. Default 10,000 records and 16 MiB. */
  readonly window?: Bounds;
  /** What goes out at a time. Default 512 records and 1 MiB; a larger record goes alone. */
  readonly frame?: Bounds;
  /** Connections at a time. Default 256. */
  readonly maxClients?: number;
  /** Names of consumers in the life of the sink. Default 64. */
  readonly maxConsumers?: number;
  /** A client not heard of for this long, in milliseconds, is taken for dead. Default 30,000. */
  readonly keepAlive?: number;
  /** How long `end` waits for observers that read slowly, in milliseconds. Default 5,000. */
  readonly observerGrace?: number;
}

export interface WebSocketSink extends Sink {
  /** Changes with every start: what `welcome` tells. */
  readonly stream: string;
  /**
   * Takes over the connection of an HTTP upgrade, or answers why not, for the HTTP server to tell the client. The
   * HTTP server has checked Origin and Host before.
   */
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => UpgradeRefusal | undefined;
  /** The consumers that there have been, with how far each has come. */
  positions(): readonly ConsumerPosition[];
  /**
   * Resolves when the consumer of that name, or that many consumers, are attached.
   * @throws BusbarError `connection-failed` when the sink is closed before.
   */
  waitForConsumer(wanted: string | number): Promise<void>;
}

/** An HTTP status, and a sentence in plain text. */
export interface UpgradeRefusal {
  readonly status: number;
  readonly message: string;
}

const mebibyte = 1024 * 1024;

/** How long `close` waits for clients to say goodbye, in milliseconds. */
const closeGrace = 1_000;

/**
 * Sends a run to whoever is connected, by `busbar.v1` (`docs/stream.md`). Observers never hold the run back; consumers
 * do, rather than lose a record: `write` resolves when every consumer has room, `end` when each has acknowledged
 * everything. What still waits at `close` is rejected with `connection-failed`.
 *
 * @example
 * const sink = await websocketSink();
 * const http = await createHttpServer({ port: 0, services: [{ path: '/events', about: 'the stream', upgrade: sink.upgrade }] });
 * await sink.waitForConsumer('billing');
 */
export async function websocketSink(options: WebSocketSinkOptions = {}): Promise<WebSocketSink> {
  // Here and not above: importing the emulator should not load what it may not need.
  const { WebSocketServer } = await import('ws');
  const { clock = systemClock, logger = stderrLogger, maxClients = 256, observerGrace = 5_000 } = options;
  const stream = new Stream({
    clock,
    logger,
    history: options.history ?? { records: 10_000, bytes: 16 * mebibyte },
    window: options.window ?? { records: 10_000, bytes: 16 * mebibyte },
    frame: options.frame ?? { records: 512, bytes: mebibyte },
    maxConsumers: options.maxConsumers ?? 64,
    keepAlive: options.keepAlive ?? 30_000,
  });
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    autoPong: false,
    perMessageDeflate: false,
    handleProtocols: () => subprotocol,
    // The limit proper is checked where a readable error can be sent; this one only bounds the memory.
    maxPayload: 16 * maxClientMessageBytes,
  });
  let closing: Promise<void> | undefined;

  return {
    name: 'websocket',
    stream: stream.id,
    async write(emissions) {
      for (const emission of emissions) {
        if (closing === undefined && !stream.consumers.haveRoom) {
          await stream.until(() => stream.consumers.haveRoom);
        }
        if (closing !== undefined) throw closedError();
        const { key, headers, bytes: value } = emission;
        const record = encodeRecord({ key, headers, timestamp: clock.now(), value });
        stream.publish({ ...record, key, value, about: aboutOf(emission) });
        if (stream.isTurnDue) await turn();
      }
    },
    begin: () => stream.begin(),
    async end() {
      stream.finish();
      let isPatient = true;
      const cancel = clock.schedule(observerGrace, () => {
        isPatient = false;
        stream.check();
      });
      const isDone = () => stream.consumers.areDone && (stream.isDelivered || !isPatient);
      await stream.until(isDone).finally(cancel);
    },
    close() {
      closing ??= close();
      return closing;
    },
    upgrade(request, socket, head) {
      if (closing !== undefined) return { status: 503, message: 'The stream is closed.' };
      if (stream.clients.size >= maxClients) {
        return { status: 503, message: `${maxClients} clients are connected. Close one of them first.` };
      }
      if (!asksForProtocol(request)) {
        const message = `Ask for the WebSocket subprotocol "${subprotocol}", in the header Sec-WebSocket-Protocol.`;
        return { status: 400, message };
      }
      server.handleUpgrade(request, socket, head, (connection) => stream.connect(connection));
      return undefined;
    },
    positions: () => stream.consumers.positions(),
    waitForConsumer: (wanted) =>
      stream.until(() => {
        if (typeof wanted === 'string') return stream.consumers.get(wanted)?.client !== undefined;
        return stream.consumers.connected >= wanted;
      }),
  };

  async function close(): Promise<void> {
    for (const client of stream.clients) client.close();
    const cancel = clock.schedule(closeGrace, () => {
      for (const client of stream.clients) client.terminate();
    });
    await stream.until(() => stream.clients.size === 0).finally(cancel);
    stream.abandon(closedError());
  }
}

function aboutOf({ envelope, at, sentAt, cell, instance, step, faults, branches }: Emission): RecordAbout {
  const { event_type: type, version } = envelope;
  return {
    type,
    version,
    at,
    ...(sentAt !== undefined && { sentAt }),
    cell,
    instance,
    step,
    faults,
    ...(branches && { branches }),
  };
}

function asksForProtocol({ headers }: IncomingMessage): boolean {
  const asked = headers['sec-websocket-protocol']?.split(',') ?? [];
  return asked.some((each) => each.trim() === subprotocol);
}

function closedError(): BusbarError {
  return new BusbarError('connection-failed', 'The event stream was closed before everything was delivered.');
}
