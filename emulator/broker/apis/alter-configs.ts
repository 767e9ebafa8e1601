import {
  boolean,
  errorCodes,
  type Fields,
  int16,
  int32,
  int8,
  list,
  string,
} from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import type { BrokerCore } from '../core.js';
import { resourceTypes } from '../topics/config-entries.js';
import { type Problem, rejection } from '../topics/problem.js';
import { topicNameProblem } from '../topics/topic.js';
import { configProblem, isListConfig, topicConfigs } from '../topics/topic-config.js';

const SET = 0;
const DELETE = 1;
const APPEND = 2;
const SUBTRACT = 3;

interface Change {
  readonly name: string;
  readonly value: string | null;
  /** Default SET, the only operation of AlterConfigs. */
  readonly configOperation?: number;
}

interface Resource {
  readonly resourceType: number;
  readonly resourceName: string;
}

interface Alteration {
  readonly resources: readonly (Resource & { readonly configs: readonly Change[] })[];
  readonly validateOnly: boolean;
}

const omissions = ['changes to the broker’s configuration'];
const requestWith = <C extends Fields>(configs: C) => ({
  resources: list({ resourceType: int8(), resourceName: string(), configs: list(configs) }),
  validateOnly: boolean(),
});
const configValue = string('v0+', { nullable: 'v0+' });
const response = {
  throttleTimeMs: int32('v0+', { default: 0 }),
  responses: list({
    errorCode: int16('v0+', { default: errorCodes.none }),
    errorMessage: string('v0+', { nullable: 'v0+', default: null }),
    resourceType: int8(),
    resourceName: string(),
  }),
};

export const alterConfigs = defineApi({
  key: 33,
  name: 'AlterConfigs',
  versions: 'v0-2',
  flexible: 'v2+',
  behaviour: 'Replaces a topic’s configurations after validating names and values.',
  omissions,
  request: requestWith({ name: string(), value: configValue }),
  response,
  handle: (alteration, { broker }) => alter(broker, alteration, () => new Map()),
  refuse,
});

export const incrementalAlterConfigs = defineApi({
  key: 44,
  name: 'IncrementalAlterConfigs',
  versions: 'v0-1',
  flexible: 'v1+',
  behaviour: 'Validates set, delete, append and subtract; applies all changes of a topic or none.',
  omissions,
  request: requestWith({ name: string(), configOperation: int8(), value: configValue }),
  response,
  handle: (alteration, { broker }) => alter(broker, alteration, (current) => new Map(current)),
  refuse,
});

/** Applies all changes of a topic to the configurations that `startingFrom` returns, or none of them. */
function alter(
  { topics }: BrokerCore,
  { resources, validateOnly }: Alteration,
  startingFrom: (current: ReadonlyMap<string, string>) => Map<string, string>,
) {
  const problemOf = ({ resourceType, resourceName, configs }: Alteration['resources'][number]) => {
    if (resourceType !== resourceTypes.topic) {
      return rejection(
        'invalidRequest',
        'Only the configuration of topics can be changed; that of the broker is fixed.',
      );
    }
    const misnamed = topicNameProblem(resourceName);
    if (misnamed) return misnamed;
    const topic = topics.get(resourceName);
    if (!topic) return rejection('unknownTopicOrPartition', `The topic '${resourceName}' does not exist.`);
    const changed = startingFrom(topic.config);
    const problem = malformed(configs) ?? configs.map((one) => apply(changed, one)).find((found) => found);
    if (!problem && !validateOnly) topic.config = changed;
    return problem;
  };
  return {
    responses: resources.map((resource) => ({ ...named(resource), ...problemOf(resource) })),
  };
}

/** Returns the first problem that does not depend on the definitions of configurations. */
function malformed(changes: readonly Change[]): Problem | undefined {
  if (new Set(changes.map(({ name }) => name)).size < changes.length) {
    return rejection('invalidRequest', 'Error due to duplicate config keys');
  }
  const empty = changes.find((change) => change.value === null && change.configOperation !== DELETE);
  return empty && rejection('invalidRequest', `Null value not supported for: ${empty.name}`);
}

function apply(configs: Map<string, string>, change: Change): Problem | undefined {
  const { name, configOperation = SET } = change;
  if (configOperation === DELETE) {
    configs.delete(name);
    return undefined;
  }
  let value = change.value ?? '';
  if (configOperation === APPEND || configOperation === SUBTRACT) {
    if (!isListConfig(name))
      return rejection('invalidConfig', `Config value append is not allowed for config key: ${name}`);
    const items = (configs.get(name) ?? topicConfigs[name]?.byDefault ?? '').split(',').filter(Boolean);
    const changed = value.split(',');
    const kept = items.filter((item) => !changed.includes(item));
    value = (configOperation === APPEND ? [...kept, ...changed] : kept).join(',');
  } else if (configOperation !== SET) {
    return rejection('invalidConfig', `Unknown config operation ${configOperation} for ${name}`);
  }
  configs.set(name, value);
  return configProblem(name, value);
}

function refuse({ resources }: { readonly resources: readonly Resource[] }, errorCode: number) {
  return { responses: resources.map((resource) => ({ ...named(resource), errorCode })) };
}

function named({ resourceType, resourceName }: Resource): Resource {
  return { resourceType, resourceName };
}
