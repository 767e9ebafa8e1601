import type { ConsumerRecord, Partition, Receiver } from './transport.js';

/** What was sent to one partition and is not settled yet. */
export class PartitionLog {
  readonly partition: Partition;
  #records: ConsumerRecord[] = [];
  /** Offset of the first record in the list. */
  #first = 0;
  #committed = 0;

  constructor(partition: Partition) {
    this.partition = partition;
  }

  get end(): number {
    return this.#first + this.#records.length;
  }

  /** Everything before this offset is settled. */
  get committed(): number {
    return this.#committed;
  }

  append(record: ConsumerRecord): void {
    this.#records.push(record);
  }

  from(offset: number, limit: number): ConsumerRecord[] {
    const start = Math.max(offset, this.#committed) - this.#first;
    return this.#records.slice(start, start + limit);
  }

  /** Forgets what lies before `offset`; answers how many records that were. */
  commit(offset: number): number {
    const settled = Math.min(offset, this.end) - this.#committed;
    if (settled <= 0) return 0;
    this.#committed += settled;
    // Cutting the list moves all that stays: so only when most of it goes.
    const dead = this.#committed - this.#first;
    if (dead * 2 > this.#records.length) {
      this.#records = this.#records.slice(dead);
      this.#first = this.#committed;
    }
    return settled;
  }
}

const batchSize = 100;

/** One consumer reading the logs. It delivers from a macrotask, so that what it causes never runs inside `send`. */
export class MemoryRun {
  readonly #logs: ReadonlyMap<string, readonly PartitionLog[]>;
  readonly #receiver: Receiver;
  readonly #hasEnded: () => boolean;
  readonly #positions = new Map<PartitionLog, number>();
  readonly #blocked = new Set<Partition>();
  #wakeUp: NodeJS.Immediate | undefined;
  #over = false;
  #whenDelivered: (() => void)[] = [];

  constructor(
    logs: ReadonlyMap<string, readonly PartitionLog[]>,
    receiver: Receiver,
    hasEnded: () => boolean,
  ) {
    this.#logs = logs;
    this.#receiver = receiver;
    this.#hasEnded = hasEnded;
  }

  wake(): void {
    if (this.#over || this.#wakeUp !== undefined) return;
    this.#wakeUp = setImmediate(() => {
      this.#wakeUp = undefined;
      this.#deliver();
      this.#tellDelivered();
    });
  }

  resume(partition: Partition): void {
    if (this.#blocked.delete(partition)) this.wake();
  }

  /** Resolves when the receiver has all that it would take. */
  delivered(): Promise<void> {
    if (this.#wakeUp === undefined || this.#over) return Promise.resolve();
    return new Promise((resolve) => this.#whenDelivered.push(resolve));
  }

  close(): void {
    this.#over = true;
    clearImmediate(this.#wakeUp);
    this.#wakeUp = undefined;
    this.#tellDelivered();
  }

  #tellDelivered(): void {
    if (this.#wakeUp === undefined) for (const resolve of this.#whenDelivered.splice(0)) resolve();
  }

  /** One batch of each partition, so that a long one does not keep the others waiting. */
  #deliver(): void {
    let more = false;
    for (const topic of this.#logs.values()) {
      for (const log of topic) {
        if (this.#over) return;
        more = this.#deliverFrom(log) || more;
      }
    }
    if (more) this.wake();
    else if (this.#hasEnded() && this.#isExhausted()) {
      this.#over = true;
      this.#receiver.end();
    }
  }

  /** Answers whether there is more that could be delivered now. */
  #deliverFrom(log: PartitionLog): boolean {
    if (this.#blocked.has(log.partition)) return false;
    const position = this.#positions.get(log) ?? log.committed;
    const records = log.from(position, batchSize);
    if (records.length === 0) return false;
    // Blocked first: the receiver may call `resume` before it has answered.
    this.#blocked.add(log.partition);
    const taken = this.#receiver.receive(log.partition, records);
    this.#positions.set(log, position + taken);
    if (taken === records.length) this.#blocked.delete(log.partition);
    return !this.#blocked.has(log.partition);
  }

  #isExhausted(): boolean {
    for (const topic of this.#logs.values()) {
      for (const log of topic) if ((this.#positions.get(log) ?? log.committed) < log.end) return false;
    }
    return true;
  }
}
