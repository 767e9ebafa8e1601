import type { ApiTable } from '../api-table.js';
import { boolean, int16, int32, list, listOf, string, uuid } from '../fields.js';

/** The value of a field of authorized operations that the client did not request. */
export const NOT_REQUESTED = -0x8000_0000;

export const metadataTable = {
  key: 3,
  name: 'Metadata',
  versions: 'v0-12',
  flexible: 'v9+',
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
        leaderEpoch: int32('v7+', { default: -1 }),
        replicaNodes: listOf(int32()),
        isrNodes: listOf(int32()),
        offlineReplicas: listOf(int32(), 'v5+', { default: [] }),
      }),
      topicAuthorizedOperations: int32('v8+', { default: NOT_REQUESTED }),
    }),
    clusterAuthorizedOperations: int32('v8-10', { default: NOT_REQUESTED }),
  },
} satisfies ApiTable;
