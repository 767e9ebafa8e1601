// CreateTopics (19), versions 0-7. Names, partition counts and configurations are validated as Kafka does; one broker
// means replication factor 1 (or -1, its default).
import { defineApi, type RequestContext } from '../api.js';
import { type ErrorCode, errorCodes } from '../protocol/error-codes.js';
import {
  boolean,
  int8,
  int16,
  int32,
  list,
  listOf,
  type Read,
  string,
  uuid,
  ZERO_UUID,
} from '../protocol/fields.js';
import { assignmentProblem } from '../topics/assignments.js';
import { configEntries } from '../topics/config-entries.js';
import { configProblem } from '../topics/topic-config.js';
import { newTopicId } from '../topics/topics.js';

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
  behaviour: 'Creates at once. A replication factor above 1 is refused, as by any cluster of one broker.',
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
  handle({ topics, validateOnly }, context) {
    const names = topics.map(({ name }) => name);
    const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
    return {
      topics: topics
        .filter(({ name }, index) => names.indexOf(name) === index)
        .map((wanted) =>
          repeated.has(wanted.name)
            ? refused(wanted.name, errorCodes.invalidRequest, 'Duplicate topic name.')
            : create(wanted, validateOnly, context),
        ),
    };
  },
  refuse: ({ topics }, errorCode) => ({ topics: topics.map(({ name }) => refused(name, errorCode, null)) }),
});

function create(wanted: TopicRequest, validateOnly: boolean, { broker, clientId }: RequestContext) {
  const { name, assignments } = wanted;
  const asked = wanted.numPartitions === -1 ? broker.settings.defaultPartitions : wanted.numPartitions;
  const numPartitions = assignments.length > 0 ? assignments.length : asked;
  const problem = problemOf(wanted, numPartitions, broker);
  if (problem) return refused(name, problem.errorCode, problem.message);
  const configs = wanted.configs.map((config) => [config.name, config.value ?? ''] as const);
  const described = {
    name,
    // Also of a topic that is only validated, as Kafka has it.
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
  { name, numPartitions, replicationFactor, assignments, configs }: TopicRequest,
  partitions: number,
  { topics, settings }: RequestContext['broker'],
): { errorCode: ErrorCode; message: string } | undefined {
  // The order is Kafka's: name, configurations, placement, replication factor, partitions.
  const taken = topics.nameProblem(name);
  if (taken) return taken;
  const misconfigured = configs.map((one) => configProblem(one.name, one.value)).find((found) => found);
  if (misconfigured) return misconfigured;
  if (assignments.length > 0) {
    if (numPartitions !== -1 || replicationFactor !== -1) {
      const message = 'Both numPartitions or replicationFactor and replicasAssignments were set.';
      return { errorCode: errorCodes.invalidRequest, message };
    }
    const ordered = [...assignments].sort((a, b) => a.partition - b.partition);
    const message = ordered.some(({ partition }, index) => partition !== index)
      ? 'Partitions should be a consecutive 0-based integer sequence.'
      : assignmentProblem(ordered, settings.nodeId);
    if (message !== undefined) return { errorCode: errorCodes.invalidReplicaAssignment, message };
  }
  if (replicationFactor !== -1 && replicationFactor !== 1) {
    const message =
      replicationFactor < 1
        ? 'Replication factor must be larger than 0.'
        : `Unable to replicate the partition ${replicationFactor} time(s): only 1 broker(s) are registered.`;
    return { errorCode: errorCodes.invalidReplicationFactor, message };
  }
  return topics.partitionsProblem(partitions);
}

function refused(name: string, errorCode: number, errorMessage: string | null) {
  return { name, errorCode, errorMessage };
}
