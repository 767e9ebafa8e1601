import {
  boolean,
  errorCodes,
  int16,
  int32,
  int8,
  list,
  listOf,
  string,
} from 'busbar/internal/kafka-protocol';
import { defineApi, type RequestContext } from '../api.js';
import {
  brokerConfigEntries,
  type ConfigEntry,
  configEntries,
  resourceTypes,
} from '../topics/config-entries.js';
import { type Problem, rejection } from '../topics/problem.js';
import { topicNameProblem } from '../topics/topic.js';

export const describeConfigs = defineApi({
  key: 32,
  name: 'DescribeConfigs',
  versions: 'v0-4',
  flexible: 'v4+',
  behaviour:
    'All topic configurations with their values or Kafka’s defaults, and the broker settings that apply.',
  omissions: ['documentation texts', 'configurations of groups, client metrics and loggers'],
  request: {
    resources: list({
      resourceType: int8(),
      resourceName: string(),
      configurationKeys: listOf(string(), 'v0+', { nullable: 'v0+' }),
    }),
    includeSynonyms: boolean('v1+'),
    includeDocumentation: boolean('v3+'),
  },
  response: {
    throttleTimeMs: int32('v0+', { default: 0 }),
    results: list({
      errorCode: int16(),
      errorMessage: string('v0+', { nullable: 'v0+', default: null }),
      resourceType: int8(),
      resourceName: string(),
      configs: list({
        name: string(),
        value: string('v0+', { nullable: 'v0+' }),
        readOnly: boolean(),
        isDefault: boolean('v0'),
        configSource: int8('v1+'),
        isSensitive: boolean(),
        synonyms: list(
          {
            name: string(),
            value: string('v0+', { nullable: 'v0+' }),
            source: int8(),
          },
          'v1+',
        ),
        configType: int8('v3+'),
        documentation: string('v3+', { nullable: 'v3+', default: null }),
      }),
    }),
  },
  handle: ({ resources, includeSynonyms }, context) => ({
    results: resources.map(({ resourceType, resourceName, configurationKeys }) => {
      const found = describe(context, resourceType, resourceName);
      if (!Array.isArray(found)) return { resourceType, resourceName, ...found, configs: [] };
      const configs = found
        // An empty list means all, as null does.
        .filter(({ name }) => !configurationKeys?.length || configurationKeys.includes(name))
        .map((entry) => ({ ...entry, synonyms: includeSynonyms ? entry.synonyms : [] }));
      return { resourceType, resourceName, errorCode: errorCodes.none, configs };
    }),
  }),
  refuse: ({ resources }, errorCode) => ({
    results: resources.map((resource) => ({ ...resource, errorCode, configs: [] })),
  }),
});

function describe({ broker }: RequestContext, resourceType: number, name: string): ConfigEntry[] | Problem {
  if (resourceType === resourceTypes.topic) {
    const misnamed = topicNameProblem(name);
    if (misnamed) return misnamed;
    const topic = broker.topics.get(name);
    if (topic) return configEntries(topic.config);
    return rejection('unknownTopicOrPartition', `Topic '${name}' does not exist.`);
  }
  if (resourceType !== resourceTypes.broker) {
    return rejection(
      'invalidRequest',
      `The broker has no configurations of type ${resourceType}. It describes topics and itself.`,
    );
  }
  const own = String(broker.settings.brokerId);
  if (name === '' || name === own) return brokerConfigEntries(broker.settings);
  return rejection('invalidRequest', `Broker '${name}' does not exist. The only one is '${own}'.`);
}
