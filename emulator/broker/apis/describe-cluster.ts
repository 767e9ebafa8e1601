import {
  boolean,
  errorCodes,
  int16,
  int32,
  int8,
  list,
  string,
  NOT_REQUESTED,
} from 'busbar/internal/kafka-protocol';
import { defineApi, type RequestContext } from '../api.js';
import { authorizedOperations } from '../authorized-operations.js';

const BROKERS = 1;

export const describeCluster = defineApi({
  key: 60,
  name: 'DescribeCluster',
  versions: 'v0-2',
  flexible: 'v0+',
  behaviour: 'The one broker, which is its own controller.',
  omissions: ['controllers as endpoints'],
  request: {
    includeClusterAuthorizedOperations: boolean(),
    endpointType: int8('v1+', { default: BROKERS }),
    includeFencedBrokers: boolean('v2+'),
  },
  response: {
    throttleTimeMs: int32('v0+', { default: 0 }),
    errorCode: int16(),
    errorMessage: string('v0+', { nullable: 'v0+', default: null }),
    endpointType: int8('v1+', { default: BROKERS }),
    clusterId: string(),
    controllerId: int32(),
    brokers: list({
      brokerId: int32(),
      host: string(),
      port: int32(),
      rack: string('v0+', { nullable: 'v0+', default: null }),
      isFenced: boolean('v2+', { default: false }),
    }),
    clusterAuthorizedOperations: int32('v0+', { default: NOT_REQUESTED }),
  },
  handle({ endpointType, includeClusterAuthorizedOperations }, context) {
    if (endpointType === BROKERS) {
      return {
        ...describe(context),
        errorCode: errorCodes.none,
        clusterAuthorizedOperations: authorizedOperations('cluster', includeClusterAuthorizedOperations),
      };
    }
    return { ...describe(context), errorCode: errorCodes.invalidRequest, endpointType };
  },
  refuse: (_, errorCode, context) => ({ ...describe(context), errorCode }),
});

function describe({ broker: { settings }, connection }: RequestContext) {
  const { clusterId, brokerId } = settings;
  return { clusterId, controllerId: brokerId, brokers: [{ brokerId, ...connection.advertised }] };
}
