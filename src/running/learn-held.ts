import { type Clock, sleep } from '../base/clock.js';
import { BusbarError } from '../base/errors.js';
import { OutageLog } from '../outage-log.js';
import type { HeldLetter, Partition } from '../transports/transport.js';
import { HeldLanes } from './held-lanes.js';
import type { RunSettings } from './run-options.js';

/** Finds out what earlier dead letters hold in a partition, before the first of its records is handled. */
export class HeldLearner {
  readonly #clock: Clock;
  readonly #outages: OutageLog;
  readonly #atWork = new Map<Partition, AbortController>();

  constructor({ clock, logger }: Pick<RunSettings, 'clock' | 'logger'>) {
    this.#clock = clock;
    this.#outages = new OutageLog(clock, logger, lines);
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
    const patience = new AbortController();
    const isOver = () => patience.signal.aborted;
    this.#atWork.set(partition, patience);
    for (let delay = 100; !isOver(); delay = Math.min(delay * 2, 10_000)) {
      try {
        const held = new HeldLanes(await read());
        if (isOver()) return;
        this.#atWork.delete(partition);
        this.#outages.recovered();
        learned(held);
        return;
      } catch (error) {
        if (isOver()) return;
        if (!(error instanceof BusbarError) || error.code !== 'connection-failed') {
          this.#atWork.delete(partition);
          failed(error as Error);
          return;
        }
        this.#outages.failed(error);
        await sleep(this.#clock, delay, patience.signal).catch(() => undefined);
      }
    }
  }

  forget(partitions: Iterable<Partition> = this.#atWork.keys()): void {
    for (const partition of [...partitions]) {
      this.#atWork.get(partition)?.abort();
      this.#atWork.delete(partition);
    }
    if (this.isIdle) this.#outages.stop();
  }
}

const lines = {
  began: 'held keys cannot be read',
  lasts: 'held keys still cannot be read',
  ended: 'held keys were read',
};
