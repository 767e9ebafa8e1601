import {
  type ErrorCode,
  errorCodes,
  int16,
  int32,
  list,
  listOf,
  type Read,
  string,
  uuid,
  ZERO_UUID,
} from 'busbar/internal/kafka-protocol';
import { defineApi, type RequestContext } from '../api.js';
import { eachTopicOnce } from '../responses.js';

const request = {
  topics: list(
    {
      name: string('v6+', { nullable: 'v6+' }),
      topicId: uuid('v6+'),
    },
    'v6+',
  ),
  topicNames: listOf(string(), 'v0-5'),
  timeoutMs: int32(),
};

type TopicRequest = Read<typeof request>['topics'][number];

export const deleteTopics = defineApi({
  key: 20,
  name: 'DeleteTopics',
  versions: 'v0-6',
  flexible: 'v4+',
  behaviour: 'Deletes at once, together with the offsets that groups have committed for the topic.',
  request,
  response: {
    throttleTimeMs: int32('v1+', { default: 0 }),
    responses: list({
      name: string('v0+', { nullable: 'v6+' }),
      topicId: uuid('v6+'),
      errorCode: int16(),
      errorMessage: string('v5+', { nullable: 'v5+', default: null }),
    }),
  },
  handle: (message, context) => ({
    responses: eachTopicOnce(
      topicsOf(message),
      (topic, repeated) => (repeated ? { ...topic, ...repeated } : remove(topic, context)),
      ({ name, topicId }) => name ?? context.broker.topics.byId(topicId)?.name ?? topicId,
    ),
  }),
  refuse: (message, errorCode) => ({ responses: topicsOf(message).map((one) => ({ ...one, errorCode })) }),
});

function topicsOf({ topics, topicNames }: Read<typeof request>): TopicRequest[] {
  return [...topics, ...topicNames.map((name) => ({ name, topicId: ZERO_UUID }))];
}

function remove({ name, topicId }: TopicRequest, { broker, clientId }: RequestContext) {
  const byId = topicId !== ZERO_UUID;
  const failed = (errorCode: ErrorCode, errorMessage: string) => ({ name, topicId, errorCode, errorMessage });
  if (byId === (name !== null)) {
    return failed(errorCodes.invalidRequest, 'Exactly one of topic name and topic ID must be given.');
  }
  const topic = byId ? broker.topics.byId(topicId) : broker.topics.get(name ?? '');
  if (!topic) {
    return byId
      ? failed(errorCodes.unknownTopicId, 'This server does not host this topic ID.')
      : failed(errorCodes.unknownTopicOrPartition, 'This server does not host this topic-partition.');
  }
  broker.topics.delete(topic);
  broker.groups.deleteTopic(topic.name);
  broker.logger.info('topic deleted', { topic: topic.name, clientId });
  return { name: topic.name, topicId: topic.id, errorCode: errorCodes.none };
}
