import type { ApiTable } from '../api-table.js';
import { int16, int32, int64, int8, list, listOf, records, string, uuid } from '../fields.js';

export const fetchTable = {
  key: 1,
  name: 'Fetch',
  versions: 'v0-13',
  flexible: 'v12+',
  request: {
    clusterId: string('v12+', { nullable: 'v12+', default: null, tag: 0 }),
    replicaId: int32(),
    maxWaitMs: int32(),
    minBytes: int32(),
    maxBytes: int32('v3+', { default: 0x7fff_ffff }),
    isolationLevel: int8('v4+'),
    sessionId: int32('v7+'),
    sessionEpoch: int32('v7+', { default: -1 }),
    topics: list({
      topic: string('v0-12'),
      topicId: uuid('v13+'),
      partitions: list({
        partition: int32(),
        currentLeaderEpoch: int32('v9+', { default: -1 }),
        fetchOffset: int64(),
        lastFetchedEpoch: int32('v12+', { default: -1 }),
        logStartOffset: int64('v5+', { default: -1 }),
        partitionMaxBytes: int32(),
      }),
    }),
    forgottenTopics: list(
      {
        topic: string('v7-12'),
        topicId: uuid('v13+'),
        partitions: listOf(int32()),
      },
      'v7+',
    ),
    rackId: string('v11+'),
  },
  response: {
    throttleTimeMs: int32('v1+', { default: 0 }),
    errorCode: int16('v7+'),
    sessionId: int32('v7+', { default: 0 }),
    topics: list({
      topic: string('v0-12'),
      topicId: uuid('v13+'),
      partitions: list({
        partition: int32(),
        errorCode: int16(),
        highWatermark: int64('v0+', { default: -1 }),
        lastStableOffset: int64('v4+', { default: -1 }),
        logStartOffset: int64('v5+', { default: -1 }),
        abortedTransactions: list({ producerId: int64(), firstOffset: int64() }, 'v4+', {
          nullable: 'v4+',
          default: null,
        }),
        preferredReadReplica: int32('v11+', { default: -1 }),
        records: records(),
      }),
    }),
  },
} satisfies ApiTable;
