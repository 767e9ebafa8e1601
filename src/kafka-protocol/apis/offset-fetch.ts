import type { ApiTable } from '../api-table.js';
import {
  boolean,
  int16,
  int32,
  int64,
  list,
  listOf,
  string,
  type Versions,
  optionalList,
} from '../fields.js';

const wantedTopic = { name: string(), partitions: listOf(int32()) };
const committedTopic = (epochs: Versions) => ({
  name: string(),
  partitions: list({
    partition: int32(),
    committedOffset: int64('v0+', { default: -1 }),
    committedLeaderEpoch: int32(epochs, { default: -1 }),
    metadata: string('v0+', { nullable: 'v0+', default: '' }),
    errorCode: int16(),
  }),
});

export const offsetFetchTable = {
  key: 9,
  name: 'OffsetFetch',
  versions: 'v1-9',
  flexible: 'v6+',
  request: {
    groupId: string('v0-7'),
    topics: list(wantedTopic, 'v0-7', { nullable: 'v2-7' }),
    groups: list(
      {
        groupId: string(),
        memberId: string('v9+', { nullable: 'v9+' }),
        memberEpoch: int32('v9+', { default: -1 }),
        topics: list(wantedTopic, 'v8+', { nullable: 'v8+' }),
      },
      'v8+',
    ),
    requireStable: boolean('v7+'),
  },
  response: {
    throttleTimeMs: int32('v3+', { default: 0 }),
    topics: optionalList(committedTopic('v5+'), 'v0-7'),
    errorCode: int16('v2-7', { default: 0 }),
    groups: optionalList(
      {
        groupId: string(),
        topics: list(committedTopic('v8+')),
        errorCode: int16(),
      },
      'v8+',
    ),
  },
} satisfies ApiTable;
