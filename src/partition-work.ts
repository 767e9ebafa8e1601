import type { HandlerContext } from './event.js';
import type { Settle } from './settle.js';
import type { ConsumerRecord, Partition } from './transports/transport.js';

/** What a partition's work tells whom it works for. */
export interface PartitionOwner {
  /** Everything before `offset` is settled. */
  commit(offset: number): void;
  /** There is room again, after not everything was taken. */
  resume(): void;
  idle(): void;
  /** A record cannot be settled. */
  fail(error: Error): void;
}

export interface PartitionWorkOptions {
  readonly settle: Settle;
  readonly context: Omit<HandlerContext, 'signal'>;
  /** How many records may wait. */
  readonly window: number;
}

/**
 * The records of one partition, one after the other. What is settled at once costs no promise and no turn of the event
 * loop; the first that takes time makes the others wait in a bounded queue.
 */
export class PartitionWork {
  readonly partition: Partition;
  readonly #owner: PartitionOwner;
  readonly #settle: Settle;
  readonly #window: number;
  readonly #context: HandlerContext;
  readonly #abort = new AbortController();
  #queue: ConsumerRecord[] = [];
  #isBusy = false;
  #isClosed = false;
  #hasRefused = false;
  #whenIdle: (() => void)[] = [];

  constructor(partition: Partition, owner: PartitionOwner, options: PartitionWorkOptions) {
    this.partition = partition;
    this.#owner = owner;
    this.#settle = options.settle;
    this.#window = options.window;
    this.#context = { ...options.context, signal: this.#abort.signal };
  }

  get isIdle(): boolean {
    return !this.#isBusy;
  }

  /** Resolves when nothing runs. */
  idle(): Promise<void> {
    return this.#isBusy ? new Promise((resolve) => this.#whenIdle.push(resolve)) : Promise.resolve();
  }

  /** Answers how many were taken, from the front. */
  take(records: readonly ConsumerRecord[]): number {
    const started = this.#isBusy ? 0 : this.#begin(records);
    const room = this.#isClosed ? 0 : this.#window - this.#queue.length;
    const queued = records.slice(started, started + room);
    this.#queue.push(...queued);
    const taken = started + queued.length;
    this.#hasRefused ||= taken < records.length;
    return taken;
  }

  /** Takes nothing more and forgets what waits. */
  close(): void {
    this.#isClosed = true;
    this.#queue = [];
  }

  /** Gives up what runs: its signal is aborted, and whatever comes of it is discarded. */
  abandon(): void {
    this.close();
    this.#abort.abort(new DOMException('The consumer no longer waits for this handler.', 'AbortError'));
    this.#rest();
  }

  /** Settles records from the front until one takes time; answers how many were begun. */
  #begin(records: readonly ConsumerRecord[]): number {
    this.#isBusy = true;
    let begun = 0;
    let settled: ConsumerRecord | undefined;
    try {
      for (const record of records) {
        if (this.#isClosed) break;
        begun++;
        const pending = this.#settle(record, this.#context);
        if (pending !== undefined) {
          void this.#continue(record, pending);
          return begun;
        }
        settled = record;
      }
      this.#rest();
    } catch (error) {
      this.#fail(error as Error);
    } finally {
      if (settled !== undefined) this.#owner.commit(settled.offset + 1);
    }
    return begun;
  }

  /** Waits for a record that takes time, then goes on with those that wait for it. */
  async #continue(record: ConsumerRecord, pending: Promise<void>): Promise<void> {
    const { signal } = this.#context;
    try {
      await pending;
      for (let last = record; !signal.aborted; ) {
        this.#owner.commit(last.offset + 1);
        const next = this.#next();
        if (next === undefined) {
          this.#rest();
          return;
        }
        await this.#settle(next, this.#context);
        last = next;
      }
    } catch (error) {
      if (!signal.aborted) this.#fail(error as Error);
    }
  }

  #next(): ConsumerRecord | undefined {
    const next = this.#queue.shift();
    if (this.#hasRefused && !this.#isClosed && this.#queue.length <= this.#window / 2) {
      this.#hasRefused = false;
      this.#owner.resume();
    }
    return next;
  }

  #rest(): void {
    this.#isBusy = false;
    for (const resolve of this.#whenIdle.splice(0)) resolve();
    this.#owner.idle();
  }

  #fail(error: Error): void {
    this.close();
    this.#owner.fail(error);
    this.#rest();
  }
}
