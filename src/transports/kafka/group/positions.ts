import { grouped } from '../../../base/grouped.js';
import { quoted } from '../../../base/errors.js';
import type { ApiTable } from '../../../kafka-protocol/api-table.js';
import { findCoordinatorTable } from '../../../kafka-protocol/apis/find-coordinator.js';
import { listOffsetsTable } from '../../../kafka-protocol/apis/list-offsets.js';
import { metadataTable } from '../../../kafka-protocol/apis/metadata.js';
import { offsetCommitTable } from '../../../kafka-protocol/apis/offset-commit.js';
import { offsetForLeaderEpochTable } from '../../../kafka-protocol/apis/offset-for-leader-epoch.js';
import { offsetFetchTable } from '../../../kafka-protocol/apis/offset-fetch.js';
import { errorCodes } from '../../../kafka-protocol/error-codes.js';
import { ZERO_UUID } from '../../../kafka-protocol/fields.js';
import type { Partition } from '../../transport.js';
import type { PartitionOffset } from '../client.js';
import type { Broker, Cluster } from '../kafkajs/bridge.js';
import { checkCode, isFinal, Refused } from '../kafkajs/errors.js';

// Of later versions, one request may name several groups.
const findCoordinatorApi = { ...findCoordinatorTable, versions: 'v0-3' } satisfies ApiTable;
const offsetFetchApi = { ...offsetFetchTable, versions: 'v1-7' } satisfies ApiTable;
const listOffsetsApi = { ...listOffsetsTable, versions: 'v1-8' } satisfies ApiTable;

/** The isolation level at which records of open and aborted transactions are invisible. */
export const readCommitted = 1;

/** Timestamps that ListOffsets understands. */
export const latest = -1;
export const earliest = -2;

/** A committed offset, or -1 where there is none. */
export interface CommittedOffset extends EpochOffset {
  /**
   * How many partitions the topic had when the group first committed an offset of this one: a partition beyond that number
   * is newer than the group. Undefined if another client committed.
   */
  readonly partitionCount: number | undefined;
}

/** An offset, and the leader epoch of the record before it; undefined if unknown. */
export interface EpochOffset extends PartitionOffset {
  readonly epoch?: number | undefined;
}

/** In whose name offsets are committed. */
export interface GenerationId {
  readonly memberId: string;
  readonly generationId: number;
  readonly groupInstanceId: string | null;
}

/** Commits under this name are accepted while the group has no members. */
export const noMember: GenerationId = { memberId: '', generationId: -1, groupInstanceId: null };

export async function findCoordinator(cluster: Cluster, groupId: string): Promise<Broker> {
  const broker = await cluster.any();
  const found = await broker.send(findCoordinatorApi, { key: groupId, coordinatorKeys: [] });
  checkCode(found.errorCode);
  return cluster.broker(found.nodeId);
}

/** A partition, the node id of its leader if it has one, and the id of its topic if the broker has topic ids (Kafka 2.8). */
export interface LedPartition extends Partition {
  readonly leader: number | undefined;
  readonly topicId: string;
}

/** Returns the partitions of the topics. */
export async function findLeaders(cluster: Cluster, topics: readonly string[]): Promise<LedPartition[]> {
  if (topics.length === 0) return [];
  const broker = await cluster.any();
  const response = await broker.send(metadataTable, {
    topics: topics.map((name) => ({ name, topicId: ZERO_UUID })),
    allowAutoTopicCreation: false,
    includeClusterAuthorizedOperations: false,
    includeTopicAuthorizedOperations: false,
  });
  return response.topics
    .flatMap(({ errorCode, name, topicId, partitions }) => {
      if (!comesBack.has(errorCode)) checkCode(errorCode);
      return partitions.map(({ partition, leaderId }) => ({
        topic: name ?? '',
        partition,
        topicId,
        leader: leaderId < 0 ? undefined : leaderId,
      }));
    })
    .sort((one, other) => one.partition - other.partition);
}

export function noLeader({ topic, partition }: Partition): Error {
  return new Error(`Topic ${quoted(topic)}, partition ${partition} was deleted or has no leader.`);
}

export function partitionCount(partitions: readonly Partition[], of: Partition): number {
  return partitions.filter(({ topic }) => topic === of.topic).length;
}

/** The errors of a topic that is being created or was deleted. */
const comesBack: ReadonlySet<number> = new Set([
  errorCodes.unknownTopicOrPartition,
  errorCodes.leaderNotAvailable,
]);

/**
 * Returns the first or last offset of each partition. Of a partition whose leader does not return it now, returns the
 * timestamp, which is negative.
 * @throws an error that retries do not fix
 */
export async function offsetsAt(
  cluster: Cluster,
  partitions: readonly Partition[],
  timestamp: number,
): Promise<PartitionOffset[]> {
  const leaders = await findLeaders(cluster, topicsIn(partitions));
  const leaderOf = (wanted: Partition) => leaders.find((each) => isSame(each, wanted))?.leader;
  const responses = [...grouped(partitions, leaderOf)].map(async ([leader, ofLeader]) => {
    if (leader === undefined) return [];
    try {
      const broker = await cluster.broker(leader);
      const topics = byTopic(ofLeader, ({ partition }) => ({ partition, timestamp }));
      const request = { replicaId: -1, isolationLevel: readCommitted, topics };
      const response = await broker.send(listOffsetsApi, request);
      return offsetsIn(response.topics, ({ offset }) => ({ offset }), isTransient);
    } catch (error) {
      if (isFinal(error)) throw error;
      return [];
    }
  });
  const found = (await Promise.all(responses)).flat();
  return partitions.map(
    ({ topic, partition }) =>
      found.find((each) => isSame(each, { topic, partition })) ?? { topic, partition, offset: timestamp },
  );
}

function isSame(one: Partition, { topic, partition }: Partition): boolean {
  return one.topic === topic && one.partition === partition;
}

function isTransient(code: number): boolean {
  return code !== errorCodes.none && !isFinal(new Refused(code));
}

/** Returns the offset at which the leader's log left the epoch of each partition, -1 if it does not know the epoch. */
export async function epochEnds(
  leader: Broker,
  partitions: readonly (Partition & { readonly epoch: number })[],
): Promise<PartitionOffset[]> {
  const wanted = byTopic(partitions, ({ partition, epoch }) => ({ partition, leaderEpoch: epoch }));
  const topics = wanted.map(({ name: topic, ...rest }) => ({ topic, ...rest }));
  const response = await leader.send(offsetForLeaderEpochTable, { replicaId: -1, topics });
  return response.topics.flatMap(({ topic, partitions: ends }) =>
    ends.map(({ partition, endOffset: offset }) => ({ topic, partition, offset })),
  );
}

export async function committedOffsets(
  coordinator: Broker,
  groupId: string,
  partitions: readonly Partition[],
): Promise<CommittedOffset[]> {
  const topics = byTopic(partitions, ({ partition }) => partition);
  const request = { groupId, topics, groups: [], requireStable: true };
  const response = await coordinator.send(offsetFetchApi, request);
  checkCode(response.errorCode);
  return offsetsIn(response.topics, ({ committedOffset, committedLeaderEpoch: epoch, metadata }) => {
    const count = /^busbar partitions=(\d+)$/.exec(metadata ?? '')?.[1];
    const partitionCount = count === undefined ? undefined : Number(count);
    return { offset: committedOffset, epoch, partitionCount };
  });
}

/** Calls `accepted` for each offset that the group accepts. @throws Refused for the first that it refuses */
export async function commitOffsets(
  coordinator: Broker,
  groupId: string,
  generation: GenerationId,
  offsets: readonly EpochOffset[],
  partitionCountOf: (partition: Partition) => number | undefined,
  accepted: (partition: Partition) => void = () => undefined,
): Promise<void> {
  const topics = byTopic(offsets, (each) => ({
    partition: each.partition,
    committedOffset: each.offset,
    committedLeaderEpoch: each.epoch ?? -1,
    committedMetadata: `busbar partitions=${partitionCountOf(each)}`,
  }));
  const request = { groupId, ...generation, topics };
  const response = await coordinator.send(offsetCommitTable, request);
  let refusal: Refused | undefined;
  for (const { name: topic, partitions } of response.topics) {
    for (const { partition, errorCode } of partitions) {
      // The topic of another partition may be deleted.
      if (errorCode === errorCodes.none) accepted({ topic, partition });
      else refusal ??= new Refused(errorCode, { topic, partition });
    }
  }
  if (refusal !== undefined) throw refusal;
}

export function topicsIn(partitions: readonly Partition[]): string[] {
  return [...new Set(partitions.map(({ topic }) => topic))];
}

/** Returns the key of a partition in maps. */
export function keyOf({ topic, partition }: Partition): string {
  return `${partition}/${topic}`;
}

/** Groups partitions by topic, as requests list them. */
export function byTopic<T extends Partition, P>(partitions: readonly T[], itemOf: (each: T) => P) {
  return [...grouped(partitions, ({ topic }) => topic)].map(([name, ofTopic]) => ({
    name,
    partitions: ofTopic.map(itemOf),
  }));
}

function offsetsIn<P extends { readonly partition: number; readonly errorCode: number }, O>(
  topics: readonly { readonly name: string; readonly partitions: readonly P[] }[],
  offsetOf: (each: P) => O,
  isOmitted: (errorCode: number) => boolean = () => false,
): (Partition & O)[] {
  return topics.flatMap(({ name: topic, partitions }) =>
    partitions
      .filter(({ errorCode }) => !isOmitted(errorCode))
      .map((each) => {
        const { partition } = each;
        checkCode(each.errorCode, { topic, partition });
        return { topic, partition, ...offsetOf(each) };
      }),
  );
}
