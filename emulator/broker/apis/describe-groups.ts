import {
  boolean,
  bytes,
  errorCodes,
  int16,
  int32,
  list,
  listOf,
  NO_BYTES,
  string,
  NOT_REQUESTED,
} from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import { authorizedOperations } from '../authorized-operations.js';
import type { Group } from '../groups/group.js';

export const describeGroups = defineApi({
  key: 15,
  name: 'DescribeGroups',
  versions: 'v0-5',
  flexible: 'v5+',
  behaviour: 'State, protocol, members and assignments. An unknown group is Dead.',
  request: {
    groups: listOf(string()),
    includeAuthorizedOperations: boolean('v3+'),
  },
  response: {
    throttleTimeMs: int32('v1+', { default: 0 }),
    groups: list({
      errorCode: int16(),
      groupId: string(),
      groupState: string(),
      protocolType: string(),
      protocolData: string(),
      members: list({
        memberId: string(),
        groupInstanceId: string('v4+', { nullable: 'v4+' }),
        clientId: string(),
        clientHost: string(),
        memberMetadata: bytes(),
        memberAssignment: bytes(),
      }),
      authorizedOperations: int32('v3+', { default: NOT_REQUESTED }),
    }),
  },
  handle: ({ groups, includeAuthorizedOperations }, { broker }) => ({
    groups: groups.map((groupId) => {
      const group = broker.groups.get(groupId);
      return {
        ...(group ? describe(group) : { ...unknown(groupId, 'Dead'), errorCode: errorCodes.none }),
        authorizedOperations: authorizedOperations('group', includeAuthorizedOperations),
      };
    }),
  }),
  refuse: ({ groups }, errorCode) => ({
    groups: groups.map((groupId) => ({ ...unknown(groupId, ''), errorCode })),
  }),
});

function describe(group: Group) {
  const stable = group.state === 'Stable';
  return {
    errorCode: errorCodes.none,
    groupId: group.id,
    groupState: group.state,
    protocolType: group.protocolType ?? '',
    protocolData: (stable ? group.protocolName : null) ?? '',
    members: [...group.members.values()].map((member) => ({
      memberId: member.id,
      groupInstanceId: member.groupInstanceId,
      clientId: member.clientId,
      clientHost: `/${member.clientHost}`,
      // Metadata and assignments are valid only in a stable group.
      memberMetadata:
        (stable && member.protocols.find(({ name }) => name === group.protocolName)?.metadata) || NO_BYTES,
      memberAssignment: stable ? member.assignment : NO_BYTES,
    })),
  };
}

function unknown(groupId: string, groupState: string) {
  return { groupId, groupState, protocolType: '', protocolData: '', members: [] };
}
