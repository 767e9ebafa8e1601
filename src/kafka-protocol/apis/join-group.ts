import type { ApiTable } from '../api-table.js';
import { boolean, bytes, int16, int32, list, string, optionalList } from '../fields.js';

export const joinGroupTable = {
  key: 11,
  name: 'JoinGroup',
  versions: 'v0-9',
  flexible: 'v6+',
  request: {
    groupId: string(),
    sessionTimeoutMs: int32(),
    rebalanceTimeoutMs: int32('v1+', { default: -1 }),
    memberId: string(),
    groupInstanceId: string('v5+', { nullable: 'v5+' }),
    protocolType: string(),
    protocols: list({
      name: string(),
      metadata: bytes(),
    }),
    reason: string('v8+', { nullable: 'v8+' }),
  },
  response: {
    throttleTimeMs: int32('v2+', { default: 0 }),
    errorCode: int16(),
    generationId: int32('v0+', { default: -1 }),
    protocolType: string('v7+', { nullable: 'v7+', default: null }),
    protocolName: string('v0+', { nullable: 'v7+' }),
    leader: string('v0+', { default: '' }),
    skipAssignment: boolean('v9+', { default: false }),
    memberId: string(),
    members: optionalList({
      memberId: string(),
      groupInstanceId: string('v5+', { nullable: 'v5+' }),
      metadata: bytes(),
    }),
  },
} satisfies ApiTable;
