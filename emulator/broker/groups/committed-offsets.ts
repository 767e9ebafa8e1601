export interface Committed {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly leaderEpoch: number;
  readonly metadata: string;
  /** Time of the commit, in milliseconds since 1970. */
  readonly at: number;
}

/** A group's committed offsets. */
export class CommittedOffsets {
  /** By topic and partition, as `orders/0`. */
  readonly #committed = new Map<string, Committed>();
  readonly #onCommit: () => void;

  constructor(onCommit: () => void) {
    this.#onCommit = onCommit;
  }

  get(topic: string, partition: number): Committed | undefined {
    return this.#committed.get(`${topic}/${partition}`);
  }

  all(): Committed[] {
    return [...this.#committed.values()];
  }

  set(committed: Committed): void {
    this.#committed.set(`${committed.topic}/${committed.partition}`, committed);
    this.#onCommit();
  }

  /** Deletes the offset of a partition; of all partitions of a topic, so that a new topic of the name has none. */
  delete(topic: string, partition?: number): void {
    for (const [key, each] of this.#committed) {
      if (each.topic === topic && each.partition === (partition ?? each.partition))
        this.#committed.delete(key);
    }
  }
}
