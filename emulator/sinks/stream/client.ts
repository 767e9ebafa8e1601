import type { WebSocket } from 'ws';
import type { Clock } from 'busbar/base';
import type { ClientMessage, ServerMessage } from 'busbar/internal/websocket-protocol';
import { decodeClientMessage, Refusal } from './client-message.js';
import type { History, View } from './history.js';

/** The number of records after which an observer with a filter gets a position. */
const positionInterval = 1_000;

export interface ClientOptions {
  readonly clock: Clock;
  /** Milliseconds of silence after which a client is disconnected. */
  readonly keepAlive: number;
  /** Handles a message. May throw a {@link Refusal}. */
  readonly received: (message: ClientMessage) => void;
  /** Called when the socket has sent all its data. */
  readonly drained: () => void;
  readonly closed: () => void;
}

/** One connection. Its socket buffers at most one frame; other records wait in the history that all clients share. */
export class Client {
  readonly #socket: WebSocket;
  readonly #options: ClientOptions;
  #cancelProbe: () => void = () => undefined;
  #isHeard = true;
  #isRefused = false;
  /** Number of the next record to send; undefined before the client subscribes. */
  #next: number | undefined;
  /** Number of the last record in a batch or position that was sent. */
  #reported = 0;
  /** The last record in the `end` message that was sent. */
  #ended: number | undefined;
  /** The state of the run that was last sent. */
  #run: string | undefined;
  /** The name of a consumer; observers have none. */
  consumer: string | undefined;
  /** The observer's view of the stream; clients without a view share frames. */
  view: View | undefined;

  constructor(socket: WebSocket, options: ClientOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary));
    socket.on('ping', (data) => {
      this.#isHeard = true;
      // Without this check, a client that sends pings and reads nothing would fill the buffer.
      if (socket.bufferedAmount === 0) socket.pong(data);
    });
    socket.on('pong', () => {
      this.#isHeard = true;
    });
    // ws closes the connection; without a listener the process would exit.
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#cancelProbe();
      options.closed();
    });
    this.#probeLater();
  }

  get isOpen(): boolean {
    return !this.#isRefused && this.#socket.readyState === this.#socket.OPEN;
  }

  get isSubscribed(): boolean {
    return this.#next !== undefined;
  }

  /** Whether all records are sent; also true for a client without a subscription or connection. */
  isDone(history: History): boolean {
    if (!this.isSubscribed || !this.isOpen) return true;
    return this.#ended === history.last && this.#socket.bufferedAmount === 0;
  }

  /** Sets the next record to send; never goes back. */
  skipTo(next: number): void {
    this.#next = Math.max(this.#next ?? next, next);
    this.#reported = this.#next - 1;
  }

  /** Sends records, frame by frame, until the socket has to buffer. */
  pump(history: History, isOver: boolean): void {
    while (this.#next !== undefined && this.isOpen && this.#socket.bufferedAmount === 0) {
      if (this.#next < history.oldest) {
        const [from, to] = [this.#next, history.oldest - 1];
        this.skipTo(history.oldest);
        this.send({ type: 'gap', from, to, count: to - from + 1 });
      } else if (this.#next <= history.last) {
        const { batch, next } = history.frame(this.#next, this.view);
        this.#next = next;
        const isPositionDue = next - 1 - this.#reported >= positionInterval;
        if (batch === undefined && !isPositionDue) continue;
        this.#reported = next - 1;
        if (batch === undefined) this.send({ type: 'position', through: this.#reported });
        else this.#sendText(batch);
      } else if (isOver && this.#ended !== history.last) {
        this.#ended = history.last;
        this.send({ type: 'end', last: history.last });
      } else return;
    }
  }

  /** Whether the client needs its first report of the run: all records so far are sent. */
  needsReport(history: History): boolean {
    const isCurrent = this.#next !== undefined && this.#next > history.last;
    return this.view?.about === true && this.#run === undefined && isCurrent;
  }

  /** Sends the state of the run if it has changed. */
  report(run: string, history: History): void {
    const isWanted = run !== this.#run && (this.#run !== undefined || this.needsReport(history));
    if (!isWanted || !this.isOpen || this.#socket.bufferedAmount > 0) return;
    this.#run = run;
    this.#sendText(`{"type":"run","run":${run}}`);
  }

  send(message: ServerMessage): void {
    if (this.isOpen) this.#sendText(JSON.stringify(message));
  }

  /** Closes the connection; terminates it if the client has not read all data. */
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
      this.#options.received(decodeClientMessage(data, isBinary));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.send({ type: 'error', code: error.code, message: error.message });
      this.#isRefused = true;
      this.#socket.close(error.closeCode);
    }
  }

  #sendText(text: string | Buffer): void {
    this.#socket.send(text, { binary: false }, (error) => {
      if (!error) this.#options.drained();
    });
  }

  #probeLater(): void {
    const { clock, keepAlive } = this.#options;
    this.#cancelProbe = clock.schedule(keepAlive, () => {
      if (!this.#isHeard) {
        this.#socket.terminate();
        return;
      }
      this.#isHeard = false;
      if (this.isOpen) this.#socket.ping();
      this.#probeLater();
    });
  }
}
