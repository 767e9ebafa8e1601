import type { Partition } from '../transports/transport.js';

/**
 * Lanes whose handler was given up, when their partition went, and runs on. Should the partition come back to this
 * consumer, its records come again, and no second handler may begin beside the first.
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

  /** The handler has come to its end after all. */
  ended(partition: Partition, lane: string | null): void {
    const lanes = this.#partitions.get(partition);
    const waiting = lanes?.get(lane) ?? [];
    lanes?.delete(lane);
    if (lanes?.size === 0) this.#partitions.delete(partition);
    for (const goOn of waiting) goOn();
  }

  /** Calls back when the lane's handler has ended; answers false when none runs. */
  waitFor(partition: Partition, lane: string | null, goOn: () => void): boolean {
    const waiting = this.#partitions.get(partition)?.get(lane);
    waiting?.push(goOn);
    return waiting !== undefined;
  }
}
