import {
  errorCodes,
  int16,
  int32,
  int8,
  list,
  listOf,
  string,
  optionalList,
} from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import { rejection } from '../topics/problem.js';

const NOT_NEEDED = rejection('electionNotNeeded', 'The broker leads every partition.');

export const electLeaders = defineApi({
  key: 43,
  name: 'ElectLeaders',
  versions: 'v0-2',
  flexible: 'v2+',
  behaviour: 'Returns ELECTION_NOT_NEEDED for each named partition: the broker leads all of them.',
  request: {
    electionType: int8('v1+'),
    topics: list({ topic: string(), partitions: listOf(int32()) }, 'v0+', { nullable: 'v0+' }),
    timeoutMs: int32('v0+', { default: 60_000 }),
  },
  response: {
    throttleTimeMs: int32('v0+', { default: 0 }),
    errorCode: int16('v1+'),
    topics: optionalList({
      topic: string(),
      partitions: list({
        partition: int32(),
        errorCode: int16(),
        errorMessage: string('v0+', { nullable: 'v0+' }),
      }),
    }),
  },
  handle: ({ topics }, { broker }) => ({
    errorCode: errorCodes.none,
    topics: (topics ?? []).map(({ topic, partitions }) => ({
      topic,
      partitions: partitions.map((partition) => ({
        partition,
        ...(broker.topics.get(topic)?.partitions[partition]
          ? NOT_NEEDED
          : rejection(
              'unknownTopicOrPartition',
              `Partition ${partition} of topic '${topic}' does not exist.`,
            )),
      })),
    })),
  }),
});
