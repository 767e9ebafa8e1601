import { grouped } from 'busbar/base';
import { errorCodes, offsetFetchTable } from 'busbar/internal/kafka-protocol';
import { defineApi, type RequestContext } from '../api.js';
import { eachPartition } from '../responses.js';

interface WantedTopic {
  readonly name: string;
  readonly partitions: readonly number[];
}

export const offsetFetch = defineApi({
  ...offsetFetchTable,
  behaviour: 'Committed offsets of one group or (version 8 and later) several; -1 before the first commit.',
  omissions: ['`require_stable` has nothing to wait for: there are no transactions'],
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
  const all = [...grouped(committed?.all() ?? [], ({ topic }) => topic)].map(([name, own]) => ({
    name,
    partitions: own.map(({ partition }) => partition),
  }));
  return eachPartition(
    wanted?.filter(({ partitions }) => partitions.length > 0) ?? all,
    (partition, { name }) => {
      const { offset = -1, leaderEpoch = -1, metadata = '' } = committed?.get(name, partition) ?? {};
      const errorCode = errorCodes.none;
      return { partition, committedOffset: offset, committedLeaderEpoch: leaderEpoch, metadata, errorCode };
    },
  );
}
