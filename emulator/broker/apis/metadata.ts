import {
  type ErrorCode,
  errorCodes,
  metadataTable,
  NOT_REQUESTED,
  type Read,
  ZERO_UUID,
} from 'busbar/internal/kafka-protocol';
import { defineApi, type RequestContext } from '../api.js';
import { authorizedOperations } from '../authorized-operations.js';
import { LEADER_EPOCH } from '../log/partition-log.js';
import type { Topic } from '../topics/topic.js';

type Wanted = NonNullable<Read<typeof metadataTable.request>['topics']>[number];

export const metadata = defineApi({
  ...metadataTable,
  behaviour:
    'One broker that leads every partition. Creates an unknown topic if the client and `autoCreateTopics` allow it. Logs and refuses `__consumer_offsets`. The advertised address is the listener’s, unless configured.',
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
    topics: (topics ?? context.broker.topics.all().map(({ name, id }) => ({ name, topicId: id }))).map(
      ({ name, topicId }) => ({
        errorCode,
        name: name ?? '',
        topicId,
        partitions: [],
      }),
    ),
  }),
});

function cluster({ broker: { settings }, connection }: RequestContext) {
  const { brokerId: nodeId, clusterId } = settings;
  return { brokers: [{ nodeId, ...connection.advertised }], clusterId, controllerId: nodeId };
}

/** Removes repeated topics, as Kafka does. */
function distinct(topics: readonly Wanted[]): Wanted[] {
  return [...new Map(topics.map((topic) => [`${topic.topicId} ${topic.name}`, topic])).values()];
}

function lookUp({ name, topicId }: Wanted, create: boolean, context: RequestContext) {
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
  if (name === '__consumer_offsets') {
    logger.warn('committed offsets are in no topic', { topic: name, clientId: context.clientId });
    return failed(errorCodes.topicAuthorizationFailed);
  }
  const problem = topics.problem(name, settings.defaultPartitions);
  if (problem?.errorCode === errorCodes.invalidTopicException) return failed(problem.errorCode);
  if (!create || !settings.autoCreateTopics || problem) return failed(errorCodes.unknownTopicOrPartition);
  logger.info('topic created for metadata request', { topic: name, clientId: context.clientId });
  return describe(topics.create(name, settings.defaultPartitions), context);
}

function describe({ name, id, partitions }: Topic, { broker }: RequestContext) {
  const { brokerId: nodeId } = broker.settings;
  return {
    errorCode: errorCodes.none,
    name,
    topicId: id,
    partitions: partitions.map((_, partition) => ({
      partition,
      leaderId: nodeId,
      leaderEpoch: LEADER_EPOCH,
      replicaNodes: [nodeId],
      isrNodes: [nodeId],
    })),
  };
}
