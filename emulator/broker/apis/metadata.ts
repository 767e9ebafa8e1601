// Metadata (3), versions 0-12. Describes the one broker, which leads all partitions. Creates topics if both the client
// and the broker allow it. Topic ids from version 10, requests by id from version 12.
import { defineApi, type RequestContext } from '../api.js';
import { authorizedOperations, NOT_REQUESTED } from '../authorized-operations.js';
import { LEADER_EPOCH } from '../log/partition-log.js';
import { type ErrorCode, errorCodes } from '../protocol/error-codes.js';
import { boolean, int16, int32, list, listOf, string, uuid, ZERO_UUID } from '../protocol/fields.js';
import type { Topic } from '../topics/topic.js';

export const metadata = defineApi({
  key: 3,
  name: 'Metadata',
  versions: 'v0-12',
  flexible: 'v9+',
  behaviour:
    'One broker that leads every partition. Creates an unknown topic if the client and `autoCreateTopics` allow it. The advertised address is the listener’s, unless configured.',
  request: {
    topics: list(
      {
        topicId: uuid('v10+'),
        name: string('v0+', { nullable: 'v10+' }),
      },
      'v0+',
      { nullable: 'v1+' },
    ),
    allowAutoTopicCreation: boolean('v4+', { default: true }),
    includeClusterAuthorizedOperations: boolean('v8-10'),
    includeTopicAuthorizedOperations: boolean('v8+'),
  },
  response: {
    throttleTimeMs: int32('v3+', { default: 0 }),
    brokers: list({
      nodeId: int32(),
      host: string(),
      port: int32(),
      rack: string('v1+', { nullable: 'v1+', default: null }),
    }),
    clusterId: string('v2+', { nullable: 'v2+' }),
    controllerId: int32('v1+'),
    topics: list({
      errorCode: int16(),
      name: string('v0+', { nullable: 'v12+' }),
      topicId: uuid('v10+'),
      isInternal: boolean('v1+', { default: false }),
      partitions: list({
        errorCode: int16('v0+', { default: 0 }),
        partition: int32(),
        leaderId: int32(),
        leaderEpoch: int32('v7+', { default: LEADER_EPOCH }),
        replicaNodes: listOf(int32()),
        isrNodes: listOf(int32()),
        offlineReplicas: listOf(int32(), 'v5+', { default: [] }),
      }),
      topicAuthorizedOperations: int32('v8+', { default: NOT_REQUESTED }),
    }),
    clusterAuthorizedOperations: int32('v8-10', { default: NOT_REQUESTED }),
  },
  handle(request, context) {
    const { topics, allowAutoTopicCreation } = request;
    // All topics: an empty list in version 0, null later.
    const all = topics === null || (context.version === 0 && topics.length === 0);
    const described = all
      ? context.broker.topics.all().map((topic) => describe(topic, context))
      : distinct(topics).map((wanted) => lookUp(wanted, allowAutoTopicCreation, context));
    const ofTopic = authorizedOperations('topic', request.includeTopicAuthorizedOperations);
    return {
      ...cluster(context),
      clusterAuthorizedOperations: authorizedOperations(
        'cluster',
        request.includeClusterAuthorizedOperations,
      ),
      topics: described.map((topic) => ({
        ...topic,
        topicAuthorizedOperations: topic.name === null ? NOT_REQUESTED : ofTopic,
      })),
    };
  },
  refuse: ({ topics }, errorCode, context) => ({
    ...cluster(context),
    topics: (topics ?? []).map(({ name, topicId }) => ({
      errorCode,
      name: name ?? '',
      topicId,
      partitions: [],
    })),
  }),
});

function cluster({ broker: { settings }, connection }: RequestContext) {
  const { nodeId, clusterId } = settings;
  return { brokers: [{ nodeId, ...connection.advertised }], clusterId, controllerId: nodeId };
}

/** Removes repeated topics, as Kafka does. */
function distinct<T extends { readonly name: string | null; readonly topicId: string }>(
  topics: readonly T[],
): T[] {
  return [...new Map(topics.map((topic) => [`${topic.topicId} ${topic.name}`, topic])).values()];
}

function lookUp(
  { name, topicId }: { readonly name: string | null; readonly topicId: string },
  create: boolean,
  context: RequestContext,
) {
  const { topics, settings, logger } = context.broker;
  const failed = (errorCode: ErrorCode) => ({
    errorCode,
    name: name ?? (context.version >= 12 ? null : ''),
    topicId,
    partitions: [],
  });
  if (name === null || topicId !== ZERO_UUID) {
    const topic = topics.byId(topicId);
    return topic ? describe(topic, context) : failed(errorCodes.unknownTopicId);
  }
  const topic = topics.get(name);
  if (topic) return describe(topic, context);
  const problem = topics.problem(name, settings.defaultPartitions);
  if (problem?.errorCode === errorCodes.invalidTopic) return failed(problem.errorCode);
  if (!create || !settings.autoCreateTopics || problem) return failed(errorCodes.unknownTopicOrPartition);
  logger.info('topic created for metadata request', { topic: name, clientId: context.clientId });
  return describe(topics.create(name, settings.defaultPartitions), context);
}

function describe({ name, id, partitions }: Topic, { broker }: RequestContext) {
  const { nodeId } = broker.settings;
  return {
    errorCode: errorCodes.none,
    name,
    topicId: id,
    partitions: partitions.map((_, partition) => ({
      partition,
      leaderId: nodeId,
      replicaNodes: [nodeId],
      isrNodes: [nodeId],
    })),
  };
}
