import { type ErrorCode, errorCodes } from 'busbar/internal/kafka-protocol';
import type { Group } from './group.js';

export interface Caller {
  readonly memberId: string;
  readonly groupInstanceId: string | null;
}

/** Handles Heartbeat: keeps the session alive and reports a rebalance. */
export function heartbeat(group: Group, caller: Caller & { readonly generationId: number }): ErrorCode {
  const member = group.identify(caller.memberId, caller.groupInstanceId);
  if (typeof member === 'number') return member;
  if (caller.generationId !== group.generation) return errorCodes.illegalGeneration;
  group.keepAlive(member);
  return group.state === 'PreparingRebalance' ? errorCodes.rebalanceInProgress : errorCodes.none;
}

/** Handles LeaveGroup for one member, by member id, or by instance id only, as admin clients do (KIP-345). */
export function leave(group: Group, { memberId, groupInstanceId }: Caller): ErrorCode {
  const pending = group.pending.get(memberId);
  if (pending) {
    pending();
    group.pending.delete(memberId);
    group.completeIfAllJoined();
    return errorCodes.none;
  }
  const instance = groupInstanceId === null || memberId !== '' ? undefined : group.instance(groupInstanceId);
  const member = instance ?? group.identify(memberId, groupInstanceId);
  if (typeof member === 'number') return member;
  group.remove(member, 'left');
  return errorCodes.none;
}

/** Removes the members with one client id or member id, or all, and the member ids that the broker gave to clients. */
export function evictMembers(
  group: Group,
  { client, member: only }: { readonly client?: string; readonly member?: string },
): number {
  for (const [id, cancel] of [...group.pending]) {
    if (only !== undefined || (client !== undefined && !id.startsWith(`${client}-`))) continue;
    cancel();
    group.pending.delete(id);
  }
  const evicted = [...group.members.values()].filter(
    (member) => member.clientId === (client ?? member.clientId) && member.id === (only ?? member.id),
  );
  for (const member of evicted) group.remove(member, 'evicted');
  group.completeIfAllJoined();
  return evicted.length;
}

/** Returns the error for a commit that the group's state does not allow. */
export function commitProblem(
  group: Group,
  caller: Caller & { readonly generationId: number },
): ErrorCode | undefined {
  const isStandalone = caller.generationId < 0 && caller.memberId === '' && caller.groupInstanceId === null;
  // A client that assigns its own partitions may store offsets in a group without members.
  if (isStandalone && group.members.size === 0) return undefined;
  if (caller.generationId < 0 && group.state === 'Empty') return undefined;
  const member = group.identify(caller.memberId, caller.groupInstanceId);
  if (typeof member === 'number') return member;
  if (caller.generationId !== group.generation) return errorCodes.illegalGeneration;
  if (group.state === 'CompletingRebalance') return errorCodes.rebalanceInProgress;
  group.keepAlive(member);
  return undefined;
}
