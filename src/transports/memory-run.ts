import type { ConsumerRecord, Partition, Receiver } from './transport.js';

/** The unsettled records of one partition. */
export class PartitionLog {
  readonly partition: Partition;
  #records: ConsumerRecord[] = [];
  /** Offset of the first record in `#records`. */
  #first = 0;
  /** Offset before which every record is settled. */
  committed = 0;

  constructor(partition: Partition) {
    this.partition = partition;
  }

  get end(): number {
    return this.#first + this.#records.length;
  }

  append(record: ConsumerRecord): void {
    this.#records.push(record);
  }

  from(offset: number, limit: number): ConsumerRecord[] {
    const start = Math.max(offset, this.committed) - this.#first;
    return this.#records.slice(start, start + limit);
  }

  /** Drops the records before `offset`. Returns how many. */
  commit(offset: number): number {
    const settled = Math.min(offset, this.end) - this.committed;
    if (settled <= 0) return 0;
    this.committed += settled;
    // Slicing copies the remaining records, so it waits until most of the list can go.
    const dead = this.committed - this.#first;
    if (dead * 2 > this.#records.length) {
      this.#records = this.#records.slice(dead);
      this.#first = this.committed;
    }
    return settled;
  }
}

const batchSize = 100;

/** A consumer's run over the logs. Delivers from a macrotask, so that no handler runs inside `send`. */
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
      this.#resolveDelivered();
    });
  }

  resume(partition: Partition): void {
    if (this.#blocked.delete(partition)) this.wake();
  }

  /** Resolves when the receiver has every record that it takes. */
  delivered(): Promise<void> {
    if (this.#wakeUp === undefined || this.#over) return Promise.resolve();
    return new Promise((resolve) => this.#whenDelivered.push(resolve));
  }

  close(): void {
    this.#over = true;
    clearImmediate(this.#wakeUp);
    this.#wakeUp = undefined;
    this.#resolveDelivered();
  }

  #resolveDelivered(): void {
    if (this.#wakeUp === undefined) for (const resolve of this.#whenDelivered.splice(0)) resolve();
  }

  /** Delivers one batch of each partition, so that a long partition does not delay the others. */
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

  /** Delivers a batch. Returns whether more can be delivered now. */
  #deliverFrom(log: PartitionLog): boolean {
    if (this.#blocked.has(log.partition)) return false;
    const position = this.#positions.get(log) ?? log.committed;
    const records = log.from(position, batchSize);
    if (records.length === 0) return false;
    // Blocked first: the receiver may call `resume` before it returns.
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
