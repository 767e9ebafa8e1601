import { errorCodes, int16, int32, int8, listOf, string, optionalList } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import { resourceTypes } from '../topics/config-entries.js';

const CLIENT_METRICS = 16;

export const listConfigResources = defineApi({
  key: 74,
  name: 'ListConfigResources',
  versions: 'v0-1',
  flexible: 'v0+',
  behaviour: 'The topics and the broker.',
  omissions: ['configurations of groups, client metrics and loggers'],
  request: {
    resourceTypes: listOf(int8(), 'v1+'),
  },
  response: {
    throttleTimeMs: int32('v0+', { default: 0 }),
    errorCode: int16(),
    resources: optionalList({
      resourceName: string(),
      resourceType: int8('v1+', { default: CLIENT_METRICS }),
    }),
  },
  handle({ resourceTypes: wanted }, { broker, version }) {
    // Version 0 lists the subscriptions to client metrics (KIP-1142): the broker has none.
    if (version === 0) return { errorCode: errorCodes.none };
    const topics = broker.topics
      .all()
      .map(({ name }) => ({ resourceName: name, resourceType: resourceTypes.topic }));
    const self = { resourceName: String(broker.settings.brokerId), resourceType: resourceTypes.broker };
    return {
      errorCode: errorCodes.none,
      resources: [...topics, self].filter(
        ({ resourceType }) => wanted.length === 0 || wanted.includes(resourceType),
      ),
    };
  },
});
