import type { ApiTable } from '../api-table.js';
import { int16, int32, string } from '../fields.js';

export const heartbeatTable = {
  key: 12,
  name: 'Heartbeat',
  versions: 'v0-4',
  flexible: 'v4+',
  request: {
    groupId: string(),
    generationId: int32(),
    memberId: string(),
    groupInstanceId: string('v3+', { nullable: 'v3+' }),
  },
  response: {
    throttleTimeMs: int32('v1+', { default: 0 }),
    errorCode: int16(),
  },
} satisfies ApiTable;
