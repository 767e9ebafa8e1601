import kafkajs, { type Producer } from 'kafkajs';
import { isSetAside, messageOf } from './events.js';

/** How many events wait for the consumers, at most. */
const backlog = 4_000;
const batch = 200;

/** The events of a run, sent as fast as they are handled, and which of them were handled so far. */
export class Load {
  readonly #producer: Producer;
  readonly #topic: string;
  readonly #isDone: Uint8Array;
  #sent = 0;
  #handled = 0;
  #setAside = 0;
  #isOver = false;
  /** While the broker is away nothing is sent: whether it has arrived would not be known. */
  #isHeld = false;
  #sending: Promise<unknown> = Promise.resolve();
  #changed: (() => void)[] = [];

  constructor(kafka: kafkajs.Kafka, topic: string, events: number) {
    this.#producer = kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner });
    this.#topic = topic;
    this.#isDone = new Uint8Array(events);
  }

  get sent(): number {
    return this.#sent;
  }

  /** Each counted once, however often it was handled. */
  get handled(): number {
    return this.#handled;
  }

  /** Sent and not handled; those that are to be set aside count as handled. */
  get waiting(): number {
    return this.#sent - this.#setAside - this.#handled;
  }

  /** Connects and sends all. */
  async play(): Promise<void> {
    await this.#producer.connect();
    while (this.#sent < this.#isDone.length && !this.#isOver) {
      await this.until(() => (this.waiting < backlog && !this.#isHeld) || this.#isOver);
      const count = Math.min(batch, this.#isDone.length - this.#sent);
      const messages = Array.from({ length: count }, (_, n) => messageOf(this.#sent + n));
      this.#sending = this.#producer.send({ topic: this.#topic, acks: -1, messages });
      await this.#sending;
      for (let n = 0; n < count; n++) if (isSetAside(this.#sent + n)) this.#setAside++;
      this.#sent += count;
      this.tell();
    }
  }

  /** Resolves when nothing is under way, and nothing more is sent until `goOn`. */
  async hold(): Promise<void> {
    this.#isHeld = true;
    await this.#sending;
  }

  goOn(): void {
    this.#isHeld = false;
    this.tell();
  }

  /** Events were handled. */
  done(numbers: readonly number[]): void {
    for (const n of numbers) {
      if (this.#isDone[n] === 1) continue;
      this.#isDone[n] = 1;
      this.#handled++;
    }
    this.tell();
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.tell();
    await this.#producer.disconnect();
  }

  /** Something has changed for those who wait. */
  tell(): void {
    for (const resolve of this.#changed.splice(0)) resolve();
  }

  /** Resolves when it is so, or after so many milliseconds. */
  async until(isSo: () => boolean, limit = Number.POSITIVE_INFINITY): Promise<void> {
    const end = performance.now() + limit;
    while (!isSo() && performance.now() < end) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#changed.push(resolve);
        timer = setTimeout(resolve, 1_000);
      });
      clearTimeout(timer);
    }
  }
}
