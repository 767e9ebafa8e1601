import {
  errorCodes,
  int16,
  int32,
  list,
  listOf,
  optionalStruct,
  string,
  uuid,
} from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';

const partitions = { topicId: uuid(), partitions: listOf(int32()) };

export const consumerGroupHeartbeat = defineApi({
  key: 68,
  name: 'ConsumerGroupHeartbeat',
  versions: 'v0-1',
  flexible: 'v0+',
  // Served for librdkafka: if a broker lacks this API, its consumers retry for ever and report nothing.
  behaviour: 'Logs and refuses each member with UNSUPPORTED_VERSION.',
  omissions: ['the KIP-848 group protocol (`group.protocol=consumer`)'],
  request: {
    groupId: string(),
    memberId: string(),
    memberEpoch: int32(),
    instanceId: string('v0+', { nullable: 'v0+', default: null }),
    rackId: string('v0+', { nullable: 'v0+', default: null }),
    rebalanceTimeoutMs: int32('v0+', { default: -1 }),
    subscribedTopicNames: listOf(string(), 'v0+', { nullable: 'v0+' }),
    subscribedTopicRegex: string('v1+', { nullable: 'v1+', default: null }),
    serverAssignor: string('v0+', { nullable: 'v0+', default: null }),
    topicPartitions: list(partitions, 'v0+', { nullable: 'v0+' }),
  },
  response: {
    throttleTimeMs: int32('v0+', { default: 0 }),
    errorCode: int16(),
    errorMessage: string('v0+', { nullable: 'v0+', default: null }),
    memberId: string('v0+', { nullable: 'v0+', default: null }),
    memberEpoch: int32('v0+', { default: 0 }),
    heartbeatIntervalMs: int32('v0+', { default: 0 }),
    assignment: optionalStruct({ topicPartitions: list(partitions) }),
  },
  handle({ groupId }, { broker, clientId }) {
    broker.logger.warn('group.protocol=consumer is not supported', { groupId, clientId });
    return {
      errorCode: errorCodes.unsupportedVersion,
      errorMessage:
        'The embedded broker has classic groups only. Set group.protocol=classic, or use Apache Kafka.',
    };
  },
});
