import type { Logger } from '../../base/logger.js';
import type { ConsumerRecord, Partition, PartitionStatus, Receiver } from '../transport.js';
import type { FetchedBatch } from './client.js';

interface PartitionFlowOptions {
  readonly receiver: Receiver;
  /** Controls fetching of the partition. */
  readonly fetching: { pause(): void; resume(): void };
  readonly maxWaiting: number;
  readonly logger: Logger;
}

/**
 * Passes fetched records of one partition to the receiver, during one assignment. Records that the receiver does not
 * take wait here. Fetching pauses above `maxWaiting` bytes, so at most two more batches wait.
 */
export class PartitionFlow {
  readonly partition: Partition;
  /** Whether it takes no more batches. */
  isClosed = false;
  readonly #options: PartitionFlowOptions;
  /** The offset of the next fetch. */
  #next: number;
  /** The offset after the last record that the receiver has taken. */
  #taken: number;
  #highWatermark: number | undefined;
  #waiting: readonly ConsumerRecord[] = [];
  #isBlocked = false;
  #isPaused = false;
  #wakeUp: NodeJS.Immediate | undefined;

  constructor(partition: Partition, position: number, options: PartitionFlowOptions) {
    this.partition = partition;
    this.#next = position;
    this.#taken = position;
    this.#options = options;
  }

  /**
   * Takes a batch, also at a later offset: the records between have expired. Returns false for an earlier offset: the
   * records are others than those with the same offsets before.
   */
  accept(batch: FetchedBatch): boolean {
    const { logger } = this.#options;
    const move = { ...this.partition, from: this.#next, to: batch.from };
    if (batch.from < this.#next) {
      logger.warn('partition was truncated or replaced, starting again', move);
      return false;
    }
    if (batch.from > this.#next) logger.warn('records expired, continuing at another offset', move);
    this.#next = batch.next;
    this.#highWatermark = batch.highWatermark;
    this.#waiting = this.#waiting.length === 0 ? batch.records : [...this.#waiting, ...batch.records];
    this.#deliver();
    return true;
  }

  /** Returns the offset to commit when every record before `settled` is: after control records, which no handler gets. */
  positionAfter(settled: number): number {
    return settled === this.#taken ? this.status().position : settled;
  }

  resume(): void {
    this.#isBlocked = false;
    // In a later turn: handlers must not run inside the caller of `resume`.
    this.#wakeUp ??= setImmediate(() => {
      this.#wakeUp = undefined;
      this.#deliver();
    });
  }

  close(): void {
    this.isClosed = true;
    clearImmediate(this.#wakeUp);
    this.#isBlocked = true;
    this.#waiting = [];
  }

  status(): Omit<PartitionStatus, 'committed'> {
    return {
      ...this.partition,
      position: this.#waiting[0]?.offset ?? this.#next,
      highWatermark: this.#highWatermark,
      waiting: this.#waiting.length,
    };
  }

  #deliver(): void {
    if (!this.#isBlocked && this.#waiting.length > 0) {
      const offered = this.#waiting;
      // Blocked first: the receiver may call `resume` before it returns.
      this.#isBlocked = true;
      const taken = this.#options.receiver.receive(this.partition, offered);
      // The receiver may have ended the run.
      if (this.#waiting !== offered) return;
      this.#waiting = offered.slice(taken);
      const last = offered[taken - 1];
      if (last !== undefined) this.#taken = last.offset + 1;
      if (this.#waiting.length === 0) this.#isBlocked = false;
    }
    const isFull = bytesOf(this.#waiting) > this.#options.maxWaiting;
    if (isFull === this.#isPaused) return;
    this.#isPaused = isFull;
    if (isFull) this.#options.fetching.pause();
    else this.#options.fetching.resume();
  }
}

function bytesOf(records: readonly ConsumerRecord[]): number {
  return records.reduce((sum, { key, value }) => sum + (key?.length ?? 0) + (value?.length ?? 0) + 200, 0);
}
