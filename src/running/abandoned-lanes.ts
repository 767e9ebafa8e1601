import type { Partition } from '../transports/transport.js';

/**
 * Lanes whose abandoned handler still runs after the consumer lost the partition. If the partition returns, its records
 * are redelivered, and no second handler may start next to the first.
 */
export class AbandonedLanes {
  readonly #partitions = new Map<Partition, Map<string | null, (() => void)[]>>();

  get isEmpty(): boolean {
    return this.#partitions.size === 0;
  }

  add(partition: Partition, lane: string | null): void {
    const lanes = this.#partitions.get(partition) ?? new Map<string | null, (() => void)[]>();
    this.#partitions.set(partition, lanes);
    if (!lanes.has(lane)) lanes.set(lane, []);
  }

  /** Reports that the abandoned handler has ended. */
  ended(partition: Partition, lane: string | null): void {
    const lanes = this.#partitions.get(partition);
    const waiting = lanes?.get(lane) ?? [];
    lanes?.delete(lane);
    if (lanes?.size === 0) this.#partitions.delete(partition);
    for (const resume of waiting) resume();
  }

  /** Calls `resume` when the lane's abandoned handler has ended. Returns false when none runs. */
  waitFor(partition: Partition, lane: string | null, resume: () => void): boolean {
    const waiting = this.#partitions.get(partition)?.get(lane);
    waiting?.push(resume);
    return waiting !== undefined;
  }
}
