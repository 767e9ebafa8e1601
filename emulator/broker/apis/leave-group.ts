// LeaveGroup (13), versions 0-5. Removes one member up to version 2; several, also by instance id, from version 3.
import { defineApi } from '../api.js';
import { type Caller, leave } from '../groups/membership.js';
import { errorCodes } from '../protocol/error-codes.js';
import { int16, int32, list, string } from '../protocol/fields.js';

export const leaveGroup = defineApi({
  key: 13,
  name: 'LeaveGroup',
  versions: 'v0-5',
  flexible: 'v4+',
  behaviour: 'Members leave at once and the others rebalance; admin clients may remove static members.',
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
    members: list(
      {
        memberId: string(),
        groupInstanceId: string('v3+', { nullable: 'v3+' }),
        errorCode: int16(),
      },
      'v3+',
      { default: [] },
    ),
  },
  handle({ groupId, memberId, members }, { broker, version }) {
    if (groupId === '') return { errorCode: errorCodes.invalidGroupId };
    const group = broker.groups.get(groupId);
    const remove = (member: Caller) => (group ? leave(group, member) : errorCodes.unknownMemberId);
    if (version < 3) return { errorCode: remove({ memberId, groupInstanceId: null }) };
    return {
      errorCode: errorCodes.none,
      members: members.map((member) => ({
        memberId: member.memberId,
        groupInstanceId: member.groupInstanceId,
        errorCode: remove(member),
      })),
    };
  },
});
