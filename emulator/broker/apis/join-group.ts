// JoinGroup (11), versions 0-9. The classic group protocol with static members (KIP-345), required member ids (KIP-394,
// version 4) and leaders that keep their assignment (KIP-814, version 9). The broker does not read protocol metadata,
// so eager and cooperative assignors both work.
import { defineApi } from '../api.js';
import { joinGroup as join, refusedJoin } from '../groups/join.js';
import type { JoinResult } from '../groups/member.js';
import { errorCodes } from '../protocol/error-codes.js';
import { boolean, bytes, int16, int32, list, string } from '../protocol/fields.js';

export const joinGroup = defineApi({
  key: 11,
  name: 'JoinGroup',
  versions: 'v0-9',
  flexible: 'v6+',
  behaviour:
    'The first member forms a group at once (initial rebalance delay 0); later ones start a rebalance. Refuses session timeouts outside 6 s to 30 min (configurable).',
  omissions: ['the KIP-848 group protocol (`group.protocol=consumer`)'],
  request: {
    groupId: string(),
    sessionTimeoutMs: int32(),
    rebalanceTimeoutMs: int32('v1+', { default: -1 }),
    memberId: string(),
    groupInstanceId: string('v5+', { nullable: 'v5+' }),
    protocolType: string(),
    protocols: list({
      name: string(),
      metadata: bytes(),
    }),
    reason: string('v8+', { nullable: 'v8+' }),
  },
  response: {
    throttleTimeMs: int32('v2+', { default: 0 }),
    errorCode: int16(),
    generationId: int32('v0+', { default: -1 }),
    protocolType: string('v7+', { nullable: 'v7+', default: null }),
    protocolName: string('v0+', { nullable: 'v7+' }),
    leader: string('v0+', { default: '' }),
    skipAssignment: boolean('v9+', { default: false }),
    memberId: string(),
    members: list(
      {
        memberId: string(),
        groupInstanceId: string('v5+', { nullable: 'v5+' }),
        metadata: bytes(),
      },
      'v0+',
      { default: [] },
    ),
  },
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
