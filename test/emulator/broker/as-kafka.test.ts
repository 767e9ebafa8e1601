import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Broker } from '../../../emulator/broker/broker.js';
import { batchLayout } from '../../../src/kafka-protocol/record-batch.js';
import { batchOf } from './batches.js';
import { type AnyResponse, WireClient } from './wire-client.js';

// Differences from Apache Kafka that `npm run test:kafka` has found; these tests need no Kafka.

let broker: Broker;
let client: WireClient;

beforeEach(() => {
  broker = new Broker({ topics: [{ name: 't', partitions: 2 }] });
  client = WireClient.to(broker);
});
afterEach(() => broker.stop());

describe('the broker, like Apache Kafka,', () => {
  it('refuses a client with an invalid software name', async () => {
    for (const [name, version] of [
      ['', '1'],
      ['a b', '1'],
      ['a', '1/2'],
      ['a', '1_2'],
    ]) {
      const software = { clientSoftwareName: name, clientSoftwareVersion: version };
      expect((await client.request(18, 3, software)).errorCode).toBe(42);
    }
  });

  it('returns all operations of a topic, a group and the cluster as authorized', async () => {
    const notAskedFor = -0x8000_0000;
    for (const [isAsked, cluster, topic, group] of [
      [false, notAskedFor, notAskedFor, notAskedFor],
      [true, 8096, 3576, 328],
    ] as const) {
      const byName = ['t', 'unknown', 'a b'].map((name) => ({ name, topicId: 'AAAAAAAAAAAAAAAAAAAAAA' }));
      const ask = {
        allowAutoTopicCreation: false,
        includeClusterAuthorizedOperations: isAsked,
        includeTopicAuthorizedOperations: isAsked,
      };
      for (const version of [8, 9, 10, 11, 12]) {
        const response = await client.request(3, version, { topics: byName, ...ask });
        const ofTopic = { topicAuthorizedOperations: topic };
        expect(response.topics).toMatchObject([ofTopic, ofTopic, ofTopic]);
        if (version <= 10) expect(response.clusterAuthorizedOperations).toBe(cluster);
      }
      const unknown = [{ name: null, topicId: 'AAAAAAAAAAAAAAAAAAAAZg' }];
      const byId = await client.request(3, 12, { topics: unknown, ...ask });
      expect(byId.topics).toMatchObject([{ topicAuthorizedOperations: notAskedFor }]);
      for (const version of [0, 1]) {
        const described = { includeClusterAuthorizedOperations: isAsked };
        expect(await client.request(60, version, { ...described, endpointType: 1 })).toMatchObject({
          clusterAuthorizedOperations: cluster,
        });
      }
      await join({ groupInstanceId: 'i', memberId: '' }, 9);
      for (const version of [3, 4, 5]) {
        const body = { groups: ['g', 'unknown'], includeAuthorizedOperations: isAsked };
        expect((await client.request(15, version, body)).groups).toMatchObject([
          { groupState: 'CompletingRebalance', authorizedOperations: group },
          { groupState: 'Dead', authorizedOperations: group },
        ]);
      }
    }
  });

  it('refuses half a producer identity and an empty transactional id', async () => {
    const ask = async (changes: object): Promise<number> => {
      const whole = { transactionalId: null, transactionTimeoutMs: 1, producerId: -1, producerEpoch: -1 };
      const response = await client.request(22, 4, { ...whole, ...changes });
      return Number(response.errorCode);
    };
    expect(await ask({ producerId: 7 })).toBe(42);
    expect(await ask({ producerEpoch: 7 })).toBe(42);
    expect(await ask({ transactionalId: '' })).toBe(42);
    expect(await ask({ producerId: 7, producerEpoch: 0 })).toBe(0);
  });

  it('validates configurations first, then the replication factor, then partitions', async () => {
    const create = async (changes: object): Promise<AnyResponse> => {
      const topic = { name: 'new', numPartitions: 1, replicationFactor: 1, assignments: [], configs: [] };
      const body = { topics: [{ ...topic, ...changes }], timeoutMs: 1, validateOnly: true };
      return (await client.request(19, 7, body)).topics[0];
    };
    const configs = [{ name: 'no.such', value: '1' }];
    expect(await create({ numPartitions: 0, replicationFactor: 5, configs })).toMatchObject({
      errorCode: 40,
    });
    expect(await create({ numPartitions: 0, replicationFactor: 0 })).toMatchObject({ errorCode: 38 });
    expect(await create({ numPartitions: 0 })).toMatchObject({ errorCode: 37 });
    expect((await create({})).topicId).not.toMatch(/^A+$/);
  });

  it('refuses a topic that a request extends or deletes twice, in one result', async () => {
    const extended = { name: 't', count: 3, assignments: null };
    const extend = { topics: [extended, { ...extended, count: 4 }], timeoutMs: 1, validateOnly: false };
    expect((await client.request(37, 3, extend)).results).toMatchObject([{ name: 't', errorCode: 42 }]);
    const deletion = { topics: [], topicNames: ['t', 't'], timeoutMs: 1 };
    expect((await client.request(20, 5, deletion)).responses).toMatchObject([{ name: 't', errorCode: 42 }]);
    expect(broker.inspect().topics).toMatchObject([{ name: 't', partitions: [{}, {}] }]);
  });

  it('describes a repeated topic once, and refuses a repeated partition in ListOffsets', async () => {
    const topic = { name: 't', topicId: 'AAAAAAAAAAAAAAAAAAAAAA' };
    expect((await client.request(3, 12, { topics: [topic, topic] })).topics).toHaveLength(1);
    const partition = { partition: 0, currentLeaderEpoch: -1, timestamp: -1 };
    const listed = await client.request(2, 7, {
      replicaId: -1,
      isolationLevel: 0,
      topics: [{ name: 't', partitions: [partition, partition] }],
    });
    expect(listed.topics[0].partitions[0].errorCode).toBe(42);
  });

  it('distinguishes malformed config changes (42), bad ones (40) and bad topics (17)', async () => {
    const change = async (configs: object[], resourceName = 't'): Promise<number> => {
      const body = { resources: [{ resourceType: 2, resourceName, configs }], validateOnly: false };
      return Number((await client.request(44, 1, body)).responses[0].errorCode);
    };
    const set = { name: 'retention.ms', configOperation: 0, value: '1' };
    expect(await change([set, set])).toBe(42);
    expect(await change([{ ...set, value: null }])).toBe(42);
    expect(await change([{ ...set, value: 'abc' }])).toBe(40);
    expect(await change([set], 'a b')).toBe(17);
    const asked = { resourceType: 2, resourceName: 'a b', configurationKeys: null };
    expect((await client.request(32, 4, { resources: [asked] })).results[0].errorCode).toBe(17);
    const described = await client.request(32, 4, {
      resources: [{ ...asked, resourceName: 't', configurationKeys: [] }],
    });
    expect(described.results[0].configs.length).toBeGreaterThan(20);
  });

  it('ignores an incomplete batch after a complete one', async () => {
    const response = await produce(Buffer.concat([batchOf(['a']), Buffer.alloc(5)]));
    expect(response).toMatchObject({ errorCode: 0, baseOffset: 0 });
    expect(broker.inspect().topics[0]?.partitions[0]?.bytes).toBe(batchOf(['a']).length);
  });

  it('returns the offset and time of a repeated batch', async () => {
    const batch = batchOf(['a'], { id: 1, epoch: 0, sequence: 0 });
    await produce(Buffer.from(batch));
    expect(await produce(Buffer.from(batch))).toMatchObject({
      errorCode: 0,
      baseOffset: 0,
      logAppendTimeMs: Number(batch.readBigInt64BE(batchLayout.maxTimestamp)),
    });
    await produce(batchOf(['a'], { id: 1, epoch: 1, sequence: 0 }));
    expect(await produce(batchOf(['a'], { id: 1, epoch: -1, sequence: 0 }))).toMatchObject({ errorCode: 47 });
  });

  it('finds no time before the log start offset', async () => {
    for (const timestamp of [1000, 2000]) await produce(batchOf([{ value: 'a', timestamp }]));
    await client.request(21, 2, {
      topics: [{ name: 't', partitions: [{ partition: 0, offset: 1 }] }],
      timeoutMs: 1,
    });
    const listed = await client.request(2, 7, {
      replicaId: -1,
      isolationLevel: 0,
      topics: [{ name: 't', partitions: [{ partition: 0, currentLeaderEpoch: -1, timestamp: 1000 }] }],
    });
    expect(listed.topics[0].partitions[0]).toMatchObject({ offset: 1, timestamp: 2000 });
  });

  it('requires a protocol in SyncGroup v5 that the member’s old self supports, too', async () => {
    const { memberId } = await join({ memberId: '' }, 3);
    const sync = { groupId: 'g', memberId, generationId: 1, groupInstanceId: null, assignments: [] };
    const untyped = { ...sync, protocolType: null, protocolName: null };
    expect((await client.request(14, 5, untyped)).errorCode).toBe(23);
    expect((await client.request(14, 4, sync)).errorCode).toBe(0);
    expect((await join({ memberId, protocols: [protocol('other', 'x')] }, 3)).errorCode).toBe(23);
  });

  it('does not rebalance when a static member returns with another subscription', async () => {
    const i = { groupInstanceId: 'i', memberId: '' };
    const { memberId } = await join(i, 9);
    const sync = { groupId: 'g', memberId, generationId: 1, groupInstanceId: 'i', assignments: [] };
    await client.request(14, 5, { ...sync, protocolType: 'consumer', protocolName: 'range' });
    expect(await join({ ...i, protocols: [protocol('range', 'another')] }, 9)).toMatchObject({
      errorCode: 0,
      generationId: 1,
      skipAssignment: true,
    });
  });

  it('returns an error per member that leaves an unknown group', async () => {
    const members = [{ memberId: 'm', groupInstanceId: null, reason: null }];
    expect(await client.request(13, 5, { groupId: 'none', members })).toMatchObject({
      errorCode: 0,
      members: [{ memberId: 'm', errorCode: 25 }],
    });
    expect((await client.request(42, 2, { groupNames: ['none', 'none'] })).results).toHaveLength(1);
  });
});

async function produce(records: Buffer): Promise<AnyResponse> {
  const topics = [{ name: 't', partitions: [{ index: 0, records }] }];
  const response = await client.request(0, 9, { transactionalId: null, acks: -1, timeoutMs: 1, topics });
  return response.topics[0].partitions[0];
}

function join(changes: object, version: number): Promise<AnyResponse> {
  return client.request(11, version, {
    ...{ groupId: 'g', sessionTimeoutMs: 30_000, rebalanceTimeoutMs: 30_000, protocolType: 'consumer' },
    ...{ protocols: [protocol('range', 'one')], groupInstanceId: null, reason: null },
    ...changes,
  });
}

function protocol(name: string, metadata: string) {
  return { name, metadata: Buffer.from(metadata) };
}
