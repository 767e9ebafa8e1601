import type { Logger } from '../../base/logger.js';
import type { ConsumerRecord, Partition, PartitionStatus, Receiver } from '../transport.js';
import type { FetchedBatch } from './client.js';

/** How a flow holds back what is fetched. */
export interface Fetching {
  pause(): void;
  resume(): void;
}

/**
 * The records of one partition in one assignment, on their way from fetches to the receiver. What the receiver does not
 * take waits here: at most one batch beside `maxWaiting` bytes, since fetching pauses there.
 */
export class PartitionFlow {
  readonly partition: Partition;
  readonly #receiver: Receiver;
  readonly #fetching: Fetching;
  readonly #maxWaiting: number;
  readonly #logger: Logger;
  /** The offset of the next fetch. */
  #next: number;
  /** An unexpected offset that was refused once. */
  #strange: number | undefined;
  #highWatermark: number | undefined;
  #waiting: ConsumerRecord[] = [];
  #waitingBytes = 0;
  #isBlocked = false;
  #isPaused = false;
  #wakeUp: NodeJS.Immediate | undefined;

  constructor(
    partition: Partition,
    position: number,
    options: { receiver: Receiver; fetching: Fetching; maxWaiting: number; logger: Logger },
  ) {
    this.partition = partition;
    this.#next = position;
    this.#receiver = options.receiver;
    this.#fetching = options.fetching;
    this.#maxWaiting = options.maxWaiting;
    this.#logger = options.logger;
  }

  /**
   * A batch from another offset than the expected one is a late answer to a fetch of an earlier assignment, or the
   * broker has moved the position. The former does not come twice.
   */
  accept(batch: FetchedBatch): boolean {
    if (batch.from !== this.#next && batch.from !== this.#strange) {
      this.#strange = batch.from;
      return false;
    }
    if (batch.from !== this.#next) {
      this.#logger.warn(
        'Kafka no longer has the records at the position of this partition; it goes on at another.',
        {
          ...this.partition,
          from: this.#next,
          to: batch.from,
        },
      );
    }
    this.#strange = undefined;
    this.#next = batch.next;
    this.#highWatermark = batch.highWatermark;
    for (const record of batch.records()) {
      this.#waiting.push(record);
      this.#waitingBytes += sizeOf(record);
    }
    this.#deliver();
    return true;
  }

  /** Nothing is delivered of what lies before `offset`. */
  skip(offset: number): void {
    this.#next = Math.max(this.#next, offset);
  }

  resume(): void {
    this.#isBlocked = false;
    // From a turn of its own: what a delivery causes must not run inside what asked for it.
    this.#wakeUp ??= setImmediate(() => {
      this.#wakeUp = undefined;
      this.#deliver();
    });
  }

  close(): void {
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
      // Blocked first: the receiver may call `resume` before it has answered.
      this.#isBlocked = true;
      const taken = this.#receiver.receive(this.partition, offered);
      // It may also have ended the run.
      if (this.#waiting !== offered) return;
      this.#waiting = offered.slice(taken);
      for (const record of offered.slice(0, taken)) this.#waitingBytes -= sizeOf(record);
      if (this.#waiting.length === 0) this.#isBlocked = false;
    }
    this.#holdBack(this.#waitingBytes > this.#maxWaiting);
  }

  #holdBack(isFull: boolean): void {
    if (isFull === this.#isPaused) return;
    this.#isPaused = isFull;
    if (isFull) this.#fetching.pause();
    else this.#fetching.resume();
  }
}

function sizeOf({ key, value }: ConsumerRecord): number {
  return (key?.length ?? 0) + (value?.length ?? 0) + 200;
}
