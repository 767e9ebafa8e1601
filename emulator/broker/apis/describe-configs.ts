// DescribeConfigs (32), versions 0-4. Topics with all of Kafka's topic configurations, and the few settings of this
// broker that have a name in Kafka. Documentation texts are not included.
import { defineApi, type RequestContext } from '../api.js';
import { type ErrorCode, errorCodes } from '../protocol/error-codes.js';
import { boolean, int8, int16, int32, list, listOf, string } from '../protocol/fields.js';
import { configEntries } from '../topics/config-entries.js';
import { brokerConfigEntries, resourceTypes } from '../topics/resources.js';
import { topicNameProblem } from '../topics/topics.js';

export const describeConfigs = defineApi({
  key: 32,
  name: 'DescribeConfigs',
  versions: 'v0-4',
  flexible: 'v4+',
  behaviour:
    'All topic configurations with their values or Kafka’s defaults; of the broker, what applies to it.',
  omissions: ['documentation texts', 'broker loggers'],
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
        // No names stand for all of them, as a null list does.
        .filter(({ name }) => !configurationKeys?.length || configurationKeys.includes(name))
        .map((entry) => ({ ...entry, synonyms: includeSynonyms ? entry.synonyms : [] }));
      return { resourceType, resourceName, errorCode: errorCodes.none, configs };
    }),
  }),
  refuse: ({ resources }, errorCode) => ({
    results: resources.map(({ resourceType, resourceName }) => ({
      resourceType,
      resourceName,
      errorCode,
      configs: [],
    })),
  }),
});

function describe(
  { broker }: RequestContext,
  resourceType: number,
  name: string,
): ReturnType<typeof configEntries> | { errorCode: ErrorCode; errorMessage: string } {
  if (resourceType === resourceTypes.topic) {
    const misnamed = topicNameProblem(name);
    if (misnamed !== undefined) return { errorCode: errorCodes.invalidTopic, errorMessage: misnamed };
    const topic = broker.topics.get(name);
    if (topic) return configEntries(topic.config);
    return { errorCode: errorCodes.unknownTopicOrPartition, errorMessage: `Topic '${name}' does not exist.` };
  }
  if (resourceType === resourceTypes.broker && (name === '' || name === String(broker.settings.nodeId))) {
    return brokerConfigEntries(broker.settings);
  }
  return {
    errorCode: errorCodes.invalidRequest,
    errorMessage: `There is no resource of type ${resourceType} named '${name}'; the broker is '${broker.settings.nodeId}'.`,
  };
}
