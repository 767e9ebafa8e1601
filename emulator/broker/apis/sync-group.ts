import { errorCodes, type Read, syncGroupTable } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import type { Group } from '../groups/group.js';
import type { SyncResult } from '../groups/member.js';

export const syncGroup = defineApi({
  ...syncGroupTable,
  behaviour:
    'Responds when the leader has assigned partitions. Removes a member that does not sync within the rebalance timeout.',
  handle(message, { broker, version }) {
    // Version 5 requires both (KIP-559).
    if (version >= 5 && (message.protocolType === null || message.protocolName === null)) {
      return { errorCode: errorCodes.inconsistentGroupProtocol };
    }
    if (message.groupId === '') return { errorCode: errorCodes.invalidGroupId };
    const group = broker.groups.get(message.groupId);
    return group ? sync(group, message) : { errorCode: errorCodes.unknownMemberId };
  },
});

/** The maximum size of all assignments, about the one in Kafka, which stores them in one record. */
const MAX_ASSIGNMENT_BYTES = 1_048_576;

/** Handles SyncGroup: every member gets its assignment when the leader has sent them. */
function sync(group: Group, request: Read<typeof syncGroupTable.request>): SyncResult | Promise<SyncResult> {
  const member = group.identify(request.memberId, request.groupInstanceId);
  if (typeof member === 'number') return { errorCode: member };
  if (request.generationId !== group.generation) return { errorCode: errorCodes.illegalGeneration };
  if (
    differs(request.protocolType, group.protocolType) ||
    differs(request.protocolName, group.protocolName)
  ) {
    return { errorCode: errorCodes.inconsistentGroupProtocol };
  }
  if (
    request.assignments.reduce((sum, { assignment }) => sum + assignment.length, 0) > MAX_ASSIGNMENT_BYTES
  ) {
    return { errorCode: errorCodes.unknownServerError };
  }
  if (group.state === 'PreparingRebalance') return { errorCode: errorCodes.rebalanceInProgress };

  group.synced(member);
  if (group.state === 'Stable') {
    group.keepAlive(member);
    return group.syncResult(member);
  }
  const result = new Promise<SyncResult>((resolve) => {
    // A repeated request replaces the previous one.
    member.resolveSync?.({ errorCode: errorCodes.rebalanceInProgress });
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
