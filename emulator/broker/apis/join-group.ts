import { type ErrorCode, errorCodes, joinGroupTable } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import type { Group } from '../groups/group.js';
import {
  type JoinRequest,
  type JoinResult,
  type Member,
  newMember,
  newMemberId,
  sameProtocols,
  updateMember,
} from '../groups/member.js';

// Static members (KIP-345), required member ids (KIP-394), and leaders that keep their assignment (KIP-814). The broker
// does not read protocol metadata, so eager and cooperative assignors both work.

export const joinGroup = defineApi({
  ...joinGroupTable,
  behaviour:
    'The first member forms a group at once (initial rebalance delay 0); later ones start a rebalance. Refuses session timeouts outside 6 s to 30 min (configurable).',
  omissions: ['the KIP-848 group protocol (`group.protocol=consumer`)'],
  async handle(message, { broker, connection, clientId, version }) {
    const { groupId, sessionTimeoutMs } = message;
    const { minSessionTimeoutMs, maxSessionTimeoutMs } = broker.settings;
    const refuse = (errorCode: ErrorCode) => encodable(refusedJoin(message, errorCode), version);
    if (groupId === '') return refuse(errorCodes.invalidGroupId);
    if (sessionTimeoutMs < minSessionTimeoutMs || sessionTimeoutMs > maxSessionTimeoutMs) {
      const range = { minSessionTimeoutMs, maxSessionTimeoutMs };
      broker.logger.warn('session timeout refused', { group: groupId, clientId, sessionTimeoutMs, ...range });
      return refuse(errorCodes.invalidSessionTimeout);
    }
    const known = broker.groups.get(groupId);
    if (!known && message.memberId !== '') return refuse(errorCodes.unknownMemberId);
    const group = known ?? broker.groups.open(groupId);
    if (!group) return refuse(errorCodes.policyViolation);
    const result = await join(group, {
      ...message,
      // Version 0 has no rebalance timeout.
      rebalanceTimeoutMs: message.rebalanceTimeoutMs < 0 ? sessionTimeoutMs : message.rebalanceTimeoutMs,
      clientId,
      clientHost: connection.clientHost,
      acceptsMemberId: version >= 4,
      canSkipAssignment: version >= 9,
    });
    return encodable(result, version);
  },
  refuse: ({ memberId }, errorCode, { version }) =>
    encodable({ errorCode, memberId, protocolName: null }, version),
});

/** Writes "no protocol" as an empty name before version 7. */
function encodable<R extends { readonly protocolName: string | null }>(result: R, version: number): R {
  return version >= 7 ? result : { ...result, protocolName: result.protocolName ?? '' };
}

/** The maximum of members and pending ids of a group, so that a misbehaving client cannot fill the memory. */
const MAX_MEMBERS = 1000;

/** The maximum size of a member's subscriptions, about the one in Kafka, which stores them in one record. */
const MAX_METADATA_BYTES = 1_048_576;

/** Handles JoinGroup. The result follows when the rebalance completes. */
function join(group: Group, request: JoinRequest): JoinResult | Promise<JoinResult> {
  const { memberId, groupInstanceId, protocols } = request;
  if (protocols.reduce((sum, { metadata }) => sum + metadata.length, 0) > MAX_METADATA_BYTES) {
    return refusedJoin(request, errorCodes.unknownServerError);
  }
  if (!group.supports(request.protocolType, protocols)) {
    return refusedJoin(request, errorCodes.inconsistentGroupProtocol);
  }
  if (memberId === '')
    return groupInstanceId === null ? joinFirst(group, request) : joinInstance(group, request);

  if (group.takePending(memberId)) return joinNew(group, memberId, request);
  const member = group.identify(memberId, groupInstanceId);
  if (typeof member === 'number') return refusedJoin(request, member);
  return joinAgain(group, member, request);
}

function refusedJoin({ memberId }: { memberId: string }, errorCode: ErrorCode): JoinResult {
  return { errorCode, memberId, protocolName: null };
}

function joinFirst(group: Group, request: JoinRequest): JoinResult | Promise<JoinResult> {
  const memberId = newMemberId(request);
  if (!request.acceptsMemberId) return joinNew(group, memberId, request);
  if (isFull(group)) return refusedJoin(request, errorCodes.groupMaxSizeReached);
  const cancel = group.clock.schedule(request.sessionTimeoutMs, () => {
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

/** Joins a static member without an id: a new one, or one that restarted, for which the group need not rebalance. */
function joinInstance(group: Group, request: JoinRequest): JoinResult | Promise<JoinResult> {
  const member = group.instance(request.groupInstanceId ?? '');
  const memberId = newMemberId(request);
  if (!member) return joinNew(group, memberId, request);

  const oldId = member.id;
  const wasLeader = group.leaderId === oldId;
  // A request that still waits under the old id comes from a second process with that instance id: it is fenced.
  member.resolveJoin?.(refusedJoin({ memberId: oldId }, errorCodes.fencedInstanceId));
  member.resolveJoin = undefined;
  group.resolveSync(member, errorCodes.fencedInstanceId);
  group.renameMember(member, memberId);
  updateMember(member, request);

  // As in Kafka, only a changed protocol makes a restart a rebalance; a changed subscription does not.
  if (group.state !== 'Stable' || group.favourite() !== group.protocolName)
    return waitForRebalance(group, member);
  group.keepAlive(member);
  if (request.canSkipAssignment) return group.joinResult(member, { skipAssignment: wasLeader });
  // An older client would assign again as the leader; as a follower it gets its old assignment.
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
    // The response was lost, or a follower repeats its request: return the current generation.
    group.keepAlive(member);
    return group.joinResult(member);
  }
  return waitForRebalance(group, member);
}

function waitForRebalance(group: Group, member: Member): Promise<JoinResult> {
  return new Promise((resolve) => {
    member.resolveJoin?.(refusedJoin({ memberId: member.id }, errorCodes.rebalanceInProgress));
    member.resolveJoin = resolve;
    member.cancelSession();
    group.rebalance();
  });
}

function isFull(group: Group): boolean {
  return group.members.size + group.pending.size >= MAX_MEMBERS;
}
