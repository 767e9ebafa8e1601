import { signal } from '@preact/signals';
import {
  type ObserveMessage,
  type ServerMessage,
  type StreamFilter,
  subprotocol,
} from '../../../../src/transports/websocket-protocol.js';
import { domainOf } from '../domains.js';
import { Kept } from './kept.js';
import { eventsIn, sentAt } from './stream-event.js';
import { Tally } from './tally.js';

/** `ended`: the run is over, and all of it was sent. `lost`: the emulator does not answer; it is tried again. */
export type FeedState = 'connecting' | 'live' | 'ended' | 'lost';

/** Part of the stream, followed through reconnects and restarts of the emulator. */
export class Feed {
  readonly state = signal<FeedState>('connecting');
  /** How often another emulator, or another run, has taken the place of the one before. */
  readonly restarts = signal(0);
  /** Changes at most once per frame on the screen, when there is something new. */
  readonly version = signal(0);
  readonly kept = new Kept(20_000, 64 * 1024 * 1024);
  /** All that came, counted by time. */
  tally = new Tally();
  /** Records that fit and came, and those that were lost on the way to this page. */
  readonly counts = { received: 0, missed: 0 };
  /** The newest virtual instant that was seen. */
  now: number | undefined;
  readonly #filter: StreamFilter;
  readonly #since = Date.now();
  #stream: string | undefined;
  #through = 0;
  /** Number of the first record of the present run. */
  #first = 1;
  #socket: WebSocket | undefined;
  #attempts = 0;
  #retry: number | undefined;
  #frame: number | undefined;
  #isClosed = false;

  constructor(filter: StreamFilter) {
    this.#filter = filter;
    this.#connect();
  }

  /** Has the component or effect that calls this called again whenever there is something new. */
  follow(): number {
    return this.version.value;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#socket?.close();
  }

  #connect(): void {
    const socket = new WebSocket(streamAddress(), subprotocol);
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(this.#subscription()));
    socket.onmessage = ({ data }) => this.#receive(String(data));
    socket.onclose = () => {
      if (this.#isClosed) return;
      this.state.value = 'lost';
      const delay = Math.min(5_000, 200 * 2 ** this.#attempts++) * (0.5 + Math.random() / 2);
      this.#retry = window.setTimeout(() => this.#connect(), delay);
    };
  }

  #subscription(): ObserveMessage {
    const stream = this.#stream;
    const position = stream === undefined ? {} : { stream, after: this.#through };
    const filter = Object.keys(this.#filter).length === 0 ? {} : { filter: this.#filter };
    return { type: 'subscribe', mode: 'observe', about: true, ...filter, ...position };
  }

  #receive(text: string): void {
    const end = text.indexOf('\n');
    const message = JSON.parse(end === -1 ? text : text.slice(0, end)) as ServerMessage;
    switch (message.type) {
      case 'welcome':
        this.#attempts = 0;
        // Another stream is another emulator: what came from the last one says nothing about this one.
        if (this.#stream !== message.stream) this.#begin(message.stream);
        this.#beginRun(message.first ?? 1);
        this.state.value = 'live';
        break;
      case 'batch': {
        const all = eventsIn(message, text.slice(end + 1).split('\n'));
        this.#through = all.at(-1)?.number ?? this.#through;
        const events = all.filter(({ number }) => number >= this.#first);
        const last = events.at(-1);
        if (last !== undefined) this.now = sentAt(last);
        this.kept.add(events);
        this.tally.add(events, ({ about }) => domainOf(about.type, about.version), Date.now(), this.#since);
        this.counts.received += events.length;
        // After the end something may have come into the run from outside.
        this.state.value = 'live';
        break;
      }
      case 'begin':
        this.#beginRun(message.first);
        this.state.value = 'live';
        break;
      case 'position':
        this.#through = message.through;
        break;
      case 'gap':
        // What was lost of an earlier run is no loss.
        this.counts.missed += Math.max(0, message.to - Math.max(message.from, this.#first) + 1);
        this.#through = message.to;
        break;
      case 'end':
        this.state.value = 'ended';
        break;
      case 'error':
        // Said to a client that does something wrong: this one, then. The connection closes, and is tried again.
        break;
    }
    this.#changed();
  }

  #begin(stream: string): void {
    if (this.#stream !== undefined) this.#forget();
    this.#stream = stream;
    this.#through = 0;
  }

  /** Records before it are of another run: what came of them says nothing about this one. */
  #beginRun(first: number): void {
    if (first > this.#first) this.#forget();
    this.#first = first;
  }

  #forget(): void {
    this.restarts.value++;
    this.now = undefined;
    this.kept.clear();
    this.tally = new Tally();
    this.counts.received = 0;
    this.counts.missed = 0;
  }

  #changed(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.version.value++;
    });
  }
}

function streamAddress(): string {
  return `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/events`;
}
