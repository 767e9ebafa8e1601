import { text } from 'node:stream/consumers';
import type { WebSocket } from 'ws';
import { untilAborted } from '../base/clock.js';
import { BusbarError } from '../base/errors.js';
import { recordHeaders } from './record-headers.js';
import type { ConsumerRecord, OpenOptions, Partition, Receiver, Subscription } from './transport.js';
import { decodeServerFrame, type ReceivedBatch, type ServerFrame } from './websocket-frames.js';
import {
  type ClientMessage,
  type ErrorMessage,
  type GapMessage,
  subprotocol,
  type WelcomeMessage,
} from './websocket-protocol.js';

/** The options of `websocket()`, complete. Durations in milliseconds. */
export interface WebSocketSettings {
  readonly address: URL;
  readonly consumer: string;
  readonly connectTimeout: number;
  readonly minDelay: number;
  readonly maxDelay: number;
  readonly giveUpAfter: number;
  readonly maxFrameBytes: number;
  readonly random: () => number;
}

/** Time in milliseconds without a message after which a connection is lost. The server pings every 30 seconds. */
const maxSilence = 60_000;

/** Maximum duration of a close handshake, in milliseconds. */
const closeGrace = 2_000;

/** RFC 6455, 7.4.1: the emulator is stopping. */
const goingAway = 1001;

/** Connects. Resolves when the emulator has welcomed the consumer. */
export async function openWebSocketRun(
  settings: WebSocketSettings,
  receiver: Receiver,
  options: OpenOptions,
): Promise<Subscription> {
  // Imported here, so that consumers of Kafka do not load it.
  const { WebSocket } = await import('ws');
  const run = new WebSocketRun(WebSocket, settings, receiver, options);
  await run.open();
  // The first records may arrive together with the welcome. They cannot be settled before the subscription is returned.
  setImmediate(() => run.release());
  return run;
}

/**
 * A consumer's run over a stream, across reconnects. Records that the receiver has no room for wait in a queue. The
 * server bounds it, by limiting the records that it sends after the last acknowledgement.
 */
class WebSocketRun implements Subscription {
  readonly #Socket: typeof WebSocket;
  readonly #settings: WebSocketSettings;
  readonly #receiver: Receiver;
  readonly #options: OpenOptions;
  /** The address without credentials and query, which must not be logged. */
  readonly #where: string;

  /** The current connection. */
  #socket: WebSocket | undefined;
  #opening: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined;
  #stopping: Promise<void> | undefined;
  /** Cancels the timer for silence or, without a connection, for the next attempt. */
  #stopWaiting: () => void = () => undefined;
  #attempts = 0;
  #lostAt: number | undefined;
  #isWelcome = false;
  #isOver = false;

  #stream: string | undefined;
  #partition: Partition = { topic: 'events', partition: 0 };
  /** Number of the last record received. The server sends unacknowledged records again. */
  #received = 0;
  #settled = 0;
  /** The last acknowledgement that was sent. */
  #acknowledged = 0;
  #acknowledging: NodeJS.Immediate | undefined;
  /** Received batches; none is empty. */
  #queue: (readonly ConsumerRecord[])[] = [];
  #isBlocked = false;
  /** Number of reasons not to deliver: the caller has no subscription yet, an old partition is being revoked. */
  #holds = 1;
  #end: 'open' | 'announced' | 'reported' = 'open';

  constructor(
    Socket: typeof WebSocket,
    settings: WebSocketSettings,
    receiver: Receiver,
    options: OpenOptions,
  ) {
    this.#Socket = Socket;
    this.#settings = settings;
    this.#receiver = receiver;
    this.#options = options;
    const { protocol, host, pathname } = settings.address;
    this.#where = `${protocol}//${host}${pathname}`;
  }

  open(): Promise<void> {
    const opened = new Promise<void>((resolve, reject) => {
      this.#opening = { resolve, reject };
      this.#connect();
    });
    return untilAborted(opened, this.#options.signal, () => this.stop());
  }

  /** Removes one reason not to deliver; the first exists from the start. */
  release(): void {
    this.#holds--;
    this.#deliver();
  }

  commit(partition: Partition, offset: number): void {
    if (partition !== this.#partition || offset - 1 <= this.#settled || this.#isOver) return;
    this.#settled = offset - 1;
    // One message acknowledges all records that are settled in this turn.
    this.#acknowledging ??= setImmediate(() => this.#acknowledge());
  }

  resume(partition: Partition): void {
    if (partition !== this.#partition) return;
    this.#isBlocked = false;
    // The receiver may call this from within `receive`.
    queueMicrotask(() => this.#deliver());
  }

  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    this.#acknowledge();
    this.#leave();
    const socket = this.#socket;
    if (socket === undefined) return;
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const cancel = this.#options.clock.schedule(closeGrace, () => socket.terminate());
    socket.close(1000);
    await closed;
    cancel();
  }

  /** Ends the run: the receiver is not called after this. */
  #leave(): void {
    this.#isOver = true;
    this.#queue = [];
    this.#stopWaiting();
    clearImmediate(this.#acknowledging);
  }

  #connect(): void {
    const { address, connectTimeout, maxFrameBytes, consumer } = this.#settings;
    const socket = new this.#Socket(address, subprotocol, {
      maxPayload: maxFrameBytes,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    const isCurrent = () => socket === this.#socket && !this.#isOver;
    let reason: string | undefined;
    const restartTimer = () => {
      if (!isCurrent()) return;
      const limit = this.#opening === undefined ? maxSilence : connectTimeout;
      this.#stopWaiting();
      this.#stopWaiting = this.#options.clock.schedule(limit, () =>
        this.#lost(`no message within ${limit} ms`),
      );
    };
    restartTimer();

    socket.on('open', () => this.#send({ type: 'subscribe', mode: 'consume', consumer }));
    socket.on('ping', restartTimer);
    socket.on('message', (data, isBinary) => {
      if (isCurrent()) this.#receive(data as Buffer, isBinary);
      restartTimer();
    });
    socket.on('unexpected-response', (_, response) => {
      const body = text(response).catch(() => '');
      void body.then((words) => {
        const line = words.split('\n', 1)[0]?.slice(0, 200);
        reason = `the server responded ${response.statusCode}: ${line || response.statusMessage}`;
        socket.terminate();
      });
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!isCurrent()) return;
      // ws prefixes protocol errors of the server; other errors come from the network.
      if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') {
        const message = `a message has more than ${maxFrameBytes} bytes. Raise "maxFrameBytes" if it should.`;
        this.#fail('protocol-violation', message);
      } else if (error.code?.startsWith('WS_ERR_')) {
        this.#fail('protocol-violation', `${error.message} (${error.code})`);
      } else reason ??= error.code ?? error.message;
    });
    socket.on('close', (code) => {
      if (isCurrent()) this.#lost(reason ?? `the connection was closed (code ${code})`, code === goingAway);
    });
  }

  #send(message: ClientMessage): void {
    this.#socket?.send(JSON.stringify(message), () => undefined);
  }

  #receive(data: Buffer, isBinary: boolean): void {
    try {
      if (isBinary) throw new BusbarError('protocol-violation', 'a message is binary');
      this.#take(decodeServerFrame(data));
    } catch (error) {
      if (!(error instanceof BusbarError)) throw error;
      this.#fail('protocol-violation', error.message);
    }
    this.#deliver();
  }

  #take(frame: ServerFrame): void {
    if (frame.type !== 'error' && this.#isWelcome === (frame.type === 'welcome')) {
      const when = this.#isWelcome ? 'after the first' : 'before the "welcome"';
      throw new BusbarError('protocol-violation', `a "${frame.type}" came ${when}`);
    }
    // Only a message after the welcome ends the backoff: a server may welcome and close again and again.
    if (frame.type !== 'welcome') this.#attempts = 0;
    // The receiver takes no records after the end. Later records of the stream belong to the next run.
    if (this.#end !== 'open' && frame.type !== 'welcome' && frame.type !== 'error') return;
    switch (frame.type) {
      case 'welcome':
        this.#welcome(frame);
        break;
      case 'batch':
        this.#add(frame);
        break;
      case 'gap':
        this.#expect(frame.from, 'a "gap"');
        this.#received = Math.max(this.#received, frame.to);
        this.#warnOfGap(frame);
        break;
      case 'end':
        this.#expect(frame.last + 1, 'an "end"');
        this.#end = 'announced';
        break;
      case 'error':
        this.#refused(frame);
        break;
      case 'begin':
      case 'position':
      case 'run':
        // Only observers ask for these.
        break;
    }
  }

  #welcome({ stream, next }: WelcomeMessage): void {
    this.#isWelcome = true;
    if (this.#stream !== undefined && this.#stream !== stream) this.#restart();
    else if (this.#lostAt !== undefined)
      this.#options.logger.info('stream connection restored', { url: this.#where });
    this.#lostAt = undefined;
    this.#stream = stream;
    this.#received = Math.max(this.#received, next - 1);
    this.#acknowledged = next - 1;
    this.#acknowledge();
    this.#opening?.resolve();
    this.#opening = undefined;
  }

  /** Replaces the partition after the emulator was restarted with another stream, once the old one is revoked. */
  #restart(): void {
    this.#options.logger.warn('emulator restarted with a new stream', { url: this.#where });
    const old = this.#partition;
    this.#partition = { topic: 'events', partition: 0 };
    this.#received = 0;
    this.#settled = 0;
    this.#queue = [];
    this.#isBlocked = false;
    this.#end = 'open';
    this.#holds++;
    this.#receiver.revoke([old]).then(
      () => this.release(),
      (error: unknown) => this.#failWith(error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** Queues the records of a batch, except those that were received before a reconnect. */
  #add({ first, records }: ReceivedBatch): void {
    this.#expect(first, 'a "batch"');
    const fresh = records.slice(Math.max(0, this.#received + 1 - first));
    if (fresh.length === 0) return;
    const batch = fresh.map(({ key, headers, timestamp, value }) => ({
      ...this.#partition,
      offset: ++this.#received,
      timestamp,
      key: key === null ? null : Buffer.from(key),
      value,
      headers: recordHeaders(headers),
    }));
    this.#queue.push(batch);
  }

  #expect(number: number, where: string): void {
    if (number <= this.#received + 1) return;
    const message = `${where} continues with record ${number} instead of ${this.#received + 1}`;
    throw new BusbarError('protocol-violation', message);
  }

  #deliver(): void {
    if (this.#holds > 0) return;
    for (let batch = this.#queue[0]; batch !== undefined && !this.#isBlocked; batch = this.#queue[0]) {
      this.#isBlocked = true;
      const taken = this.#receiver.receive(this.#partition, batch);
      if (taken === batch.length) this.#isBlocked = false;
      // `receive` may stop the run, which replaces the queue.
      if (this.#queue[0] !== batch) break;
      if (taken === batch.length) this.#queue.shift();
      else this.#queue[0] = batch.slice(taken);
    }
    if (this.#isOver || this.#end !== 'announced' || this.#queue.length > 0) return;
    this.#end = 'reported';
    this.#receiver.end();
  }

  #acknowledge(): void {
    this.#acknowledging = undefined;
    if (!this.#isWelcome || this.#settled <= this.#acknowledged) return;
    this.#acknowledged = this.#settled;
    this.#send({ type: 'ack', through: this.#settled });
  }

  #warnOfGap({ from, to, count }: GapMessage): void {
    const { consumer } = this.#settings;
    this.#options.logger.warn('records expired before the consumer attached', { consumer, count, from, to });
  }

  #refused({ code, message }: ErrorMessage): void {
    // Most likely the emulator has not noticed yet that this consumer's last connection ended.
    if (code === 'consumer-in-use' && this.#opening === undefined) this.#lost(message);
    else this.#fail(this.#isWelcome ? 'protocol-violation' : 'connection-failed', message);
  }

  #lost(reason: string, isGoodbye = false): void {
    if (this.#opening !== undefined) {
      this.#fail('connection-failed', `${reason}. Is an emulator running there?`);
      return;
    }
    this.#stopWaiting();
    this.#socket?.terminate();
    this.#socket = undefined;
    this.#isWelcome = false;
    // An emulator that has sent the whole run may stop.
    if (isGoodbye && this.#end !== 'open') return;
    const now = this.#options.clock.now();
    if (this.#lostAt === undefined) {
      this.#lostAt = now;
      this.#options.logger.warn('stream connection lost, retrying', { url: this.#where, error: reason });
    }
    const { minDelay, maxDelay, giveUpAfter, random } = this.#settings;
    if (now - this.#lostAt >= giveUpAfter) {
      this.#fail('connection-failed', `${reason}. Reconnecting failed for ${giveUpAfter} ms.`);
      return;
    }
    const delay = random() * Math.min(maxDelay, minDelay * 2 ** this.#attempts++);
    this.#stopWaiting = this.#options.clock.schedule(delay, () => this.#connect());
  }

  #fail(code: 'connection-failed' | 'protocol-violation', reason: string): void {
    const what = code === 'connection-failed' ? 'cannot be consumed' : 'violates the protocol';
    this.#failWith(new BusbarError(code, `The stream at "${this.#where}" ${what}: ${reason}`));
  }

  #failWith(error: Error): void {
    if (this.#isOver) return;
    this.#leave();
    this.#socket?.terminate();
    this.#socket = undefined;
    if (this.#opening === undefined) this.#receiver.fail(error);
    else this.#opening.reject(error);
  }
}
