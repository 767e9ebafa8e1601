import { type Signal, signal } from '@preact/signals';
import {
  type ObserveMessage,
  type ServerMessage,
  type StreamFilter,
  subprotocol,
} from 'busbar/internal/websocket-protocol';
import { domainOf } from '../domains.js';
import type { Run } from '../../../control-api/generated/operations.js';
import { exchange } from '../requests.js';
import { RecentEvents } from './recent-events.js';
import { eventsIn, sentAt } from './stream-event.js';
import { Tally } from './tally.js';

/** The state of a run. A replay of a recording has only the first three members. */
export type RunReport = Run | (Pick<Run, 'state' | 'now' | 'events'> & { readonly run?: undefined });

/** `ended`: the run has finished and every event was received. `lost`: no connection, retrying. */
export type FeedState = 'connecting' | 'live' | 'ended' | 'lost';

/** Milliseconds before another attempt to connect. */
const retryPeriod = 500;

/** The events of the stream that match a filter, across reconnects and restarts of the emulator. */
export class Feed {
  readonly state = signal<FeedState>('connecting');
  readonly run = signal<RunReport | undefined>(undefined);
  readonly restarts: Signal<number>;
  /** Changes after new events, at most once per frame. */
  readonly version = signal(0);
  kept = new RecentEvents();
  /** Counts of the received events, by virtual time. */
  tally = new Tally();
  /** Number of received records, and of records that the dashboard missed. */
  readonly counts = { received: 0, missed: 0 };
  /** Number of the last record that the dashboard missed; 0 if it missed none. */
  missedThrough = 0;
  /** Virtual time of the newest event. */
  now: number | undefined;
  readonly #filter: StreamFilter;
  #stream: string | undefined;
  #through = 0;
  /** Number of the first record of the current run. */
  #first = 1;
  #socket: WebSocket | undefined;
  #retry: number | undefined;
  #frame: number | undefined;
  #isClosed = false;

  /** @param restarts Counts how often another emulator or another run has replaced the one before. */
  constructor(filter: StreamFilter, restarts = signal(0)) {
    this.#filter = filter;
    this.restarts = restarts;
    this.#connect();
  }

  /** Subscribes the calling component or effect to new events. */
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
    const socket = new WebSocket(streamAddress, subprotocol);
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(this.#subscription()));
    socket.onmessage = ({ data }) => this.#receive(String(data));
    socket.onclose = () => {
      if (this.#isClosed) return;
      this.state.value = 'lost';
      this.#reconnect();
    };
  }

  /** Connects when the emulator responds. After failed connections, Firefox waits up to a minute before the next. */
  #reconnect(): void {
    const attempt = async () => {
      const response = await exchange('GET', '/dashboard/verdict', undefined);
      if (this.#isClosed) return;
      if (response?.isGood === true) this.#connect();
      else this.#reconnect();
    };
    this.#retry = window.setTimeout(() => void attempt(), retryPeriod);
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
        // Another stream is another emulator.
        if (this.#stream !== message.stream) this.#begin(message.stream);
        this.#prepareRun(message.first ?? 1);
        this.state.value = 'connecting';
        break;
      case 'run':
        this.run.value = message.run as RunReport;
        // The first report follows the events so far.
        if (this.state.value === 'connecting') this.state.value = 'live';
        break;
      case 'batch': {
        const all = eventsIn(message, text.slice(end + 1).split('\n'));
        this.#through = all.at(-1)?.number ?? this.#through;
        const events = all.filter(({ number }) => number >= this.#first);
        const last = events.at(-1);
        if (last !== undefined) this.now = sentAt(last);
        this.kept.add(events);
        this.tally.add(events, ({ about }) => domainOf(about.type));
        this.counts.received += events.length;
        // A finished run may receive new input.
        if (this.state.value === 'ended') this.state.value = 'live';
        break;
      }
      case 'begin':
        this.#prepareRun(message.first);
        if (this.state.value === 'ended') this.state.value = 'live';
        break;
      case 'position':
        this.#through = message.through;
        break;
      case 'gap':
        // Records of an earlier run do not count as missed.
        this.counts.missed += Math.max(0, message.to - Math.max(message.from, this.#first) + 1);
        this.#through = message.to;
        if (message.to >= this.#first) this.missedThrough = message.to;
        break;
      case 'end':
        this.state.value = 'ended';
        break;
      case 'error':
        // A mistake of this client. The connection closes, and the client reconnects.
        break;
    }
    this.#changed();
  }

  #begin(stream: string): void {
    if (this.#stream !== undefined) this.#forget();
    this.#stream = stream;
    this.#through = 0;
  }

  /** Drops the records of the run before. */
  #prepareRun(first: number): void {
    if (first > this.#first) this.#forget();
    this.#first = first;
  }

  #forget(): void {
    this.restarts.value++;
    this.now = undefined;
    this.kept = new RecentEvents();
    this.tally = new Tally();
    this.counts.received = 0;
    this.counts.missed = 0;
    this.missedThrough = 0;
  }

  #changed(): void {
    // The events before the connection appear together, not one after the other.
    if (this.state.value === 'connecting') return;
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.version.value++;
    });
  }
}

/** The address of the stream, for this page and for consumers. */
export const streamAddress = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/events`;
