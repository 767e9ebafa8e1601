import {
  errorCodes,
  int16,
  int32,
  int64,
  list,
  listOf,
  string,
  optionalList,
} from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import { eachPartition } from '../responses.js';

export const describeProducers = defineApi({
  key: 61,
  name: 'DescribeProducers',
  versions: 'v0',
  flexible: 'v0+',
  behaviour: 'The idempotent producers of each partition. None has a transaction.',
  request: {
    topics: list({ name: string(), partitions: listOf(int32()) }),
  },
  response: {
    throttleTimeMs: int32('v0+', { default: 0 }),
    topics: list({
      name: string(),
      partitions: list({
        partition: int32(),
        errorCode: int16(),
        errorMessage: string('v0+', { nullable: 'v0+', default: null }),
        activeProducers: optionalList({
          producerId: int64(),
          producerEpoch: int32(),
          lastSequence: int32('v0+', { default: -1 }),
          lastTimestamp: int64('v0+', { default: -1 }),
          coordinatorEpoch: int32('v0+', { default: -1 }),
          currentTransactionStart: int64('v0+', { default: -1 }),
        }),
      }),
    }),
  },
  handle: ({ topics }, { broker }) => ({
    topics: eachPartition(topics, (partition, { name }) => {
      const log = broker.topics.get(name)?.partitions[partition];
      return log
        ? { partition, errorCode: errorCodes.none, activeProducers: log.producers.all() }
        : { partition, errorCode: errorCodes.unknownTopicOrPartition };
    }),
  }),
  refuse: ({ topics }, errorCode) => ({
    topics: eachPartition(topics, (partition) => ({ partition, errorCode })),
  }),
});
