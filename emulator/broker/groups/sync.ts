import { errorCodes } from 'busbar/internal/kafka-protocol';
import type { Group } from './group.js';
import type { SyncResult } from './member.js';

export interface SyncRequest {
  readonly memberId: string;
  readonly groupInstanceId: string | null;
  readonly generationId: number;
  readonly protocolType: string | null;
  readonly protocolName: string | null;
  /** Empty unless the member leads the group. */
  readonly assignments: readonly { readonly memberId: string; readonly assignment: Buffer }[];
}

/** The maximum size of all assignments, about the one in Kafka, which stores them in one record. */
const MAX_ASSIGNMENT_BYTES = 1_048_576;

/** Handles SyncGroup: every member gets its assignment when the leader has sent them. */
export function syncGroup(group: Group, request: SyncRequest): SyncResult | Promise<SyncResult> {
  const member = group.identify(request.memberId, request.groupInstanceId);
  if (typeof member === 'number') return group.syncResult(member);
  if (request.generationId !== group.generation) return group.syncResult(errorCodes.illegalGeneration);
  if (
    differs(request.protocolType, group.protocolType) ||
    differs(request.protocolName, group.protocolName)
  ) {
    return group.syncResult(errorCodes.inconsistentGroupProtocol);
  }
  if (
    request.assignments.reduce((sum, { assignment }) => sum + assignment.length, 0) > MAX_ASSIGNMENT_BYTES
  ) {
    return group.syncResult(errorCodes.unknownServerError);
  }
  if (group.state === 'PreparingRebalance') return group.syncResult(errorCodes.rebalanceInProgress);

  group.synced(member);
  if (group.state === 'Stable') {
    group.keepAlive(member);
    return group.syncResult(errorCodes.none, member);
  }
  const result = new Promise<SyncResult>((resolve) => {
    // A repeated request replaces the previous one.
    member.resolveSync?.(group.syncResult(errorCodes.rebalanceInProgress));
    member.resolveSync = resolve;
    member.cancelSession();
  });
  if (member.id === group.leaderId) {
    group.assign(new Map(request.assignments.map(({ memberId, assignment }) => [memberId, assignment])));
  }
  return result;
}

function differs(claimed: string | null, actual: string | null): boolean {
  return claimed !== null && claimed !== actual;
}
