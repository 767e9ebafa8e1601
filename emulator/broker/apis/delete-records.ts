import { errorCodes, int16, int32, int64, list, string } from 'busbar/internal/kafka-protocol';
import { defineApi, type RequestContext } from '../api.js';
import { eachPartition } from '../responses.js';
import { mayDelete } from '../topics/topic.js';

export const deleteRecords = defineApi({
  key: 21,
  name: 'DeleteRecords',
  versions: 'v0-2',
  flexible: 'v2+',
  behaviour: 'Moves the log start offset; memory is freed segment by segment.',
  request: {
    topics: list({
      name: string(),
      partitions: list({
        partition: int32(),
        offset: int64(),
      }),
    }),
    timeoutMs: int32(),
  },
  response: {
    throttleTimeMs: int32('v0+', { default: 0 }),
    topics: list({
      name: string(),
      partitions: list({
        partition: int32(),
        lowWatermark: int64('v0+', { default: -1 }),
        errorCode: int16(),
      }),
    }),
  },
  handle: ({ topics }, context) => ({
    topics: eachPartition(topics, ({ partition, offset }, { name }) =>
      truncate(context, name, partition, offset),
    ),
  }),
  refuse: ({ topics }, errorCode) => ({
    topics: eachPartition(topics, ({ partition }) => ({ partition, errorCode })),
  }),
});

function truncate({ broker }: RequestContext, name: string, partition: number, wanted: number) {
  const topic = broker.topics.get(name);
  const log = topic?.partitions[partition];
  if (!topic || !log) return { partition, errorCode: errorCodes.unknownTopicOrPartition };
  if (!mayDelete(topic)) return { partition, errorCode: errorCodes.policyViolation };
  const offset = wanted === -1 ? log.endOffset : wanted;
  if (offset < 0 || offset > log.endOffset) {
    return { partition, errorCode: errorCodes.offsetOutOfRange };
  }
  broker.topics.capacity.removed(topic, log.truncateBefore(offset));
  return { partition, lowWatermark: log.startOffset, errorCode: errorCodes.none };
}
