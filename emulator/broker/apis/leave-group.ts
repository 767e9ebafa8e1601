import { type ErrorCode, errorCodes, leaveGroupTable } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import type { Group } from '../groups/group.js';

export const leaveGroup = defineApi({
  ...leaveGroupTable,
  behaviour: 'Members leave at once and the others rebalance; admin clients may remove static members.',
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

interface Caller {
  readonly memberId: string;
  readonly groupInstanceId: string | null;
}

/** Handles LeaveGroup for one member, by member id, or by instance id only, as admin clients do (KIP-345). */
function leave(group: Group, { memberId, groupInstanceId }: Caller): ErrorCode {
  if (group.takePending(memberId)) {
    group.completeIfAllJoined();
    return errorCodes.none;
  }
  const instance = groupInstanceId === null || memberId !== '' ? undefined : group.instance(groupInstanceId);
  const member = instance ?? group.identify(memberId, groupInstanceId);
  if (typeof member === 'number') return member;
  group.remove(member, 'left');
  return errorCodes.none;
}
