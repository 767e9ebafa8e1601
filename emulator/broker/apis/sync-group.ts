// SyncGroup (14), versions 0-5. The leader hands in the assignment, all members receive theirs.
import { defineApi } from '../api.js';
import { syncGroup as sync } from '../groups/sync.js';
import { errorCodes } from '../protocol/error-codes.js';
import { bytes, int16, int32, list, string } from '../protocol/fields.js';

const nothing = { protocolType: null, protocolName: null, assignment: Buffer.alloc(0) };

export const syncGroup = defineApi({
  key: 14,
  name: 'SyncGroup',
  versions: 'v0-5',
  flexible: 'v4+',
  behaviour:
    'Answered as soon as the leader has assigned. A member that never asks is removed after the rebalance timeout.',
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
    protocolType: string('v5+', { nullable: 'v5+' }),
    protocolName: string('v5+', { nullable: 'v5+' }),
    assignment: bytes(),
  },
  handle(message, { broker, version }) {
    // Version 5 is there to carry both (KIP-559).
    if (version >= 5 && (message.protocolType === null || message.protocolName === null)) {
      return { errorCode: errorCodes.inconsistentGroupProtocol, ...nothing };
    }
    if (message.groupId === '') return { errorCode: errorCodes.invalidGroupId, ...nothing };
    const group = broker.groups.get(message.groupId);
    return group ? sync(group, message) : { errorCode: errorCodes.unknownMemberId, ...nothing };
  },
  refuse: (_, errorCode) => ({ errorCode, ...nothing }),
});
