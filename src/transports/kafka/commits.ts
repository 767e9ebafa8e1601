import type { Clock } from '../../base/clock.js';
import type { Logger } from '../../base/logger.js';
import type { Partition } from '../transport.js';
import type { PartitionOffset } from './client.js';

export interface CommitsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Time between two commits, in milliseconds. */
  readonly interval: number;
  /** Calls `accepted` with the partition of each offset that is written, also if it rejects. */
  readonly write: (
    offsets: readonly PartitionOffset[],
    accepted: (partition: Partition) => void,
  ) => Promise<void>;
  /** Returns the offset to commit for a settled one. */
  readonly positionAfter: (partition: Partition, settled: number) => number;
}

interface Progress {
  readonly partition: Partition;
  /** Undefined before the first commit of this partition's new start. */
  written: number | undefined;
  settled: number;
}

/** Commits the settled offsets of the current assignment together, at intervals and before a release. */
export class Commits {
  readonly #options: CommitsOptions;
  #progress = new Map<Partition, Progress>();
  #cancel: (() => void) | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: CommitsOptions) {
    this.#options = options;
  }

  /** Ignores what is settled in all other partitions until they start again. */
  keep(kept: ReadonlySet<Partition>): void {
    for (const partition of this.#progress.keys()) if (!kept.has(partition)) this.stop(partition);
  }

  /** Starts at an offset. Writes it if it is not committed. */
  start(partition: Partition, position: number, isCommitted: boolean): void {
    this.#progress.set(partition, {
      partition,
      written: isCommitted ? position : undefined,
      settled: position,
    });
  }

  /** Ignores what is settled in the partition until it starts again. */
  stop(partition: Partition): void {
    this.#progress.delete(partition);
  }

  /** Drops offsets that are not written. */
  drop(): void {
    this.#progress = new Map();
    this.#cancel?.();
    this.#cancel = undefined;
  }

  settle(partition: Partition, offset: number): void {
    const progress = this.#progress.get(partition);
    // Never backwards: handlers of an earlier assignment may still report.
    if (progress === undefined || offset <= progress.settled) return;
    progress.settled = offset;
    this.writeLater();
  }

  committed(partition: Partition): number | undefined {
    return this.#progress.get(partition)?.written;
  }

  /** Writes the settled offsets. One request at a time, because a second one could overtake it. */
  async write(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing.catch(() => undefined);
    this.#writing = this.#writeNow();
    try {
      await this.#writing;
    } finally {
      this.#writing = undefined;
    }
  }

  async #writeNow(): Promise<void> {
    const { positionAfter } = this.#options;
    const offsets = [...this.#progress.values()]
      .map((each) => ({ each, offset: positionAfter(each.partition, each.settled) }))
      .filter(({ each, offset }) => offset > (each.written ?? -1));
    if (offsets.length === 0) return;
    // Of this commit: a partition may start again while it is written.
    const written = new Map(offsets.map((one) => [one.each.partition, one]));
    await this.#options.write(
      offsets.map(({ each: { partition }, offset }) => ({ ...partition, offset })),
      (partition) => {
        const found = written.get(partition);
        if (found !== undefined) found.each.written = found.offset;
      },
    );
  }

  /** Writes the settled offsets when the interval is over. */
  writeLater(): void {
    const { clock, interval, logger } = this.#options;
    this.#cancel ??= clock.schedule(interval, () => {
      this.#cancel = undefined;
      this.write().catch((error: unknown) => {
        logger.debug('offset commit failed, retrying', { error: (error as Error).message });
        this.writeLater();
      });
    });
  }
}
