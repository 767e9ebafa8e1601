import { type ErrorCode, errorCodes } from '../protocol/error-codes.js';
import type { Group } from './group.js';
import {
  type JoinRequest,
  type JoinResult,
  type Member,
  newMember,
  newMemberId,
  sameProtocols,
  updateMember,
} from './member.js';

/** Members and given-out ids that one group may have; the bound keeps a misbehaving client from filling memory. */
const MAX_MEMBERS = 1000;

/** What a member may say of its subscription; Kafka has about the same limit, the size of one of its records. */
const MAX_METADATA_BYTES = 1_048_576;

/** JoinGroup: the answer comes when the rebalance that it leads to is complete. */
export function joinGroup(group: Group, request: JoinRequest): JoinResult | Promise<JoinResult> {
  const { memberId, groupInstanceId, protocols } = request;
  if (protocols.reduce((sum, { metadata }) => sum + metadata.length, 0) > MAX_METADATA_BYTES) {
    return refusedJoin(request, errorCodes.unknownServerError);
  }
  if (!group.supports(request.protocolType, protocols)) {
    return refusedJoin(request, errorCodes.inconsistentGroupProtocol);
  }
  if (memberId === '')
    return groupInstanceId === null ? joinFirst(group, request) : joinInstance(group, request);

  const pending = group.pending.get(memberId);
  if (pending) {
    pending();
    group.pending.delete(memberId);
    return joinNew(group, memberId, request);
  }
  const member = group.identify(memberId, groupInstanceId);
  if (typeof member === 'number') return refusedJoin(request, member);
  return joinAgain(group, member, request);
}

export function refusedJoin({ memberId }: { memberId: string }, errorCode: ErrorCode): JoinResult {
  return {
    errorCode,
    memberId,
    generationId: -1,
    protocolType: null,
    protocolName: null,
    leader: '',
    skipAssignment: false,
    members: [],
  };
}

function joinFirst(group: Group, request: JoinRequest): JoinResult | Promise<JoinResult> {
  const memberId = newMemberId(request);
  if (!request.acceptsMemberId) return joinNew(group, memberId, request);
  if (isFull(group)) return refusedJoin(request, errorCodes.groupMaxSizeReached);
  const cancel = group.clock.after(request.sessionTimeoutMs, () => {
    group.pending.delete(memberId);
    group.completeIfAllJoined();
  });
  group.pending.set(memberId, cancel);
  return refusedJoin({ memberId }, errorCodes.memberIdRequired);
}

function joinNew(group: Group, memberId: string, request: JoinRequest): JoinResult | Promise<JoinResult> {
  if (isFull(group)) return refusedJoin(request, errorCodes.groupMaxSizeReached);
  const member = newMember(memberId, request);
  if (group.members.size === 0) group.protocolType = request.protocolType;
  group.add(member);
  return waitForRebalance(group, member);
}

/** A static member without an id: new, or back after a restart, in which case the group need not rebalance. */
function joinInstance(group: Group, request: JoinRequest): JoinResult | Promise<JoinResult> {
  const member = group.instance(request.groupInstanceId ?? '');
  const memberId = newMemberId(request);
  if (!member) return joinNew(group, memberId, request);

  const oldId = member.id;
  const wasLeader = group.leaderId === oldId;
  // Whoever still waits under the old id is a second process with the same instance id: it is fenced.
  member.answerJoin?.(refusedJoin({ memberId: oldId }, errorCodes.fencedInstanceId));
  member.answerJoin = undefined;
  group.answerSync(member, errorCodes.fencedInstanceId);
  group.renameMember(member, memberId);
  updateMember(member, request);

  // As in Kafka the protocol alone decides: not even another subscription makes a restart a rebalance.
  if (group.state !== 'Stable' || group.favourite() !== group.protocolName)
    return waitForRebalance(group, member);
  group.keepAlive(member);
  if (request.canSkipAssignment) return group.joinResult(member, { skipAssignment: wasLeader });
  // An older client that were told to lead would assign anew; as a follower it gets its old assignment.
  return group.joinResult(member, wasLeader ? { leader: oldId } : {});
}

function joinAgain(group: Group, member: Member, request: JoinRequest): JoinResult | Promise<JoinResult> {
  const unchanged = sameProtocols(member.protocols, request.protocols);
  const present =
    group.state === 'CompletingRebalance'
      ? unchanged
      : group.state === 'Stable' && unchanged && group.leaderId !== member.id;
  updateMember(member, request);
  if (present) {
    // The answer was lost, or a follower merely asks again: it gets the generation that there is.
    group.keepAlive(member);
    return group.joinResult(member);
  }
  return waitForRebalance(group, member);
}

function waitForRebalance(group: Group, member: Member): Promise<JoinResult> {
  return new Promise((resolve) => {
    member.answerJoin?.(refusedJoin({ memberId: member.id }, errorCodes.rebalanceInProgress));
    member.answerJoin = resolve;
    member.cancelSession();
    group.rebalance();
  });
}

function isFull(group: Group): boolean {
  return group.members.size + group.pending.size >= MAX_MEMBERS;
}
