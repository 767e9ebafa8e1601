import type { ApiTable } from '../api-table.js';
import { int16, int32, list, string, optionalList } from '../fields.js';

export const leaveGroupTable = {
  key: 13,
  name: 'LeaveGroup',
  versions: 'v0-5',
  flexible: 'v4+',
  request: {
    groupId: string(),
    memberId: string('v0-2'),
    members: list(
      {
        memberId: string(),
        groupInstanceId: string('v3+', { nullable: 'v3+' }),
        reason: string('v5+', { nullable: 'v5+' }),
      },
      'v3+',
    ),
  },
  response: {
    throttleTimeMs: int32('v1+', { default: 0 }),
    errorCode: int16(),
    members: optionalList(
      {
        memberId: string(),
        groupInstanceId: string('v3+', { nullable: 'v3+' }),
        errorCode: int16(),
      },
      'v3+',
    ),
  },
} satisfies ApiTable;
