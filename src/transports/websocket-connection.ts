import type { IncomingMessage } from 'node:http';
import type { ClientOptions, WebSocket } from 'ws';
import type { Clock } from '../base/clock.js';
import { BusbarError } from '../base/errors.js';
import { decodeServerFrame, type ServerFrame } from './websocket-frames.js';
import { type ClientMessage, subprotocol } from './websocket-protocol.js';

export interface ConnectionEvents {
  /** The subprotocol is agreed on: say who you are. */
  readonly opened: () => void;
  readonly received: (frame: ServerFrame) => void;
  /**
   * Nothing more comes; once, and never after `close`. Says why, for people, and whether the emulator took its leave
   * properly: it is about to stop.
   */
  readonly lost: (reason: string, isGoodbye: boolean) => void;
  /** Like `lost`, but trying again would end the same way. */
  readonly violated: (error: BusbarError) => void;
}

export interface ConnectionOptions {
  readonly address: URL;
  readonly maxFrameBytes: number;
  readonly clock: Clock;
}

/** What `import('ws')` brings. */
export type WebSocketConstructor = new (address: URL, protocols: string, options: ClientOptions) => WebSocket;

/** Between two signs of life, in milliseconds. */
const heartbeat = 10_000;

/** How long a goodbye may take, in milliseconds. */
const closeGrace = 2_000;

/** RFC 6455, 7.4.1. */
const goingAway = 1001;

/** One WebSocket, from the first attempt to the end. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #events: ConnectionEvents;
  readonly #clock: Clock;
  readonly #closed: Promise<void>;
  #isOver = false;
  #isPaused = false;
  #silence = 0;
  #stopBeating: () => void;

  constructor(Socket: WebSocketConstructor, options: ConnectionOptions, events: ConnectionEvents) {
    const { address, maxFrameBytes, clock } = options;
    this.#events = events;
    this.#clock = clock;
    const socket = new Socket(address, subprotocol, { maxPayload: maxFrameBytes, perMessageDeflate: false });
    this.#socket = socket;
    this.#stopBeating = clock.schedule(heartbeat, () => this.#beat());
    let cause = '';

    socket.on('open', () => events.opened());
    socket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary));
    socket.on('ping', () => this.#hear());
    socket.on('pong', () => this.#hear());
    socket.on('unexpected-response', (request, response) => {
      void answerOf(response).then((answer) => {
        request.destroy();
        this.#lose(answer);
      });
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // ws marks what the other side sent wrong; the rest is the network's.
      if (error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') {
        this.#violate(`a message has more than ${maxFrameBytes} bytes. Raise "maxFrameBytes" if it should.`);
      } else if (error.code?.startsWith('WS_ERR_')) this.#violate(`${error.message} (${error.code})`);
      else cause = error.code ?? error.message;
    });
    this.#closed = new Promise((resolve) => {
      socket.once('close', (code) => {
        this.#lose(cause || `the connection was closed (code ${code})`, code === goingAway);
        resolve();
      });
    });
  }

  send(message: ClientMessage): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** Reads no further. What has been read already may still come. */
  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#silence = 0;
    this.#socket.resume();
  }

  /** Sends what is under way and says goodbye. */
  async close(): Promise<void> {
    this.#finish();
    if (this.#socket.readyState === this.#socket.CONNECTING) this.#socket.terminate();
    // Paused, it would not see the answer.
    this.#socket.resume();
    this.#socket.close(1000);
    const cancel = this.#clock.schedule(closeGrace, () => this.#socket.terminate());
    await this.#closed;
    cancel();
  }

  /** Drops it, without a word to anybody. */
  abort(): void {
    this.#finish();
    this.#socket.terminate();
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#hear();
    if (this.#isOver) return;
    let frame: ServerFrame;
    try {
      if (isBinary) throw new BusbarError('protocol-violation', 'a message is binary');
      frame = decodeServerFrame(data);
    } catch (error) {
      if (!(error instanceof BusbarError)) throw error;
      this.#violate(error.message);
      return;
    }
    this.#events.received(frame);
  }

  #hear(): void {
    this.#silence = 0;
  }

  /**
   * A ping asks whether the emulator is still there, and tells it that we are: a consumer that is paused does not
   * read the pings of the other side, let alone answer.
   */
  #beat(): void {
    if (!this.#isPaused && ++this.#silence > 3) {
      this.#lose(`nothing was heard for ${(3 * heartbeat) / 1000} s`);
      this.#socket.terminate();
      return;
    }
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
    this.#stopBeating = this.#clock.schedule(heartbeat, () => this.#beat());
  }

  #lose(reason: string, isGoodbye = false): void {
    if (this.#isOver) return;
    this.#finish();
    this.#events.lost(reason, isGoodbye);
  }

  #violate(what: string): void {
    if (this.#isOver) return;
    this.abort();
    this.#events.violated(new BusbarError('protocol-violation', what));
  }

  #finish(): void {
    this.#isOver = true;
    this.#stopBeating();
  }
}

/** Why an HTTP server did not make it a WebSocket: its status and the first line of its text. */
async function answerOf(response: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response) {
      text += String(chunk);
      if (text.length > 200) break;
    }
  } catch {
    // The status says enough.
  }
  const line = text.split('\n', 1)[0]?.slice(0, 200) ?? '';
  return `the server answered ${response.statusCode}${line === '' ? '' : `: ${line}`}`;
}
