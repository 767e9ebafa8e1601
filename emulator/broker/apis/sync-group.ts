// SyncGroup (14), versions 0-5. The leader sends the assignments, and each member receives its own.
import { defineApi } from '../api.js';
import { syncGroup as sync } from '../groups/sync.js';
import { errorCodes } from '../protocol/error-codes.js';
import { bytes, int16, int32, list, NO_BYTES, string } from '../protocol/fields.js';

export const syncGroup = defineApi({
  key: 14,
  name: 'SyncGroup',
  versions: 'v0-5',
  flexible: 'v4+',
  behaviour:
    'Responds when the leader has assigned partitions. Removes a member that does not sync within the rebalance timeout.',
  request: {
    groupId: string(),
    generationId: int32(),
    memberId: string(),
    groupInstanceId: string('v3+', { nullable: 'v3+' }),
    protocolType: string('v5+', { nullable: 'v5+' }),
    protocolName: string('v5+', { nullable: 'v5+' }),
    assignments: list({
      memberId: string(),
      assignment: bytes(),
    }),
  },
  response: {
    throttleTimeMs: int32('v1+', { default: 0 }),
    errorCode: int16(),
    protocolType: string('v5+', { nullable: 'v5+', default: null }),
    protocolName: string('v5+', { nullable: 'v5+', default: null }),
    assignment: bytes('v0+', { default: NO_BYTES }),
  },
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
