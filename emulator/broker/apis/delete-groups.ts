import { int16, int32, list, listOf, string } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';

export const deleteGroups = defineApi({
  key: 42,
  name: 'DeleteGroups',
  versions: 'v0-2',
  flexible: 'v2+',
  behaviour: 'Deletes a group and its offsets, unless it has members.',
  request: {
    groupNames: listOf(string()),
  },
  response: {
    throttleTimeMs: int32('v0+', { default: 0 }),
    results: list({
      groupId: string(),
      errorCode: int16(),
    }),
  },
  handle: ({ groupNames }, { broker }) => ({
    results: [...new Set(groupNames)].map((groupId) => ({
      groupId,
      errorCode: broker.groups.delete(groupId),
    })),
  }),
  refuse: ({ groupNames }, errorCode) => ({ results: groupNames.map((groupId) => ({ groupId, errorCode })) }),
});
