// OffsetFetch (9), versions 1-9. Returns the offsets of one group up to version 7, of several from version 8. A null
// list means all topics. An offset that was never committed is -1, without an error.
import { defineApi, type RequestContext } from '../api.js';
import { errorCodes } from '../protocol/error-codes.js';
import { boolean, int16, int32, int64, list, listOf, string, type Versions } from '../protocol/fields.js';
import { eachPartition } from '../responses.js';

interface WantedTopic {
  readonly name: string;
  readonly partitions: readonly number[];
}

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

export const offsetFetch = defineApi({
  key: 9,
  name: 'OffsetFetch',
  versions: 'v1-9',
  flexible: 'v6+',
  behaviour: 'Committed offsets of one group or (version 8 and later) several; -1 before the first commit.',
  omissions: ['`require_stable` has nothing to wait for: there are no transactions'],
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
    topics: list(committedTopic('v5+'), 'v0-7', { default: [] }),
    errorCode: int16('v2-7', { default: 0 }),
    groups: list(
      {
        groupId: string(),
        topics: list(committedTopic('v8+')),
        errorCode: int16(),
      },
      'v8+',
      { default: [] },
    ),
  },
  handle({ groupId, topics, groups }, context) {
    if (context.version < 8) return { topics: offsets(context, groupId, topics) };
    return {
      groups: groups.map((group) => ({
        groupId: group.groupId,
        topics: offsets(context, group.groupId, group.topics),
        errorCode: errorCodes.none,
      })),
    };
  },
  refuse: ({ topics, groups }, errorCode) => ({
    topics: eachPartition(topics ?? [], (partition) => ({ partition, errorCode })),
    errorCode,
    groups: groups.map(({ groupId }) => ({ groupId, topics: [], errorCode })),
  }),
});

function offsets({ broker }: RequestContext, groupId: string, wanted: readonly WantedTopic[] | null) {
  const committed = broker.groups.get(groupId)?.offsets;
  const all = committed?.topics().map(({ topic, partitions }) => ({ name: topic, partitions })) ?? [];
  return eachPartition(
    wanted?.filter(({ partitions }) => partitions.length > 0) ?? all,
    (partition, { name }) => {
      const { offset = -1, leaderEpoch = -1, metadata = '' } = committed?.get(name, partition) ?? {};
      const errorCode = errorCodes.none;
      return { partition, committedOffset: offset, committedLeaderEpoch: leaderEpoch, metadata, errorCode };
    },
  );
}
