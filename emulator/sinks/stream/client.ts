import type { WebSocket } from 'ws';
import type { ClientMessage, ServerMessage } from '../../../src/transports/websocket-protocol.js';
import { decodeClientMessage, Refusal } from './client-message.js';
import type { Consumer } from './consumers.js';
import type { History, View } from './history.js';

/** An observer whom nothing concerns hears this often, in records, how far the stream is. */
const positionEvery = 1_000;

export interface ClientEvents {
  /** May throw a {@link Refusal}. */
  readonly message: (message: ClientMessage) => void;
  /** What was given to the socket has left it: there is room for more. */
  readonly drained: () => void;
  readonly gone: () => void;
}

/** One connection. Never has more than one frame in its socket: what waits, waits in the history, once for all. */
export class Client {
  readonly #socket: WebSocket;
  readonly #events: ClientEvents;
  /** Number of the next record to send; undefined before it subscribed. */
  #next: number | undefined;
  #isHeard = true;
  #isRefused = false;
  #isEnded = false;
  consumer: Consumer | undefined;
  /** An observer's own view of the stream; without one it shares its frames with others. */
  view: View | undefined;
  /** Number of the last record that an observer with a filter knows to have passed. */
  #told = 0;

  constructor(socket: WebSocket, events: ClientEvents) {
    this.#socket = socket;
    this.#events = events;
    socket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary));
    socket.on('ping', (data) => {
      this.#isHeard = true;
      // A client that sends pings and reads nothing would fill the buffer with answers.
      if (socket.bufferedAmount === 0) socket.pong(data);
    });
    socket.on('pong', () => {
      this.#isHeard = true;
    });
    // ws closes the connection itself; without a listener the process would end.
    socket.on('error', () => {});
    socket.on('close', () => events.gone());
  }

  get isOpen(): boolean {
    return !this.#isRefused && this.#socket.readyState === this.#socket.OPEN;
  }

  get isSubscribed(): boolean {
    return this.#next !== undefined;
  }

  /** Whether all was sent, `end` included, and has left. */
  get isDone(): boolean {
    return !this.isOpen || (this.#isEnded && this.#socket.bufferedAmount === 0);
  }

  /** @param first number of the first record of the present run, for those who ask what is known about records */
  subscribe(stream: string, next: number, first?: number): void {
    this.#next = next;
    this.#told = next - 1;
    this.#send({ type: 'welcome', stream, next, ...(first !== undefined && { first }) });
  }

  tellBegin(first: number): void {
    if (this.isOpen) this.#send({ type: 'begin', first });
  }

  /** Settled already: need not be sent. */
  skip(next: number): void {
    if (this.#next !== undefined) this.#next = Math.max(this.#next, next);
  }

  /** Sends what is there, frame by frame, as long as the socket takes it at once. */
  pump(history: History, isOver: boolean): void {
    // For whoever looks on, a run that something comes into is not over any more; a consumer has gone by then.
    if (this.consumer === undefined && this.#next !== undefined && this.#next <= history.last)
      this.#isEnded = false;
    while (this.#next !== undefined && !this.#isEnded && this.isOpen && this.#socket.bufferedAmount === 0) {
      if (this.#next < history.oldest) {
        const [from, to] = [this.#next, history.oldest - 1];
        this.#send({ type: 'gap', from, to, count: to - from + 1 });
        this.#next = history.oldest;
        this.#told = to;
      } else if (this.#next <= history.last && this.view !== undefined) {
        this.#sendSelection(history, this.#next, this.view);
      } else if (this.#next <= history.last) {
        const frame = history.frame(this.#next);
        this.#next = frame.next;
        if (this.consumer !== undefined) this.consumer.sent = Math.max(this.consumer.sent, frame.next - 1);
        this.#sendText(frame.bytes);
      } else if (isOver) {
        this.#isEnded = true;
        this.#send({ type: 'end', last: history.last });
      } else return;
    }
  }

  #sendSelection(history: History, first: number, view: View): void {
    const { bytes, next } = history.selection(first, view);
    this.#next = next;
    if (bytes !== undefined) {
      this.#told = next - 1;
      this.#sendText(bytes);
    } else if (next - 1 - this.#told >= positionEvery) {
      this.#told = next - 1;
      this.#send({ type: 'position', through: this.#told });
    }
  }

  /** Asks for a sign of life; ends the connection when there was none since the last call. */
  probe(): void {
    if (!this.#isHeard) this.#socket.terminate();
    else if (this.isOpen) {
      this.#isHeard = false;
      this.#socket.ping();
    }
  }

  /** Says goodbye; a client that does not even read what was sent before is cut off. */
  close(): void {
    if (this.#socket.bufferedAmount > 0) this.#socket.terminate();
    else this.#socket.close(1001, 'the emulator stops');
  }

  terminate(): void {
    this.#socket.terminate();
  }

  #receive(data: Buffer, isBinary: boolean): void {
    this.#isHeard = true;
    if (!this.isOpen) return;
    try {
      this.#events.message(decodeClientMessage(data, isBinary));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#send({ type: 'error', code: error.code, message: error.message });
      this.#isRefused = true;
      this.#socket.close(error.closeCode);
    }
  }

  #send(message: ServerMessage): void {
    this.#sendText(JSON.stringify(message));
  }

  #sendText(text: string | Buffer): void {
    this.#socket.send(text, { binary: false }, (error) => {
      if (!error) this.#events.drained();
    });
  }
}
