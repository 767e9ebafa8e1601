import { errorCodes, int16, int32, list, listOf, string, optionalList } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';

export const listPartitionReassignments = defineApi({
  key: 46,
  name: 'ListPartitionReassignments',
  versions: 'v0',
  flexible: 'v0+',
  behaviour: 'An empty list: no partition moves.',
  request: {
    timeoutMs: int32('v0+', { default: 60_000 }),
    topics: list({ name: string(), partitions: listOf(int32()) }, 'v0+', { nullable: 'v0+' }),
  },
  response: {
    throttleTimeMs: int32('v0+', { default: 0 }),
    errorCode: int16(),
    errorMessage: string('v0+', { nullable: 'v0+', default: null }),
    topics: optionalList({
      name: string(),
      partitions: list({
        partition: int32(),
        replicas: listOf(int32()),
        addingReplicas: listOf(int32()),
        removingReplicas: listOf(int32()),
      }),
    }),
  },
  handle: () => ({ errorCode: errorCodes.none }),
});
