import {
  boolean,
  errorCodes,
  float64,
  int16,
  int32,
  int8,
  list,
  string,
} from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';

export const describeClientQuotas = defineApi({
  key: 48,
  name: 'DescribeClientQuotas',
  versions: 'v0-1',
  flexible: 'v1+',
  behaviour: 'An empty list: the broker has no quotas.',
  request: {
    components: list({
      entityType: string(),
      matchType: int8(),
      match: string('v0+', { nullable: 'v0+' }),
    }),
    strict: boolean(),
  },
  response: {
    throttleTimeMs: int32('v0+', { default: 0 }),
    errorCode: int16(),
    errorMessage: string('v0+', { nullable: 'v0+', default: null }),
    entries: list(
      {
        entity: list({ entityType: string(), entityName: string('v0+', { nullable: 'v0+' }) }),
        values: list({ key: string(), value: float64() }),
      },
      'v0+',
      { nullable: 'v0+' },
    ),
  },
  handle: () => ({ errorCode: errorCodes.none, entries: [] }),
  refuse: (_, errorCode) => ({ errorCode, entries: null }),
});
