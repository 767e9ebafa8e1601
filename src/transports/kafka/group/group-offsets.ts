import type { Logger } from '../../../base/logger.js';
import type { Partition } from '../../transport.js';
import type { GroupOptions, PartitionOffset } from '../client.js';
import type { Cluster } from '../kafkajs/bridge.js';
import { isFinal } from '../kafkajs/errors.js';
import type { Coordinator } from './coordinator.js';
import {
  type CommittedOffset,
  type EpochOffset,
  commitOffsets,
  committedOffsets,
  earliest,
  findLeaders,
  type GenerationId,
  keyOf,
  latest,
  offsetsAt,
  partitionCount,
  topicsIn,
} from './positions.js';

interface Context {
  readonly cluster: Cluster;
  readonly logger: Logger;
}

/** The committed offsets of a group. */
export class GroupOffsets {
  readonly #context: Context;
  readonly #options: GroupOptions;
  readonly #coordinator: Coordinator;
  /** See {@link CommittedOffset.partitionCount}, by key of the assigned partition. */
  readonly #partitionCounts = new Map<string, number>();

  constructor(context: Context, options: GroupOptions, coordinator: Coordinator) {
    this.#context = context;
    this.#options = options;
    this.#coordinator = coordinator;
  }

  /**
   * Returns the committed offsets. Commits the first offset of a partition without one: otherwise the next member would
   * begin at a later end, and skip the records before it.
   */
  async positionsOf(partitions: readonly Partition[], id: GenerationId): Promise<EpochOffset[]> {
    const offsets = await this.#committed(partitions);
    const known = offsets.filter(({ offset }) => offset >= 0);
    const unknown = offsets.filter(({ offset }) => offset < 0);
    const { cluster } = this.#context;
    const uncounted = offsets.filter((each) => each.partitionCount === undefined);
    const all = await findLeaders(cluster, topicsIn(uncounted));
    for (const each of offsets) {
      const count = each.partitionCount ?? Math.max(partitionCount(all, each), each.partition + 1);
      this.#partitionCounts.set(keyOf(each), count);
    }
    if (unknown.length === 0) return known;
    const isRead = await this.#readFromStart(all);
    const read = unknown.filter((each) => isRead(each));
    const skipped = unknown.filter((each) => !isRead(each));
    const first = [
      ...(await offsetsAt(cluster, read, earliest)),
      ...(await offsetsAt(cluster, skipped, latest)),
    ];
    const begun = await this.#commitFirst(id, first);
    this.#logSkipped(first.slice(read.length));
    // The others begin when their leaders are back, and commit then.
    return [
      ...known,
      ...first.map((each) =>
        begun.has(keyOf(each)) ? each : { ...each, offset: isRead(each) ? earliest : latest },
      ),
    ];
  }

  /** Commits first offsets. Returns the keys of the partitions that have one, unless the group refuses it. */
  async #commitFirst(id: GenerationId, first: readonly PartitionOffset[]): Promise<ReadonlySet<string>> {
    const accepted = new Set<string>();
    const found = first.filter(({ offset }) => offset >= 0);
    if (found.length === 0) return accepted;
    await this.commit(id, found, (each) => accepted.add(keyOf(each))).catch((error: unknown) => {
      if (accepted.size === 0 || isFinal(error)) throw error;
    });
    return accepted;
  }

  /** Logs partitions whose records before the group's first offset are skipped. */
  #logSkipped(first: readonly PartitionOffset[]): void {
    const { length } = first.filter(({ offset }) => offset > 0);
    if (length === 0) return;
    const fields = { group: this.#options.groupId, partitions: length, option: 'fromBeginning' };
    this.#context.logger.info('group without offsets skips earlier records', fields);
  }

  /** Returns a test: does the group read this partition, which has no offset, from the first record? */
  async #readFromStart(partitions: readonly Partition[]): Promise<(unknown: Partition) => boolean> {
    if (this.#options.fromBeginning) return () => true;
    const committed = await this.#committed(partitions);
    return ({ topic, partition }) =>
      committed.some((each) => each.topic === topic && (each.partitionCount ?? Infinity) <= partition);
  }

  async #committed(partitions: readonly Partition[]): Promise<CommittedOffset[]> {
    if (partitions.length === 0) return [];
    return this.#coordinator.ask((coordinator) =>
      committedOffsets(coordinator, this.#options.groupId, partitions),
    );
  }

  /** Commits in the name of a generation. Calls `accepted` for each offset that the group accepts. */
  async commit(
    id: GenerationId,
    offsets: readonly EpochOffset[],
    accepted?: (partition: Partition) => void,
  ): Promise<void> {
    const { groupId } = this.#options;
    const countOf = (each: Partition) => this.#partitionCounts.get(keyOf(each));
    await this.#coordinator.ask((coordinator) =>
      commitOffsets(coordinator, groupId, id, offsets, countOf, accepted),
    );
  }
}
