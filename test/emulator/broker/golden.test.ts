import { describe, expect, it } from 'vitest';
import { apis } from '../../../emulator/broker/apis/all.js';
import { Reader } from '../../../src/kafka-protocol/reader.js';
import { goldenRequests } from './golden/golden.js';
import { encodeRequest } from './wire-client.js';

const golden = goldenRequests();

describe('captured requests of kafkajs and @platformatic/kafka', () => {
  it('cover all APIs that the clients use', () => {
    expect(new Set(golden.map(({ api }) => api)).size).toBe(24);
    expect(new Set(golden.map(({ origin }) => origin)).size).toBe(2);
  });

  it.each(golden)('decode, and encode to the same bytes: $api v$version of $origin', ({ version, bytes }) => {
    const reader = new Reader(bytes);
    const key = reader.int16();
    expect(reader.int16()).toBe(version);
    const correlationId = reader.int32();
    const clientId = reader.string(reader.int16());
    const api = apis.get(key)!;
    if (api.isFlexible(version)) reader.skipTaggedFields();
    const request = api.requestCodec(version).read(reader);
    expect(reader.remaining).toBe(0);
    expect(encodeRequest(key, version, correlationId, request, clientId).toString('hex')).toBe(
      bytes.toString('hex'),
    );
  });

  it('decode to the operations that the client was called for', () => {
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
