// Static members (KIP-345), required member ids (KIP-394), and leaders that keep their assignment (KIP-814). The broker
// does not read protocol metadata, so eager and cooperative assignors both work.
import { errorCodes, joinGroupTable } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import { joinGroup as join, refusedJoin } from '../groups/join.js';
import type { JoinResult } from '../groups/member.js';

export const joinGroup = defineApi({
  ...joinGroupTable,
  behaviour:
    'The first member forms a group at once (initial rebalance delay 0); later ones start a rebalance. Refuses session timeouts outside 6 s to 30 min (configurable).',
  omissions: ['the KIP-848 group protocol (`group.protocol=consumer`)'],
  async handle(message, { broker, connection, clientId, version }) {
    const { groupId, sessionTimeoutMs } = message;
    const { minSessionTimeoutMs, maxSessionTimeoutMs } = broker.groups.options;
    const refuse = (errorCode: JoinResult['errorCode']) =>
      encodable(refusedJoin(message, errorCode), version);
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
