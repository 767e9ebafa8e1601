// IncrementalAlterConfigs (44), versions 0-1. Sets, deletes, and (for lists) extends or shortens single configurations
// of a topic (KIP-339).
import { defineApi } from '../api.js';
import { boolean, int8, int16, int32, list, string } from '../protocol/fields.js';
import { errorCodes } from '../protocol/error-codes.js';
import { changeConfigs, malformed } from '../topics/change-configs.js';
import { isListConfig, topicConfigs } from '../topics/topic-config.js';
import type { Problem } from '../topics/problem.js';

const SET = 0;
const DELETE = 1;
const APPEND = 2;
const SUBTRACT = 3;

interface Operation {
  readonly name: string;
  readonly configOperation: number;
  readonly value: string | null;
}

export const incrementalAlterConfigs = defineApi({
  key: 44,
  name: 'IncrementalAlterConfigs',
  versions: 'v0-1',
  flexible: 'v1+',
  behaviour: 'Set, delete, append and subtract, validated; all of a topic’s changes or none.',
  omissions: ['changes to the broker’s configuration'],
  request: {
    resources: list({
      resourceType: int8(),
      resourceName: string(),
      configs: list({
        name: string(),
        configOperation: int8(),
        value: string('v0+', { nullable: 'v0+' }),
      }),
    }),
    validateOnly: boolean(),
  },
  response: {
    throttleTimeMs: int32('v0+', { default: 0 }),
    responses: list({
      errorCode: int16(),
      errorMessage: string('v0+', { nullable: 'v0+' }),
      resourceType: int8(),
      resourceName: string(),
    }),
  },
  handle: ({ resources, validateOnly }, { broker }) => ({
    responses: resources.map(({ resourceType, resourceName, configs }) =>
      changeConfigs(broker, {
        resourceType,
        resourceName,
        change: (current) => apply(current, configs),
        validateOnly,
      }),
    ),
  }),
  refuse: ({ resources }, errorCode) => ({
    responses: resources.map(({ resourceType, resourceName }) => ({
      resourceType,
      resourceName,
      errorCode,
      errorMessage: null,
    })),
  }),
});

function apply(current: ReadonlyMap<string, string>, operations: readonly Operation[]) {
  const problem = malformed(
    operations.map(({ name, value, configOperation }) => ({
      name,
      value,
      deletes: configOperation === DELETE,
    })),
  );
  if (problem) return problem;
  const invalid = (message: string): Problem => ({ errorCode: errorCodes.invalidConfig, message });
  const changed = new Map<string, string | null>(current);
  for (const { name, configOperation, value } of operations) {
    if (configOperation === SET) changed.set(name, value);
    else if (configOperation === DELETE) changed.delete(name);
    else if (configOperation !== APPEND && configOperation !== SUBTRACT) {
      return invalid(`Unknown config operation ${configOperation} for ${name}`);
    } else if (!isListConfig(name)) {
      return invalid(`Config value append is not allowed for config key: ${name}`);
    } else {
      const items = (changed.get(name) ?? topicConfigs[name]?.byDefault ?? '')
        .split(',')
        .filter((item) => item !== '');
      const named = (value ?? '').split(',');
      const kept = items.filter((item) => !named.includes(item));
      changed.set(name, (configOperation === APPEND ? [...kept, ...named] : kept).join(','));
    }
  }
  return changed;
}
