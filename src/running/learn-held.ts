import { sleep } from '../clock.js';
import { BusbarError } from '../errors.js';
import type { HeldLetter, Partition } from '../transports/transport.js';
import { HeldLanes } from './held-lanes.js';
import type { RunSettings } from './run-options.js';

/** Finds out what earlier dead letters hold in a partition, before the first of its records is handled. */
export class HeldLearner {
  readonly #settings: Pick<RunSettings, 'clock' | 'logger'>;
  readonly #atWork = new Map<Partition, AbortController>();

  constructor(settings: Pick<RunSettings, 'clock' | 'logger'>) {
    this.#settings = settings;
  }

  get isIdle(): boolean {
    return this.#atWork.size === 0;
  }

  isAtWorkOn(partition: Partition): boolean {
    return this.#atWork.has(partition);
  }

  /** Calls `learned`, or `failed` where trying again would not help; neither when the partition is forgotten meanwhile. */
  async learn(
    partition: Partition,
    read: () => Promise<readonly HeldLetter[]>,
    learned: (held: HeldLanes) => void,
    failed: (error: Error) => void,
  ): Promise<void> {
    const { clock, logger } = this.#settings;
    const patience = new AbortController();
    const isOver = () => patience.signal.aborted;
    this.#atWork.set(partition, patience);
    for (let delay = 100; !isOver(); delay = Math.min(delay * 2, 10_000)) {
      try {
        const held = new HeldLanes(await read());
        if (isOver()) return;
        this.#atWork.delete(partition);
        learned(held);
        return;
      } catch (error) {
        if (isOver()) return;
        if (!(error instanceof BusbarError) || error.code !== 'connection-failed') {
          this.#atWork.delete(partition);
          failed(error as Error);
          return;
        }
        const message = `What dead letters hold is not known yet, and tried again: ${error.message}`;
        logger.warn(message, { code: error.code });
        await sleep(clock, delay, patience.signal).catch(() => undefined);
      }
    }
  }

  forget(partitions: Iterable<Partition> = this.#atWork.keys()): void {
    for (const partition of [...partitions]) {
      this.#atWork.get(partition)?.abort();
      this.#atWork.delete(partition);
    }
  }
}
