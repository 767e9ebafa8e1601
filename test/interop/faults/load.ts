import { connectProducer, type RecordProducer } from '../../../src/transports/kafka/record-producer.js';
import { isSetAside, recordOf } from './events.js';

/** Most unhandled events at a time. */
const backlog = 4_000;
const batch = 200;

/** The events of a run, sent as fast as they are handled, and which of them were handled so far. */
export class Load {
  readonly #broker: string;
  readonly #topic: string;
  readonly #isDone: Uint8Array;
  #sent = 0;
  #handled = 0;
  #setAside = 0;
  #isOver = false;
  #producer: RecordProducer | undefined;
  /** While the broker is away nothing is sent. */
  #isHeld = false;
  #sending: Promise<unknown> = Promise.resolve();
  #changed: (() => void)[] = [];

  constructor(broker: string, topic: string, events: number) {
    this.#broker = broker;
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

  /** Sent and not handled; those that must be dead-lettered count as handled. */
  get waiting(): number {
    return this.#sent - this.#setAside - this.#handled;
  }

  get isNearlyDone(): boolean {
    return this.#sent === this.#isDone.length && this.waiting < 100;
  }

  /** Connects and sends all, each event once. */
  async play(): Promise<void> {
    const producer = await connectProducer({
      brokers: [this.#broker],
      clientId: 'load',
      compression: 'none',
    });
    this.#producer = producer;
    while (this.#sent < this.#isDone.length && !this.#isOver) {
      await this.until(() => (this.waiting < backlog && !this.#isHeld) || this.#isOver);
      const count = Math.min(batch, this.#isDone.length - this.#sent);
      const records = Array.from({ length: count }, (_, n) => recordOf(this.#topic, this.#sent + n));
      this.#sending = producer.send(records);
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
    await this.#producer?.close();
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
