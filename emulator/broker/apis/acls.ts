import { int16, int32, int8, list, string, optionalList } from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';
import { rejection } from '../topics/problem.js';

const LITERAL = 3;
/** The error of Kafka without an authorizer. */
const DISABLED = rejection(
  'securityDisabled',
  'The embedded broker has no access control. Use Apache Kafka.',
);

const common = {
  versions: 'v1-3',
  flexible: 'v2+',
  behaviour: 'Returns SECURITY_DISABLED.',
} as const;

const filter = {
  resourceType: int8(),
  resourceName: string('v0+', { nullable: 'v0+' }),
  patternType: int8('v1+', { default: LITERAL }),
  principal: string('v0+', { nullable: 'v0+' }),
  host: string('v0+', { nullable: 'v0+' }),
  operation: int8(),
  permissionType: int8(),
};
const resource = {
  resourceType: int8(),
  resourceName: string(),
  patternType: int8('v1+', { default: LITERAL }),
};
const entry = {
  principal: string(),
  host: string(),
  operation: int8(),
  permissionType: int8(),
};
const error = {
  errorCode: int16(),
  errorMessage: string('v0+', { nullable: 'v0+', default: null }),
};
const throttle = { throttleTimeMs: int32('v0+', { default: 0 }) };

export const describeAcls = defineApi({
  ...common,
  key: 29,
  name: 'DescribeAcls',
  request: filter,
  response: {
    ...throttle,
    ...error,
    resources: optionalList({ ...resource, acls: list(entry) }),
  },
  handle: () => DISABLED,
});

export const createAcls = defineApi({
  ...common,
  key: 30,
  name: 'CreateAcls',
  request: { creations: list({ ...resource, ...entry }) },
  response: { ...throttle, results: list(error) },
  handle: ({ creations }) => ({ results: creations.map(() => DISABLED) }),
  refuse: ({ creations }, errorCode) => ({ results: creations.map(() => ({ errorCode })) }),
});

export const deleteAcls = defineApi({
  ...common,
  key: 31,
  name: 'DeleteAcls',
  request: { filters: list(filter) },
  response: {
    ...throttle,
    results: list({
      ...error,
      matchingAcls: optionalList({ ...error, ...resource, ...entry }),
    }),
  },
  handle: ({ filters }) => ({ results: filters.map(() => DISABLED) }),
  refuse: ({ filters }, errorCode) => ({ results: filters.map(() => ({ errorCode })) }),
});
