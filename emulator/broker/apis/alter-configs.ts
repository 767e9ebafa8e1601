// AlterConfigs (33), versions 0-2. Replaces all configurations of a topic; those not named return to their defaults.
import { defineApi } from '../api.js';
import { boolean, int8, int16, int32, list, string } from '../protocol/fields.js';
import { changeConfigs, malformed } from '../topics/change-configs.js';

export const alterConfigs = defineApi({
  key: 33,
  name: 'AlterConfigs',
  versions: 'v0-2',
  flexible: 'v2+',
  behaviour: 'Replaces a topic’s configurations after validating names and values.',
  omissions: ['changes to the broker’s configuration'],
  request: {
    resources: list({
      resourceType: int8(),
      resourceName: string(),
      configs: list({
        name: string(),
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
        change: () => malformed(configs) ?? new Map(configs.map(({ name, value }) => [name, value])),
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
