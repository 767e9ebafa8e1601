import {
  boolean,
  errorCodes,
  int16,
  int32,
  list,
  listOf,
  type Read,
  string,
} from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import type { BrokerCore } from '../core.js';
import { eachTopicOnce } from '../responses.js';
import { assignmentProblem } from '../topics/assignments.js';
import { type Problem, rejection } from '../topics/problem.js';
import type { Topic } from '../topics/topic.js';

const request = {
  topics: list({
    name: string(),
    count: int32(),
    assignments: list({ brokerIds: listOf(int32()) }, 'v0+', { nullable: 'v0+' }),
  }),
  timeoutMs: int32(),
  validateOnly: boolean(),
};

type TopicRequest = Read<typeof request>['topics'][number];

export const createPartitions = defineApi({
  key: 37,
  name: 'CreatePartitions',
  versions: 'v0-3',
  flexible: 'v2+',
  behaviour: 'Raises the number of partitions of a topic.',
  request,
  response: {
    throttleTimeMs: int32('v0+', { default: 0 }),
    results: list({
      name: string(),
      errorCode: int16(),
      errorMessage: string('v0+', { nullable: 'v0+', default: null }),
    }),
  },
  handle: ({ topics, validateOnly }, { broker }) => ({
    results: eachTopicOnce(topics, (wanted, repeated) => {
      const topic = broker.topics.get(wanted.name);
      const problem = repeated ?? problemOf(wanted, topic, broker);
      if (topic && !problem && !validateOnly) {
        broker.topics.addPartitions(topic, wanted.count - topic.partitions.length);
      }
      return { name: wanted.name, errorCode: errorCodes.none, ...problem };
    }),
  }),
  refuse: ({ topics }, errorCode) => ({ results: topics.map(({ name }) => ({ name, errorCode })) }),
});

function problemOf(
  { name, count, assignments }: TopicRequest,
  topic: Topic | undefined,
  { topics, settings }: BrokerCore,
): Problem | undefined {
  if (!topic) return rejection('unknownTopicOrPartition', `The topic '${name}' does not exist.`);
  const present = topic.partitions.length;
  if (count <= present) {
    const errorMessage =
      count === present
        ? `Topic already has ${count} partition(s).`
        : `The topic ${name} currently has ${present} partition(s); ${count} would not be an increase.`;
    return { errorCode: errorCodes.invalidPartitions, errorMessage };
  }
  if (assignments && assignments.length !== count - present)
    return rejection(
      'invalidReplicaAssignment',
      `${count - present} assignments are needed, not ${assignments.length}.`,
    );
  return assignmentProblem(assignments ?? [], settings.brokerId) ?? topics.partitionsProblem(count - present);
}
