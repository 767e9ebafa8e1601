import type { ApiTable } from '../api-table.js';
import { int16, int32, int64, int8, list, listOf, string } from '../fields.js';

export const listOffsetsTable = {
  key: 2,
  name: 'ListOffsets',
  versions: 'v0-9',
  flexible: 'v6+',
  request: {
    replicaId: int32(),
    isolationLevel: int8('v2+'),
    topics: list({
      name: string(),
      partitions: list({
        partition: int32(),
        currentLeaderEpoch: int32('v4+', { default: -1 }),
        timestamp: int64(),
        maxOffsets: int32('v0', { default: 1 }),
      }),
    }),
  },
  response: {
    throttleTimeMs: int32('v2+', { default: 0 }),
    topics: list({
      name: string(),
      partitions: list({
        partition: int32(),
        errorCode: int16(),
        oldStyleOffsets: listOf(int64(), 'v0', { default: [] }),
        timestamp: int64('v1+', { default: -1 }),
        offset: int64('v1+', { default: -1 }),
        leaderEpoch: int32('v4+', { default: -1 }),
      }),
    }),
  },
} satisfies ApiTable;
