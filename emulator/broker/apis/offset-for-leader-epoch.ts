// OffsetForLeaderEpoch (23), versions 2-4. Returns the end of the log for the only epoch.
import { defineApi, type RequestContext } from '../api.js';
import { LEADER_EPOCH } from '../log/partition-log.js';
import { errorCodes } from '../protocol/error-codes.js';
import { int16, int32, int64, list, type Read, string } from '../protocol/fields.js';
import { eachPartition } from '../responses.js';

const request = {
  replicaId: int32('v3+', { default: -2 }),
  topics: list({
    topic: string(),
    partitions: list({
      partition: int32(),
      currentLeaderEpoch: int32('v2+', { default: -1 }),
      leaderEpoch: int32(),
    }),
  }),
};

type PartitionRequest = Read<typeof request>['topics'][number]['partitions'][number];

export const offsetForLeaderEpoch = defineApi({
  key: 23,
  name: 'OffsetForLeaderEpoch',
  versions: 'v2-4',
  flexible: 'v4+',
  behaviour: 'The leader never changes: epoch 0 ends at the end of the log, others are unknown.',
  request,
  response: {
    throttleTimeMs: int32('v2+', { default: 0 }),
    topics: list({
      topic: string(),
      partitions: list({
        errorCode: int16(),
        partition: int32(),
        leaderEpoch: int32('v1+', { default: -1 }),
        endOffset: int64('v0+', { default: -1 }),
      }),
    }),
  },
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
