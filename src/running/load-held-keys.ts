import { OutageLog } from '../base/outage-log.js';
import type { HeldLetter, Partition } from '../transports/transport.js';
import { HeldLanes } from './held-lanes.js';
import type { RunSettings } from './run-options.js';

/** Loads the dead letters that hold keys of a partition, before its first record is handled. */
export class HeldKeyLoader {
  readonly #outages: OutageLog;
  readonly #loading = new Map<Partition, AbortController>();

  constructor({ clock, logger }: Pick<RunSettings, 'clock' | 'logger'>) {
    this.#outages = new OutageLog(clock, logger, lines);
  }

  get isIdle(): boolean {
    return this.#loading.size === 0;
  }

  isLoading(partition: Partition): boolean {
    return this.#loading.has(partition);
  }

  /** Calls `loaded`, or `failed` after an error that no retry fixes; calls neither after `cancel`. */
  async load(
    partition: Partition,
    read: () => Promise<readonly HeldLetter[]>,
    loaded: (held: HeldLanes) => void,
    failed: (error: Error) => void,
  ): Promise<void> {
    const cancelled = new AbortController();
    const { signal } = cancelled;
    this.#loading.set(partition, cancelled);
    try {
      const letters = await this.#outages.retry(read, signal);
      if (signal.aborted) return;
      const held = new HeldLanes(letters);
      this.#loading.delete(partition);
      loaded(held);
    } catch (error) {
      if (signal.aborted) return;
      this.#loading.delete(partition);
      failed(error as Error);
    }
  }

  cancel(partitions: Iterable<Partition> = this.#loading.keys()): void {
    for (const partition of [...partitions]) {
      this.#loading.get(partition)?.abort();
      this.#loading.delete(partition);
    }
  }
}

const lines = {
  began: 'held keys cannot be read',
  lasts: 'held keys still cannot be read',
  ended: 'held keys were read',
};
