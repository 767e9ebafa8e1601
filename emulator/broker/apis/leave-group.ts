import { errorCodes, leaveGroupTable } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import { type Caller, leave } from '../groups/membership.js';

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
