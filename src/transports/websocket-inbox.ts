import { BusbarError } from '../base/errors.js';
import { recordHeaders } from './record-headers.js';
import type { ConsumerRecord, Partition, Receiver } from './transport.js';
import type { ReceivedBatch } from './websocket-frames.js';
import type { EndMessage, GapMessage } from './websocket-protocol.js';

/**
 * Between the wire and the receiver: sees that no number is missing, drops what a reconnect brings again, and keeps
 * what the receiver has no room for.
 */
export class Inbox {
  readonly #receiver: Receiver;
  #partition: Partition = { topic: 'events', partition: 0 };
  /** Number of the next record on the wire. */
  #expected = 1;
  /** The last record that was ever put in the queue: what comes again is in good hands already. */
  #received = 0;
  #queue: ConsumerRecord[] = [];
  #isBlocked = false;
  #isDelivering = false;
  /** Reasons not to deliver: the caller has no subscription yet, an old partition has work under way. */
  #holds = 1;
  #end: 'open' | 'announced' | 'told' = 'open';
  #isClosed = false;

  constructor(receiver: Receiver) {
    this.#receiver = receiver;
  }

  /** Of the present stream. */
  get partition(): Partition {
    return this.#partition;
  }

  /** While false, nothing more should be read. */
  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  get hasEnded(): boolean {
    return this.#end !== 'open';
  }

  /** A connection goes on with this record. */
  begin(next: number): void {
    this.#expected = next;
  }

  /** The stream is another one: its partition takes the place of the old one, once that one's work is done. */
  async beginAnew(): Promise<void> {
    const old = this.#partition;
    this.#partition = { topic: 'events', partition: 0 };
    this.#queue = [];
    this.#received = 0;
    this.#isBlocked = false;
    this.#end = 'open';
    this.#holds++;
    await this.#receiver.revoke([old]);
    this.release();
  }

  /** @throws BusbarError `protocol-violation`, as `skip` and `finish` do. */
  add({ first, records }: ReceivedBatch): void {
    this.#expect(first, 'a "batch"');
    this.#expected += records.length;
    for (const [at, { key, headers, timestamp, value }] of records.entries()) {
      const offset = first + at;
      if (offset <= this.#received) continue;
      this.#received = offset;
      this.#queue.push({
        ...this.#partition,
        offset,
        timestamp,
        key: key === null ? null : Buffer.from(key),
        value,
        headers: recordHeaders(headers),
      });
    }
  }

  skip({ from, to }: GapMessage): void {
    this.#expect(from, 'a "gap"');
    this.#expected = to + 1;
  }

  finish({ last }: EndMessage): void {
    this.#expect(last + 1, 'an "end"');
    if (this.#end === 'open') this.#end = 'announced';
  }

  /** Takes one hold away; the first is there from the beginning. */
  release(): void {
    this.#holds--;
    this.deliver();
  }

  /** There is room again. */
  resume(): void {
    this.#isBlocked = false;
    this.deliver();
  }

  /** The receiver may call `resume`, `commit` and `stop` from within. */
  deliver(): void {
    if (this.#isDelivering || this.#holds > 0) return;
    this.#isDelivering = true;
    while (this.#queue.length > 0 && !this.#isBlocked) {
      const offered = this.#queue;
      this.#isBlocked = true;
      const taken = this.#receiver.receive(this.#partition, offered);
      if (taken === offered.length) this.#isBlocked = false;
      // Closed meanwhile, the queue is another one.
      if (this.#queue === offered) this.#queue = offered.slice(taken);
    }
    this.#isDelivering = false;
    if (this.#isClosed || this.#end !== 'announced' || this.#queue.length > 0) return;
    this.#end = 'told';
    this.#receiver.end();
  }

  /** The receiver is called no more. */
  close(): void {
    this.#isClosed = true;
    this.#queue = [];
  }

  #expect(number: number, where: string): void {
    if (number === this.#expected) return;
    const message = `${where} goes on with record ${number}, where ${this.#expected} should come`;
    throw new BusbarError('protocol-violation', message);
  }
}
