import type { ApiTable } from '../api-table.js';
import { int16, int32, int64, list, string } from '../fields.js';

export const offsetForLeaderEpochTable = {
  key: 23,
  name: 'OffsetForLeaderEpoch',
  versions: 'v2-4',
  flexible: 'v4+',
  request: {
    replicaId: int32('v3+', { default: -2 }),
    topics: list({
      topic: string(),
      partitions: list({
        partition: int32(),
        currentLeaderEpoch: int32('v2+', { default: -1 }),
        leaderEpoch: int32(),
      }),
    }),
  },
  response: {
    throttleTimeMs: int32('v2+', { default: 0 }),
    topics: list({
      topic: string(),
      partitions: list({
        errorCode: int16(),
        partition: int32(),
        leaderEpoch: int32('v1+', { default: -1 }),
        endOffset: int64('v0+', { default: -1 }),
      }),
    }),
  },
} satisfies ApiTable;
