import { errorCodes, heartbeatTable } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';

export const heartbeat = defineApi({
  ...heartbeatTable,
  behaviour: 'Renews the session and reports a rebalance.',
  handle(message, { broker }) {
    if (message.groupId === '') return { errorCode: errorCodes.invalidGroupId };
    const group = broker.groups.get(message.groupId);
    if (!group) return { errorCode: errorCodes.unknownMemberId };
    const member = group.identify(message.memberId, message.groupInstanceId);
    if (typeof member === 'number') return { errorCode: member };
    if (message.generationId !== group.generation) return { errorCode: errorCodes.illegalGeneration };
    group.keepAlive(member);
    const isRebalancing = group.state === 'PreparingRebalance';
    return { errorCode: isRebalancing ? errorCodes.rebalanceInProgress : errorCodes.none };
  },
});
