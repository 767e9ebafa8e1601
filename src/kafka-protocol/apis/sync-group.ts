import type { ApiTable } from '../api-table.js';
import { bytes, int16, int32, list, NO_BYTES, string } from '../fields.js';

export const syncGroupTable = {
  key: 14,
  name: 'SyncGroup',
  versions: 'v0-5',
  flexible: 'v4+',
  request: {
    groupId: string(),
    generationId: int32(),
    memberId: string(),
    groupInstanceId: string('v3+', { nullable: 'v3+' }),
    protocolType: string('v5+', { nullable: 'v5+' }),
    protocolName: string('v5+', { nullable: 'v5+' }),
    assignments: list({
      memberId: string(),
      assignment: bytes(),
    }),
  },
  response: {
    throttleTimeMs: int32('v1+', { default: 0 }),
    errorCode: int16(),
    protocolType: string('v5+', { nullable: 'v5+', default: null }),
    protocolName: string('v5+', { nullable: 'v5+', default: null }),
    assignment: bytes('v0+', { default: NO_BYTES }),
  },
} satisfies ApiTable;
