import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { Clock } from '../../../src/base/clock.js';
import type { Logger } from '../../../src/base/logger.js';
import type { ClientMessage, SubscribeMessage } from '../../../src/transports/websocket-protocol.js';
import { Client } from './client.js';
import { Refusal } from './client-message.js';
import { Conditions } from './conditions.js';
import { Consumers } from './consumers.js';
import { fitting } from './filter.js';
import { type Bounds, History, type StreamRecord } from './history.js';
import { keepAlive } from './keep-alive.js';

export interface StreamOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly history: Bounds;
  readonly window: Bounds;
  readonly frame: Bounds;
  readonly maxConsumers: number;
  /** Milliseconds. */
  readonly keepAlive: number;
}

/** The stream and those connected to it: who gets what, and what the run has to wait for. */
export class Stream {
  readonly id = randomUUID();
  readonly clients = new Set<Client>();
  readonly consumers: Consumers;
  readonly #state = new Conditions();
  readonly #history: History;
  readonly #frame: Bounds;
  readonly #logger: Logger;
  readonly #clientsChanged: () => void;
  #pumping: NodeJS.Immediate | undefined;
  /** What was published since the sockets last had their turn. */
  #pending = { records: 0, bytes: 0 };
  #isOver = false;
  /** Number of the first record of the present run. */
  #first = 1;

  constructor(options: StreamOptions) {
    this.#history = new History(options.history, options.frame);
    this.consumers = new Consumers(this.#history, options.window, options.maxConsumers);
    this.#frame = options.frame;
    this.#logger = options.logger;
    this.#clientsChanged = keepAlive(this.clients, options.clock, options.keepAlive);
  }

  connect(socket: WebSocket): void {
    const client = new Client(socket, {
      message: (message) => this.#receive(client, message),
      drained: () => {
        client.pump(this.#history, this.#isOver);
        this.#state.check();
      },
      gone: () => this.#release(client),
    });
    this.clients.add(client);
    this.#clientsChanged();
  }

  /** A run has begun anew: records from now on are of another world. Whoever only looks on is told at once. */
  begin(): void {
    this.#first = this.#history.last + 1;
    for (const client of this.clients) if (client.view?.about === true) client.tellBegin(this.#first);
  }

  publish(record: StreamRecord): void {
    // Something has come in from outside after the end.
    this.#isOver = false;
    this.#history.append(record, this.consumers.needed);
    this.#pending.records++;
    this.#pending.bytes += record.head.length + record.line.length;
    this.#pumpSoon();
  }

  /** A frame is full: the sockets should have their turn, or observers would see nothing but gaps. */
  get isTurnDue(): boolean {
    return this.#pending.records >= this.#frame.records || this.#pending.bytes >= this.#frame.bytes;
  }

  /** No record will follow. */
  finish(): void {
    this.#isOver = true;
    this.#pumpSoon();
  }

  /** Whether every client that subscribed has got everything. */
  get isDelivered(): boolean {
    for (const client of this.clients) if (client.isSubscribed && !client.isDone) return false;
    return true;
  }

  /** Resolves when the condition holds; whatever happens to clients and consumers makes it be looked at again. */
  until(condition: () => boolean): Promise<void> {
    this.reportMissing();
    return this.#state.until(condition);
  }

  check(): void {
    this.#state.check();
  }

  /** Rejects what waits in `until`, now or later. */
  abandon(error: Error): void {
    clearImmediate(this.#pumping);
    this.#state.abandon(error);
  }

  /** Once per absence: a run that stands still is a riddle to whoever forgot that consumer. */
  reportMissing(): void {
    for (const consumer of this.consumers) {
      const waiting = this.#history.last - consumer.acknowledged;
      const holds = this.#isOver ? waiting > 0 : this.consumers.isFull(consumer);
      if (!holds || consumer.client !== undefined || consumer.missed) continue;
      consumer.missed = true;
      this.#logger.warn(
        `Consumer "${consumer.name}" is not connected, and ${waiting} records wait for it: the run is held back. ` +
          'Start that consumer again, or start the emulator anew to go on without it.',
      );
    }
  }

  #pumpSoon(): void {
    // After the writes of this turn: what they bring goes out in one frame.
    this.#pumping ??= setImmediate(() => {
      this.#pumping = undefined;
      this.#pending = { records: 0, bytes: 0 };
      for (const client of this.clients) client.pump(this.#history, this.#isOver);
      this.#state.check();
    });
  }

  #receive(client: Client, message: ClientMessage): void {
    if (message.type === 'subscribe') {
      if (client.isSubscribed) throw new Refusal('already-subscribed', 'A connection subscribes once.');
      const next = this.#begin(client, message);
      if (message.mode === 'observe' && (message.filter !== undefined || message.about === true)) {
        const { filter, about = false } = message;
        client.view = filter === undefined ? { about } : { about, fits: fitting(filter) };
      }
      client.subscribe(this.id, next, client.view?.about === true ? this.#first : undefined);
      this.#pumpSoon();
      return;
    }
    if (!client.isSubscribed) throw new Refusal('not-subscribed', 'Subscribe before you acknowledge.');
    if (client.consumer === undefined) {
      throw new Refusal('bad-message', 'An observer has nothing to acknowledge.');
    }
    this.consumers.acknowledge(client.consumer, message.through);
    client.skip(client.consumer.acknowledged + 1);
    this.#state.check();
  }

  /** Answers the number that the stream goes on with for this client. */
  #begin(client: Client, message: SubscribeMessage): number {
    if (message.mode === 'consume') {
      const isNew = this.consumers.get(message.consumer) === undefined;
      client.consumer = this.consumers.attach(message.consumer, client);
      const next = isNew ? 1 : client.consumer.acknowledged + 1;
      this.#logger.info(`Consumer "${message.consumer}" attached, begins with record ${next}`);
      return next;
    }
    const isOurs = message.stream === undefined || message.stream === this.id;
    const after = isOurs ? (message.after ?? 0) : 0;
    if (after <= this.#history.last) return after + 1;
    throw new Refusal(
      'bad-message',
      `"after" is ${after}, but the last record is ${this.#history.last}. A restarted emulator numbers from 1 again: ` +
        'send the "stream" of your last welcome beside "after".',
    );
  }

  #release(client: Client): void {
    this.clients.delete(client);
    this.#clientsChanged();
    const { consumer } = client;
    if (consumer?.client === client) {
      consumer.client = undefined;
      this.#logger.info(`Consumer "${consumer.name}" left, settled through record ${consumer.acknowledged}`);
      if (this.#state.isAwaited) this.reportMissing();
    }
    this.#state.check();
  }
}
