import { errorCodes, heartbeatTable } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import { heartbeat as beat } from '../groups/membership.js';

export const heartbeat = defineApi({
  ...heartbeatTable,
  behaviour: 'Renews the session and reports a rebalance.',
  handle(message, { broker }) {
    if (message.groupId === '') return { errorCode: errorCodes.invalidGroupId };
    const group = broker.groups.get(message.groupId);
    return { errorCode: group ? beat(group, message) : errorCodes.unknownMemberId };
  },
});
