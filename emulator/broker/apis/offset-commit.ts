import { type ErrorCode, errorCodes, offsetCommitTable, type Read } from 'busbar/internal/kafka-protocol';
import { defineApi, type RequestContext } from '../api.js';
import type { Group } from '../groups/group.js';
import { eachPartition } from '../responses.js';

/** Kafka's `offset.metadata.max.bytes`. */
const MAX_METADATA_BYTES = 4096;

type Request = Read<typeof offsetCommitTable.request>;
type PartitionRequest = Request['topics'][number]['partitions'][number];

export const offsetCommit = defineApi({
  ...offsetCommitTable,
  behaviour:
    'Accepts commits while members join a rebalance, and refuses them with REBALANCE_IN_PROGRESS while it completes. Offsets live as long as the group and the topic.',
  omissions: ['expiry of offsets', 'the KIP-848 group protocol'],
  handle(message, context) {
    const group = groupOf(message, context);
    if (typeof group === 'number') return each(message, () => group);
    const problem = commitProblem(group, message);
    if (problem !== undefined) return each(message, () => problem);
    return each(message, (topic, partition) => commit(context, group, topic, partition));
  },
  refuse: (message, errorCode) => each(message, () => errorCode),
});

/** Opens a group without members for clients without a group protocol. */
function groupOf({ groupId, generationId }: Request, { broker }: RequestContext): Group | ErrorCode {
  const known = broker.groups.get(groupId);
  if (known) return known;
  if (generationId >= 0) return errorCodes.illegalGeneration;
  return broker.groups.open(groupId) ?? errorCodes.policyViolation;
}

/** Returns the error for a commit that the group's state does not allow. */
function commitProblem(group: Group, caller: Request): ErrorCode | undefined {
  const isStandalone = caller.generationId < 0 && caller.memberId === '' && caller.groupInstanceId === null;
  // A client that assigns its own partitions may store offsets in a group without members.
  if (isStandalone && group.members.size === 0) return undefined;
  if (caller.generationId < 0 && group.state === 'Empty') return undefined;
  const member = group.identify(caller.memberId, caller.groupInstanceId);
  if (typeof member === 'number') return member;
  if (caller.generationId !== group.generation) return errorCodes.illegalGeneration;
  if (group.state === 'CompletingRebalance') return errorCodes.rebalanceInProgress;
  group.keepAlive(member);
  return undefined;
}

function commit(
  { broker }: RequestContext,
  group: Group,
  topic: string,
  wanted: PartitionRequest,
): ErrorCode {
  const { partition, committedOffset: offset, committedLeaderEpoch: leaderEpoch } = wanted;
  const metadata = wanted.committedMetadata ?? '';
  if (!broker.topics.get(topic)?.partitions[partition]) return errorCodes.unknownTopicOrPartition;
  if (Buffer.byteLength(metadata) > MAX_METADATA_BYTES) return errorCodes.offsetMetadataTooLarge;
  group.offsets.set({ topic, partition, offset, leaderEpoch, metadata, at: broker.clock.now() });
  return errorCodes.none;
}

function each({ topics }: Request, errorFor: (topic: string, partition: PartitionRequest) => number) {
  return {
    topics: eachPartition(topics, (wanted, { name }) => ({
      partition: wanted.partition,
      errorCode: errorFor(name, wanted),
    })),
  };
}
