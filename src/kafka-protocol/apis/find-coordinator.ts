import type { ApiTable } from '../api-table.js';
import { int16, int32, int8, list, listOf, string } from '../fields.js';

export const findCoordinatorTable = {
  key: 10,
  name: 'FindCoordinator',
  versions: 'v0-4',
  flexible: 'v3+',
  request: {
    key: string('v0-3'),
    keyType: int8('v1+', { default: 0 }),
    coordinatorKeys: listOf(string(), 'v4+'),
  },
  response: {
    throttleTimeMs: int32('v1+', { default: 0 }),
    errorCode: int16('v0-3'),
    errorMessage: string('v1-3', { nullable: 'v1-3', default: null }),
    nodeId: int32('v0-3'),
    host: string('v0-3'),
    port: int32('v0-3'),
    coordinators: list(
      {
        key: string(),
        nodeId: int32(),
        host: string(),
        port: int32(),
        errorCode: int16(),
        errorMessage: string('v4+', { nullable: 'v4+', default: null }),
      },
      'v4+',
    ),
  },
} satisfies ApiTable;
