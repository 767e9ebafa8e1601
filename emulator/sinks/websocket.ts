import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { createRequire } from 'node:module';
import { setImmediate as turn } from 'node:timers/promises';
import type * as ws from 'ws';
import { BusbarError, type Clock, type Logger, stderrLogger, systemClock } from 'busbar/base';
import { encodeRecord } from 'busbar/internal/websocket-frames';
import {
  type ClientMessage,
  type ConsumeMessage,
  type ObserveMessage,
  type StreamFilter,
  subprotocol,
  maxClientMessageBytes,
} from 'busbar/internal/websocket-protocol';
import type { OutgoingEvent } from '../run/outgoing-event.js';
import type { Sink } from '../run/sink.js';
import { Client } from './stream/client.js';
import { Refusal } from './stream/client-message.js';
import { matcherFor } from './stream/filter.js';
import { type Bounds, frameBounds, History, type HistoryPage } from './stream/history.js';

interface StreamOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * The limits of the stored records, for clients that connect late or fall behind. The run waits for a consumer that has
   * acknowledged none of them.
   */
  readonly history: Bounds;
  /** The maximum number of connections. */
  readonly maxClients: number;
  /** Milliseconds of silence after which a client is disconnected. */
  readonly keepAlive: number;
  /** Returns the state of the run for observers with `about`. Default: they get none. */
  readonly report?: () => object;
}

/** Milliseconds after which observers with `about` learn of a change of the run. */
const reportInterval = 250;

/** The maximum number of consumer names of a stream. */
const maxConsumers = 64;

/** Milliseconds for which `end` waits for slow observers. */
const observerGrace = 5_000;

/** Milliseconds for which `close` waits for clients to close their connections. */
const closeGrace = 1_000;

/** A named consumer, which may reconnect. */
interface Consumer {
  readonly name: string;
  /** Number of the last acknowledged record. */
  acknowledged: number;
  client: Client | undefined;
}

/**
 * Sends a run to all connected clients by `busbar.v1` (`docs/reference/stream.md`). The run never waits for observers, but for
 * consumers, which lose no record: `write` resolves when the history has room, `end` when every consumer has acknowledged
 * all records. `close` rejects pending promises with `connection-failed`.
 */
export class WebSocketSink implements Sink {
  readonly name = 'websocket';
  /** The id of the stream in `welcome`; a new one for each start. */
  readonly stream = randomUUID();
  readonly #server: ws.WebSocketServer;
  readonly #options: StreamOptions;
  readonly #history: History;
  readonly #clients = new Set<Client>();
  readonly #consumers = new Map<string, Consumer>();
  #waiting: (() => void)[] = [];
  #pumping: NodeJS.Immediate | undefined;
  /** Records and bytes that were written since the last turn of the event loop. */
  #unsent = { records: 0, bytes: 0 };
  #cancelReport: (() => void) | undefined;
  #isOver = false;
  #closing: Promise<void> | undefined;
  #isClosed = false;
  /** Number of the first record of the current run. */
  #first = 1;

  constructor(server: ws.WebSocketServer, options: StreamOptions) {
    this.#server = server;
    this.#options = options;
    this.#history = new History(options.history);
  }

  /** The topic of the stream's records at consumers. */
  topicOf(): string {
    return 'events';
  }

  async write(emissions: readonly OutgoingEvent[]): Promise<void> {
    for (const emission of emissions) {
      if (!this.#makeRoom()) await this.#untilConsumers(() => this.#makeRoom());
      if (this.#closing !== undefined) throw closedError();
      const { envelope, headers, key, bytes: value, original, ...more } = emission;
      const about = { type: envelope.event_type, version: envelope.version, ...more };
      const timestamp = this.#options.clock.now();
      const record = encodeRecord({ key, headers, timestamp, value });
      const own =
        original && encodeRecord({ key, headers: original.headers, timestamp, value: original.bytes });
      this.#history.append({ ...record, key, value, about, ...(own && { own }) });
      // An input may continue the run after its end.
      this.#isOver = false;
      this.#unsent.records++;
      this.#unsent.bytes += record.head.length + record.line.length;
      this.#pumpSoon();
      // After a full frame the sockets get a turn, or observers would see only gaps.
      if (this.#unsent.records >= frameBounds.records || this.#unsent.bytes >= frameBounds.bytes)
        await turn();
    }
  }

  begin(): void {
    this.#first = this.#history.last + 1;
    for (const client of this.#clients) {
      if (client.view?.about === true) client.send({ type: 'begin', first: this.#first });
    }
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.#pumpSoon();
    let isPatient = true;
    const cancel = this.#options.clock.schedule(observerGrace, () => {
      isPatient = false;
      this.#check();
    });
    const isDelivered = () =>
      !isPatient || [...this.#clients].every((client) => client.isDone(this.#history));
    const isSettled = () => this.#settled >= this.#history.last;
    await this.#untilConsumers(() => isSettled() && isDelivered()).finally(cancel);
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  /**
   * Accepts the connection of an HTTP upgrade, or returns a status and a message for the HTTP server to send. The HTTP
   * server has checked Origin and Host.
   */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const { maxClients } = this.#options;
    if (this.#closing !== undefined) return { status: 503, message: 'The stream is closed.' };
    if (this.#clients.size >= maxClients) {
      return {
        status: 503,
        message: `${maxClients} clients are connected already. Close one of them first.`,
      };
    }
    const protocols = request.headers['sec-websocket-protocol']?.split(',') ?? [];
    if (!protocols.some((each) => each.trim() === subprotocol)) {
      const message = `Ask for the WebSocket subprotocol "${subprotocol}", in the header Sec-WebSocket-Protocol.`;
      return { status: 400, message };
    }
    this.#server.handleUpgrade(request, socket, head, (connection) => this.#connect(connection));
    return undefined;
  };

  /**
   * Returns up to `limit` stored records that match a filter after a number, the oldest first.
   * @throws BusbarError `invalid-option` for a number above that of the last record.
   */
  after(number: number, limit: number, filter: StreamFilter): HistoryPage {
    const { last } = this.#history;
    if (number > last) throw new BusbarError('invalid-option', `${beyond(number, last)}.`);
    return this.#history.after(number, limit, matcherFor(filter));
  }

  /** Returns the positions of all consumers that were ever attached. */
  positions() {
    return Array.from(this.#consumers.values(), ({ name, client, acknowledged }) => ({
      name,
      isConnected: client !== undefined,
      acknowledged,
      last: this.#history.last,
    }));
  }

  /**
   * Resolves when the consumer of that name is attached, or that many consumers.
   * @throws BusbarError `connection-failed` if the stream closes before.
   */
  waitForConsumer(wanted: string | number): Promise<void> {
    return this.#until(() => {
      if (typeof wanted === 'string') return this.#consumers.get(wanted)?.client !== undefined;
      return this.positions().filter(({ isConnected }) => isConnected).length >= wanted;
    });
  }

  async #close(): Promise<void> {
    for (const client of this.#clients) client.close();
    const cancel = this.#options.clock.schedule(closeGrace, () => {
      for (const client of this.#clients) client.terminate();
    });
    await this.#until(() => this.#clients.size === 0).finally(cancel);
    this.#cancelReport?.();
    clearImmediate(this.#pumping);
    this.#isClosed = true;
    this.#check();
  }

  /** Resolves when the condition holds. Checks it after each change of clients and consumers. */
  async #until(condition: () => boolean): Promise<void> {
    while (!this.#isClosed && !condition()) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (this.#isClosed) throw closedError();
  }

  #check(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves when the condition holds. Logs disconnected consumers that the run waits for. */
  #untilConsumers(condition: () => boolean): Promise<void> {
    for (const consumer of this.#consumers.values()) this.#reportMissing(consumer);
    return this.#until(condition);
  }

  #reportMissing({ name, client, acknowledged }: Consumer): void {
    const { oldest, last, isFull } = this.#history;
    const isAwaited = this.#isOver ? acknowledged < last : isFull && acknowledged < oldest;
    if (!isAwaited || client !== undefined) return;
    this.#options.logger.warn('run waits for a disconnected consumer', {
      consumer: name,
      records: last - acknowledged,
      fix: 'Start the consumer. Restart the emulator to continue without it.',
    });
  }

  #makeRoom(): boolean {
    return !this.#history.isFull || this.#history.makeRoom(this.#settled);
  }

  /** Number of the last record that all consumers have acknowledged; infinite without consumers. */
  get #settled(): number {
    let settled = Infinity;
    for (const { acknowledged } of this.#consumers.values()) settled = Math.min(settled, acknowledged);
    return settled;
  }

  #pumpSoon(): void {
    // After the writes of this turn, to send them in one frame.
    this.#pumping ??= setImmediate(() => {
      this.#pumping = undefined;
      this.#unsent = { records: 0, bytes: 0 };
      for (const client of this.#clients) this.#pump(client);
      this.#check();
    });
  }

  #pump(client: Client): void {
    client.pump(this.#history, this.#isOver);
    if (client.needsReport(this.#history)) this.#report();
  }

  /** Reports the run to observers with `about`, as long as there are any. */
  #report(): void {
    const { clock, report } = this.#options;
    const observers = [...this.#clients].filter(({ view }) => view?.about === true);
    this.#cancelReport?.();
    this.#cancelReport = undefined;
    if (report === undefined || observers.length === 0) return;
    const run = JSON.stringify(report());
    for (const client of observers) client.report(run, this.#history);
    this.#cancelReport = clock.schedule(reportInterval, () => this.#report());
  }

  #connect(socket: ws.WebSocket): void {
    const { clock, keepAlive } = this.#options;
    const client = new Client(socket, {
      clock,
      keepAlive,
      received: (message) => this.#receive(client, message),
      drained: () => {
        this.#pump(client);
        this.#check();
      },
      closed: () => this.#release(client),
    });
    this.#clients.add(client);
  }

  #receive(client: Client, message: ClientMessage): void {
    if (message.type === 'ack') {
      this.#acknowledge(client, message.through);
      return;
    }
    if (client.isSubscribed)
      throw new Refusal('already-subscribed', 'The client has subscribed already. Open another connection.');
    const next = message.mode === 'consume' ? this.#attach(client, message) : this.#observe(client, message);
    const first = client.view?.about === true ? { first: this.#first } : {};
    client.skipTo(next);
    client.send({ type: 'welcome', stream: this.stream, next, ...first });
    this.#pumpSoon();
  }

  /** Returns the number of the observer's first record. */
  #observe(client: Client, { after = 0, stream, filter, about = false }: ObserveMessage): number {
    const { last } = this.#history;
    const isOurs = stream === undefined || stream === this.stream;
    if (isOurs && after > last) {
      throw new Refusal(
        'bad-message',
        `${beyond(after, last)}: send the "stream" of your last welcome with "after".`,
      );
    }
    if (filter !== undefined) client.view = { about, matches: matcherFor(filter) };
    else if (about) client.view = { about };
    return isOurs ? after + 1 : 1;
  }

  /** Attaches a client as a consumer. Returns the number of its first record. */
  #attach(client: Client, { consumer: name }: ConsumeMessage): number {
    const known = this.#consumers.get(name);
    if (known?.client?.isOpen) {
      throw new Refusal(
        'consumer-in-use',
        `Consumer "${name}" is connected already. Stop that one, or choose another name.`,
      );
    }
    if (known === undefined && this.#consumers.size >= maxConsumers) {
      const message = `The stream has ${maxConsumers} consumers already. Use the name of one of them instead of "${name}".`;
      throw new Refusal('too-many-consumers', message);
    }
    const acknowledged = known?.acknowledged ?? this.#history.oldest - 1;
    this.#consumers.set(name, { name, acknowledged, client });
    client.consumer = name;
    const next = known === undefined ? 1 : acknowledged + 1;
    this.#options.logger.info('consumer attached', { consumer: name, next });
    this.#check();
    return next;
  }

  #acknowledge(client: Client, through: number): void {
    if (!client.isSubscribed)
      throw new Refusal('not-subscribed', 'The client has not subscribed. Subscribe before you acknowledge.');
    const consumer = this.#consumers.get(client.consumer ?? '');
    if (consumer === undefined)
      throw new Refusal('bad-message', 'An observer cannot acknowledge. Subscribe with "mode": "consume".');
    const { last } = this.#history;
    if (through > last) {
      throw new Refusal('bad-message', `"through" is ${through}, but the last record is ${last}.`);
    }
    consumer.acknowledged = Math.max(consumer.acknowledged, through);
    // A reconnected consumer may acknowledge records of an earlier connection.
    client.skipTo(consumer.acknowledged + 1);
    this.#check();
  }

  #release(client: Client): void {
    this.#clients.delete(client);
    const consumer = this.#consumers.get(client.consumer ?? '');
    if (consumer?.client === client) {
      consumer.client = undefined;
      const { name, acknowledged } = consumer;
      this.#options.logger.info('consumer disconnected', { consumer: name, acknowledged });
      if (this.#waiting.length > 0) this.#reportMissing(consumer);
    }
    this.#check();
  }
}

function beyond(after: number, last: number): string {
  return `"after" is ${after}, but the last record is ${last}. A restarted emulator numbers from 1 again`;
}

function closedError(): BusbarError {
  return new BusbarError('connection-failed', 'The event stream was closed before everything was delivered.');
}

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
export function websocketSink(options: WebSocketSinkOptions = {}): WebSocketSink {
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
  return new WebSocketSink(server, {
    clock: systemClock,
    logger: stderrLogger,
    history: { records: 10_000, bytes: 16 * 1024 * 1024 },
    maxClients: 256,
    keepAlive: 30_000,
    ...options,
  });
}
