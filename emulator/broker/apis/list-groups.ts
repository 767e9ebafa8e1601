import { errorCodes, int16, int32, listOf, string, optionalList } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';

/** Kafka's name for groups of the protocol before KIP-848. */
const TYPE = 'classic';

export const listGroups = defineApi({
  key: 16,
  name: 'ListGroups',
  versions: 'v0-5',
  flexible: 'v3+',
  behaviour: 'All groups, or those in the given states. Their type is `classic`.',
  request: {
    statesFilter: listOf(string(), 'v4+'),
    typesFilter: listOf(string(), 'v5+'),
  },
  response: {
    throttleTimeMs: int32('v1+', { default: 0 }),
    errorCode: int16(),
    groups: optionalList({
      groupId: string(),
      protocolType: string(),
      groupState: string('v4+'),
      groupType: string('v5+'),
    }),
  },
  handle({ statesFilter, typesFilter }, { broker }) {
    const groups = broker.groups
      .all()
      .filter(({ state }) => passes(state, statesFilter) && passes(TYPE, typesFilter))
      .map(({ id, protocolType, state }) => ({
        groupId: id,
        protocolType: protocolType ?? '',
        groupState: state,
        groupType: TYPE,
      }));
    return { errorCode: errorCodes.none, groups };
  },
});

/** An empty filter lets all pass. */
function passes(value: string, filter: readonly string[]): boolean {
  return filter.length === 0 || filter.some((wanted) => wanted.toLowerCase() === value.toLowerCase());
}
