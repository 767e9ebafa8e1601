export interface Committed {
  readonly offset: number;
  readonly leaderEpoch: number;
  readonly metadata: string;
  /** Time of the commit, in milliseconds since 1970. */
  readonly at: number;
}

/** A group's committed offsets by topic and partition. */
export class CommittedOffsets {
  readonly #byTopic = new Map<string, Map<number, Committed>>();
  readonly #onCommit: () => void;

  constructor(onCommit: () => void) {
    this.#onCommit = onCommit;
  }

  get(topic: string, partition: number): Committed | undefined {
    return this.#byTopic.get(topic)?.get(partition);
  }

  set(topic: string, partition: number, committed: Committed): void {
    const partitions = this.#byTopic.get(topic) ?? new Map<number, Committed>();
    this.#byTopic.set(topic, partitions.set(partition, committed));
    this.#onCommit();
  }

  delete(topic: string, partition: number): void {
    const partitions = this.#byTopic.get(topic);
    partitions?.delete(partition);
    if (partitions?.size === 0) this.#byTopic.delete(topic);
  }

  topics(): { topic: string; partitions: number[] }[] {
    return [...this.#byTopic].map(([topic, partitions]) => ({ topic, partitions: [...partitions.keys()] }));
  }

  /** Deletes the topic's offsets, so that a new topic of the same name starts without any. */
  deleteTopic(topic: string): void {
    this.#byTopic.delete(topic);
  }
}
