// Heartbeat (12), versions 0-4. Keeps a member's session alive; after REBALANCE_IN_PROGRESS the member joins again.
import { defineApi } from '../api.js';
import { heartbeat as beat } from '../groups/membership.js';
import { errorCodes } from '../protocol/error-codes.js';
import { int16, int32, string } from '../protocol/fields.js';

export const heartbeat = defineApi({
  key: 12,
  name: 'Heartbeat',
  versions: 'v0-4',
  flexible: 'v4+',
  behaviour: 'Renews the session and reports a rebalance.',
  request: {
    groupId: string(),
    generationId: int32(),
    memberId: string(),
    groupInstanceId: string('v3+', { nullable: 'v3+' }),
  },
  response: {
    throttleTimeMs: int32('v1+', { default: 0 }),
    errorCode: int16(),
  },
  handle(message, { broker }) {
    if (message.groupId === '') return { errorCode: errorCodes.invalidGroupId };
    const group = broker.groups.get(message.groupId);
    return { errorCode: group ? beat(group, message) : errorCodes.unknownMemberId };
  },
});
