import type { ApiTable } from '../api-table.js';
import { int16, int32, int64, list, string } from '../fields.js';

export const offsetCommitTable = {
  key: 8,
  name: 'OffsetCommit',
  versions: 'v1-9',
  flexible: 'v8+',
  request: {
    groupId: string(),
    generationId: int32('v1+', { default: -1 }),
    memberId: string('v1+'),
    groupInstanceId: string('v7+', { nullable: 'v7+' }),
    retentionTimeMs: int64('v2-4', { default: -1 }),
    topics: list({
      name: string(),
      partitions: list({
        partition: int32(),
        committedOffset: int64(),
        committedLeaderEpoch: int32('v6+', { default: -1 }),
        commitTimestamp: int64('v1', { default: -1 }),
        committedMetadata: string('v0+', { nullable: 'v0+' }),
      }),
    }),
  },
  response: {
    throttleTimeMs: int32('v3+', { default: 0 }),
    topics: list({
      name: string(),
      partitions: list({
        partition: int32(),
        errorCode: int16(),
      }),
    }),
  },
} satisfies ApiTable;
