import { errorCodes, syncGroupTable } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import { syncGroup as sync } from '../groups/sync.js';

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
