import {
  boolean,
  errorCodes,
  int16,
  int32,
  int64,
  list,
  listOf,
  string,
  optionalList,
} from 'busbar/internal/kafka-protocol';
import { defineApi } from '../api.js';

export const describeLogDirs = defineApi({
  key: 35,
  name: 'DescribeLogDirs',
  versions: 'v1-4',
  flexible: 'v2+',
  behaviour: 'One directory named `/memory`. Its total size is `maxTotalBytes`.',
  request: {
    topics: list({ topic: string(), partitions: listOf(int32()) }, 'v0+', { nullable: 'v0+' }),
  },
  response: {
    throttleTimeMs: int32('v0+', { default: 0 }),
    errorCode: int16('v3+'),
    results: optionalList({
      errorCode: int16(),
      logDir: string(),
      topics: list({
        name: string(),
        partitions: list({
          partition: int32(),
          size: int64(),
          offsetLag: int64('v0+', { default: 0 }),
          isFuture: boolean('v0+', { default: false }),
        }),
      }),
      totalBytes: int64('v4+', { default: -1 }),
      usableBytes: int64('v4+', { default: -1 }),
    }),
  },
  handle({ topics }, { broker }) {
    const { maxTotalBytes } = broker.settings;
    const wanted = topics && new Map(topics.map(({ topic, partitions }) => [topic, new Set(partitions)]));
    const described = broker.topics.all().map(({ name, partitions }) => ({
      name,
      partitions: partitions.flatMap(({ bytes }, partition) =>
        wanted && !wanted.get(name)?.has(partition) ? [] : [{ partition, size: bytes }],
      ),
    }));
    const directory = {
      errorCode: errorCodes.none,
      logDir: '/memory',
      topics: described.filter(({ partitions }) => partitions.length > 0),
      totalBytes: maxTotalBytes,
      usableBytes: Math.max(0, maxTotalBytes - broker.topics.capacity.totalBytes),
    };
    return { errorCode: errorCodes.none, results: [directory] };
  },
});
