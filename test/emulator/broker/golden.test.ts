import { describe, expect, it } from 'vitest';
import { apis } from '../../../emulator/broker/apis/all.js';
import { Reader } from '../../../emulator/broker/protocol/reader.js';
import { goldenRequests } from './golden/golden.js';
import { encodeRequest } from './wire-client.js';

const golden = goldenRequests();

describe('requests of clients that no one here wrote', () => {
  it('are there for nearly every API, in both encodings', () => {
    const covered = new Set(golden.map(({ api }) => api));
    const missing = [...apis.values()].map(({ name }) => name).filter((name) => !covered.has(name));
    expect(missing).toEqual(['OffsetForLeaderEpoch', 'IncrementalAlterConfigs', 'DescribeCluster']);
    expect(new Set(golden.map(({ origin }) => origin)).size).toBe(2);
  });

  it.each(golden)(
    'decode, and encode to the very bytes that were sent: $api v$version of $origin',
    ({ version, bytes }) => {
      const reader = new Reader(bytes);
      const key = reader.int16();
      expect(reader.int16()).toBe(version);
      const correlationId = reader.int32();
      const clientId = reader.string(reader.int16()) ?? '';
      const api = apis.get(key)!;
      if (api.isFlexible(version)) reader.skipTaggedFields();
      const request = api.requestCodec(version).read(reader);
      expect(reader.remaining).toBe(0);
      expect(encodeRequest(key, version, correlationId, request, clientId).toString('hex')).toBe(
        bytes.toString('hex'),
      );
    },
  );

  it('mean what the client was asked to do', () => {
    const read = (name: string, origin: RegExp) => {
      const {
        bytes,
        version,
        api: apiName,
      } = golden.find((one) => one.api === name && origin.test(one.origin))!;
      const api = [...apis.values()].find((one) => one.name === apiName)!;
      const reader = new Reader(bytes, { position: 8 });
      reader.string(reader.int16());
      if (api.isFlexible(version)) reader.skipTaggedFields();
      return api.requestCodec(version).read(reader);
    };
    expect(read('CreateTopics', /kafkajs/)).toMatchObject({
      topics: [{ name: 'made', numPartitions: 1, configs: [{ name: 'retention.ms', value: '1000' }] }],
    });
    expect(read('CreateTopics', /platformatic/)).toMatchObject({
      topics: [{ name: 'made', numPartitions: 1, replicationFactor: 1 }],
    });
    expect(read('JoinGroup', /kafkajs/)).toMatchObject({ groupId: 'group', protocolType: 'consumer' });
    expect(read('JoinGroup', /platformatic/)).toMatchObject({ groupId: 'group', sessionTimeoutMs: 10_000 });
    expect(read('Fetch', /kafkajs/)).toMatchObject({ maxWaitMs: 50, topics: [{ topic: 'events' }] });
    expect(read('Produce', /platformatic/)).toMatchObject({ acks: -1, topics: [{ name: 'events' }] });
    expect(read('DeleteRecords', /kafkajs/)).toMatchObject({
      topics: [{ name: 'events', partitions: [{ partition: 0, offset: 0 }] }],
    });
  });
});
