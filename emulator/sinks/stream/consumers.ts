import type { Client } from './client.js';
import { Refusal } from './client-message.js';
import type { Bounds, History } from './history.js';

/** One consumer by its name; outlives its connections. */
export interface Consumer {
  readonly name: string;
  /** The last record that it settled. */
  acknowledged: number;
  /** The last record that was ever sent to it. */
  sent: number;
  client: Client | undefined;
  /** Whether the log already says that the run waits for its return. */
  missed: boolean;
}

/** How far a consumer has come. */
export interface ConsumerPosition {
  readonly name: string;
  readonly isConnected: boolean;
  /** Number of the last record that it settled. */
  readonly acknowledged: number;
  /** Number of the last record of the stream. */
  readonly last: number;
}

/** The positions of all named consumers, and what they ask of the run. */
export class Consumers {
  readonly #history: History;
  readonly #window: Bounds;
  readonly #limit: number;
  readonly #byName = new Map<string, Consumer>();

  constructor(history: History, window: Bounds, limit: number) {
    this.#history = history;
    this.#window = window;
    this.#limit = limit;
  }

  [Symbol.iterator](): Iterator<Consumer> {
    return this.#byName.values();
  }

  get(name: string): Consumer | undefined {
    return this.#byName.get(name);
  }

  /**
   * Gives the name to this client. A new name begins with what the history still has.
   * @throws Refusal
   */
  attach(name: string, client: Client): Consumer {
    let consumer = this.#byName.get(name);
    if (consumer?.client?.isOpen) {
      throw new Refusal(
        'consumer-in-use',
        `Consumer "${name}" is connected already. Stop that one, or take another name.`,
      );
    }
    if (consumer === undefined) {
      if (this.#byName.size >= this.#limit) {
        const message = `There are ${this.#limit} consumers already; "${name}" would be one too many. Take the name of one of them.`;
        throw new Refusal('too-many-consumers', message);
      }
      const before = this.#history.oldest - 1;
      consumer = { name, acknowledged: before, sent: before, client: undefined, missed: false };
      this.#byName.set(name, consumer);
    }
    consumer.client = client;
    consumer.missed = false;
    return consumer;
  }

  /**
   * Everything up to `through` is settled. Less than before says nothing new: a consumer that was away may not know
   * how far its name has come.
   * @throws Refusal
   */
  acknowledge(consumer: Consumer, through: number): void {
    if (through > consumer.sent) {
      const message = `"through" is ${through}, but the last record sent to "${consumer.name}" is ${consumer.sent}.`;
      throw new Refusal('bad-message', message);
    }
    consumer.acknowledged = Math.max(consumer.acknowledged, through);
  }

  /** Number of the first record that a consumer still needs; infinite when none needs any. */
  get needed(): number {
    let needed = Number.POSITIVE_INFINITY;
    for (const { acknowledged } of this) needed = Math.min(needed, acknowledged + 1);
    return needed;
  }

  /** Whether one more record may be sent: no consumer has its window full. */
  get haveRoom(): boolean {
    for (const consumer of this) if (this.isFull(consumer)) return false;
    return true;
  }

  positions(): ConsumerPosition[] {
    const { last } = this.#history;
    return Array.from(this, ({ name, client, acknowledged }) => ({
      name,
      isConnected: client !== undefined,
      acknowledged,
      last,
    }));
  }

  /** How many have a connection. */
  get connected(): number {
    let connected = 0;
    for (const { client } of this) if (client !== undefined) connected++;
    return connected;
  }

  /** Whether everything is acknowledged. */
  get areDone(): boolean {
    for (const { acknowledged } of this) if (acknowledged < this.#history.last) return false;
    return true;
  }

  isFull({ acknowledged }: Consumer): boolean {
    const { last } = this.#history;
    if (last - acknowledged >= this.#window.records) return true;
    const bytes = this.#history.bytesThrough(last) - this.#history.bytesThrough(acknowledged);
    return bytes >= this.#window.bytes;
  }
}
