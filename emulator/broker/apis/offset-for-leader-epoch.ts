import { errorCodes, offsetForLeaderEpochTable, type Read } from 'busbar/internal/kafka-protocol';
import { defineApi, type RequestContext } from '../api.js';
import { LEADER_EPOCH } from '../log/partition-log.js';
import { eachPartition } from '../responses.js';

type PartitionRequest = Read<
  typeof offsetForLeaderEpochTable.request
>['topics'][number]['partitions'][number];

export const offsetForLeaderEpoch = defineApi({
  ...offsetForLeaderEpochTable,
  behaviour: 'The leader never changes: epoch 0 ends at the end of the log, others are unknown.',
  handle: ({ topics }, context) => ({
    topics: eachPartition(topics, (wanted, { topic }) => endOfEpoch(context, topic, wanted)),
  }),
  refuse: ({ topics }, errorCode) => ({
    topics: eachPartition(topics, ({ partition }) => ({ partition, errorCode })),
  }),
});

function endOfEpoch({ broker }: RequestContext, topic: string, wanted: PartitionRequest) {
  const { partition, currentLeaderEpoch, leaderEpoch } = wanted;
  const log = broker.topics.get(topic)?.partitions[partition];
  if (!log) return { partition, errorCode: errorCodes.unknownTopicOrPartition };
  if (currentLeaderEpoch > LEADER_EPOCH) return { partition, errorCode: errorCodes.unknownLeaderEpoch };
  if (leaderEpoch !== LEADER_EPOCH) return { partition, errorCode: errorCodes.none };
  return { partition, errorCode: errorCodes.none, leaderEpoch: LEADER_EPOCH, endOffset: log.endOffset };
}
