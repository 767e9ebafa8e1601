// ListGroups (16), versions 0-4. Filters by state from version 4 (KIP-518).
import { errorCodes, int16, int32, list, listOf, string } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';

export const listGroups = defineApi({
  key: 16,
  name: 'ListGroups',
  versions: 'v0-4',
  flexible: 'v3+',
  behaviour: 'All groups, or those in the given states.',
  request: {
    statesFilter: listOf(string(), 'v4+'),
  },
  response: {
    throttleTimeMs: int32('v1+', { default: 0 }),
    errorCode: int16(),
    groups: list({ groupId: string(), protocolType: string(), groupState: string('v4+') }, 'v0+', {
      default: [],
    }),
  },
  handle({ statesFilter }, { broker }) {
    const states = new Set(statesFilter.map((state) => state.toLowerCase()));
    const groups = broker.groups
      .all()
      .filter(({ state }) => states.size === 0 || states.has(state.toLowerCase()))
      .map(({ id, protocolType, state }) => ({
        groupId: id,
        protocolType: protocolType ?? '',
        groupState: state,
      }));
    return { errorCode: errorCodes.none, groups };
  },
});
