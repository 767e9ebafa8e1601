import {
  boolean,
  errorCodes,
  int16,
  int32,
  int8,
  list,
  listOf,
  type Read,
  string,
  uuid,
  ZERO_UUID,
} from 'busbar/internal/kafka-protocol';
import { defineApi, type RequestContext } from '../api.js';
import type { BrokerCore } from '../core.js';
import { eachTopicOnce } from '../responses.js';
import { assignmentProblem } from '../topics/assignments.js';
import { configEntries } from '../topics/config-entries.js';
import { type Problem, rejection } from '../topics/problem.js';
import { configProblem } from '../topics/topic-config.js';
import { newTopicId } from '../topics/topic.js';

const request = {
  topics: list({
    name: string(),
    numPartitions: int32(),
    replicationFactor: int16(),
    assignments: list({
      partition: int32(),
      brokerIds: listOf(int32()),
    }),
    configs: list({
      name: string(),
      value: string('v0+', { nullable: 'v0+' }),
    }),
  }),
  timeoutMs: int32(),
  validateOnly: boolean('v1+'),
};

type TopicRequest = Read<typeof request>['topics'][number];

export const createTopics = defineApi({
  key: 19,
  name: 'CreateTopics',
  versions: 'v0-7',
  flexible: 'v5+',
  behaviour: 'Creates at once. Refuses a replication factor above 1, like any cluster of one broker.',
  request,
  response: {
    throttleTimeMs: int32('v2+', { default: 0 }),
    topics: list({
      name: string(),
      topicId: uuid('v7+', { default: ZERO_UUID }),
      errorCode: int16(),
      errorMessage: string('v1+', { nullable: 'v1+', default: null }),
      topicConfigErrorCode: int16('v5+', { default: 0, tag: 0 }),
      numPartitions: int32('v5+', { default: -1 }),
      replicationFactor: int16('v5+', { default: -1 }),
      configs: list(
        {
          name: string(),
          value: string('v5+', { nullable: 'v5+' }),
          readOnly: boolean(),
          configSource: int8('v5+', { default: -1 }),
          isSensitive: boolean(),
        },
        'v5+',
        { nullable: 'v5+', default: [] },
      ),
    }),
  },
  handle: ({ topics, validateOnly }, context) => ({
    topics: eachTopicOnce(topics, (wanted, repeated) => create(wanted, repeated, validateOnly, context)),
  }),
  refuse: ({ topics }, errorCode) => ({ topics: topics.map(({ name }) => ({ name, errorCode })) }),
});

function create(
  wanted: TopicRequest,
  repeated: Problem | undefined,
  validateOnly: boolean,
  { broker, clientId }: RequestContext,
) {
  const { name, assignments } = wanted;
  const requested = wanted.numPartitions === -1 ? broker.settings.defaultPartitions : wanted.numPartitions;
  const numPartitions = assignments.length > 0 ? assignments.length : requested;
  const problem = repeated ?? problemOf(wanted, numPartitions, broker);
  if (problem) return { name, ...problem };
  const configs = wanted.configs.map((config) => [config.name, config.value ?? ''] as const);
  const described = {
    name,
    // As in Kafka, a topic that is only validated has an id, too.
    topicId: newTopicId(),
    errorCode: errorCodes.none,
    numPartitions,
    replicationFactor: 1,
    configs: configEntries(new Map(configs)),
  };
  if (validateOnly) return described;
  broker.topics.create(name, numPartitions, configs, described.topicId);
  broker.logger.info('topic created', { topic: name, partitions: numPartitions, clientId });
  return described;
}

function problemOf(
  wanted: TopicRequest,
  partitions: number,
  { topics, settings }: BrokerCore,
): Problem | undefined {
  const { name, configs } = wanted;
  // The order is Kafka's: name, configurations, placement, replication factor, partitions.
  return (
    topics.nameProblem(name) ??
    configs.map((one) => configProblem(one.name, one.value)).find((found) => found) ??
    placementProblem(wanted, settings.brokerId) ??
    topics.partitionsProblem(partitions)
  );
}

function placementProblem(
  { numPartitions, replicationFactor, assignments }: TopicRequest,
  nodeId: number,
): Problem | undefined {
  if (assignments.length > 0) {
    if (numPartitions !== -1 || replicationFactor !== -1)
      return rejection(
        'invalidRequest',
        'Both numPartitions or replicationFactor and replicasAssignments were set.',
      );
    const ordered = [...assignments].sort((a, b) => a.partition - b.partition);
    if (ordered.every(({ partition }, index) => partition === index))
      return assignmentProblem(ordered, nodeId);
    return rejection(
      'invalidReplicaAssignment',
      'Partitions should be a consecutive 0-based integer sequence.',
    );
  }
  if (replicationFactor === -1 || replicationFactor === 1) return undefined;
  return rejection(
    'invalidReplicationFactor',
    replicationFactor < 1
      ? 'Replication factor must be larger than 0.'
      : `Unable to replicate the partition ${replicationFactor} time(s): only 1 broker(s) are registered.`,
  );
}
