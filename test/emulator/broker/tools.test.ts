import { describe, expect, it } from 'vitest';
import { Broker } from '../../../emulator/broker/broker.js';
import { Writer } from '../../../src/kafka-protocol/writer.js';
import { batchOf } from './batches.js';
import { broker, Member, useBroker } from './group-members.js';
import { WireClient } from './wire-client.js';

useBroker();

describe('OffsetDelete', () => {
  const remove = (groupId: string, name = 'events') =>
    WireClient.to(broker).request(47, 0, { groupId, topics: [{ name, partitions: [{ partition: 0 }] }] });
  const deleted = (errorCode: number) => ({
    errorCode: 0,
    topics: [{ partitions: [{ partition: 0, errorCode }] }],
  });

  it('deletes the committed offset of a topic without subscribers', async () => {
    const member = new Member('member');
    await member.join({ metadata: subscriptionTo('other') });
    await member.sync();
    await member.commit(1);
    expect(await remove('group')).toMatchObject(deleted(0));
    expect(broker.inspect().groups[0]?.offsets).toEqual([]);
    expect(await remove('group', 'unknown')).toMatchObject(deleted(3));
  });

  it.each([
    ['of a topic that a member subscribes to', subscriptionTo('events')],
    ['of a group with a subscription that cannot be read', 'not a subscription'],
  ])('refuses an offset %s', async (_, metadata) => {
    const member = new Member('member');
    await member.join({ metadata });
    await member.sync();
    await member.commit(1);
    expect(await remove('group')).toMatchObject(deleted(86));
    expect(broker.inspect().groups[0]?.offsets).toMatchObject([{ committed: 1 }]);
  });

  it('refuses groups that are unknown, unnamed or not of consumers', async () => {
    await new Member('worker', { group: 'workers' }).join({ protocolType: 'connect' });
    for (const [group, errorCode] of [
      ['unknown', 69],
      ['', 24],
      ['workers', 68],
    ] as const)
      expect(await remove(group), group).toMatchObject({ errorCode, topics: [] });
  });
});

describe('ListGroups', () => {
  it.each([
    [[], 1],
    [['Classic'], 1],
    [['consumer'], 0],
  ])('lists the groups of the types %j', async (typesFilter, count) => {
    await new Member('member').join();
    const { groups } = await WireClient.to(broker).request(16, 5, { statesFilter: [], typesFilter });
    expect(groups).toHaveLength(count);
    for (const group of groups) expect(group).toMatchObject({ groupId: 'group', groupType: 'classic' });
  });
});

describe('DescribeLogDirs', () => {
  it('returns the bytes of the wanted partitions, and of the broker', async () => {
    broker.append('events', [{ value: 'one', partition: 0 }]);
    const { bytes } = broker.inspect().topics[0]!.partitions[0]!;
    const { maxTotalBytes } = broker.settings;
    const ask = async (topics: object[] | null) =>
      (await WireClient.to(broker).request(35, 4, { topics })).results as unknown;
    const directory = { totalBytes: maxTotalBytes, usableBytes: maxTotalBytes - bytes };
    const partitions = [
      { partition: 0, size: bytes, offsetLag: 0, isFuture: false },
      { partition: 1, size: 0, offsetLag: 0, isFuture: false },
    ];
    expect(await ask(null)).toMatchObject([{ ...directory, topics: [{ name: 'events', partitions }] }]);
    const second = [{ topic: 'events', partitions: [1, 7] }];
    expect(await ask(second)).toMatchObject([{ ...directory, topics: [{ partitions: [partitions[1]] }] }]);
    expect(await ask([{ topic: 'unknown', partitions: [0] }])).toMatchObject([{ topics: [] }]);
  });
});

describe('ElectLeaders', () => {
  it('needs no election for a partition, and finds none to elect', async () => {
    const client = WireClient.to(broker);
    const topics = [{ topic: 'events', partitions: [0, 2] }];
    expect(await client.request(43, 2, { electionType: 0, topics })).toMatchObject({
      errorCode: 0,
      topics: [{ partitions: [{ errorCode: 84 }, { errorCode: 3 }] }],
    });
    expect(await client.request(43, 2, { electionType: 0, topics: null })).toMatchObject({ topics: [] });
  });
});

describe('DescribeProducers', () => {
  it('returns the idempotent producers of a partition', async () => {
    const client = WireClient.to(broker);
    const records = [batchOf(['a', 'b'], { id: 7, epoch: 1, sequence: 0 })];
    const produced = [{ name: 'events', partitions: [{ partition: 0, records }] }];
    await client.request(0, 9, { transactionalId: null, acks: -1, timeoutMs: 1_000, topics: produced });
    const { topics } = await client.request(61, 0, { topics: [{ name: 'events', partitions: [0, 9] }] });
    const producer = { producerId: 7, producerEpoch: 1, lastSequence: 1, lastTimestamp: 1_700_000_000_000 };
    expect(topics[0].partitions).toMatchObject([
      { errorCode: 0, activeProducers: [{ ...producer, currentTransactionStart: -1 }] },
      { errorCode: 3, activeProducers: [] },
    ]);
  });
});

describe('DescribeConfigs', () => {
  it('says which resources have configurations', async () => {
    const ask = async (resourceType: number, resourceName: string) => {
      const resources = [{ resourceType, resourceName, configurationKeys: null }];
      return (await WireClient.to(broker).request(32, 4, { resources })).results[0] as unknown;
    };
    const group = 'The broker has no configurations of type 32. It describes topics and itself.';
    expect(await ask(32, '1')).toMatchObject({ errorCode: 42, errorMessage: group });
    const other = "Broker '2' does not exist. The only one is '1'.";
    expect(await ask(4, '2')).toMatchObject({ errorCode: 42, errorMessage: other });
  });
});

describe('ListConfigResources', () => {
  it('lists topics and the broker, or those of the wanted types', async () => {
    const ask = async (version: number, types: number[]) =>
      (await WireClient.to(broker).request(74, version, { resourceTypes: types })).resources as unknown;
    const topic = { resourceName: 'events', resourceType: 2 };
    const self = { resourceName: '1', resourceType: 4 };
    expect(await ask(1, [])).toEqual([topic, self]);
    expect(await ask(1, [4, 32])).toEqual([self]);
    expect(await ask(0, [])).toEqual([]);
  });
});

describe('a request for what the broker does not have', () => {
  const filter = { resourceType: 1, resourceName: null, principal: null, host: null, operation: 1 };
  const acl = { ...filter, resourceName: 'events', principal: 'User:a', host: '*', permissionType: 3 };
  const disabled = { errorCode: 54, errorMessage: expect.stringContaining('no access control') };

  it.each([
    ['quotas', 48, 1, { components: [], strict: false }, { errorCode: 0, entries: [] }],
    ['reassignments', 46, 0, { topics: null }, { errorCode: 0, topics: [] }],
    ['ACLs', 29, 3, { ...filter, permissionType: 1 }, disabled],
    ['new ACLs', 30, 3, { creations: [acl, acl] }, { results: [disabled, disabled] }],
    ['deleted ACLs', 31, 3, { filters: [{ ...filter, permissionType: 1 }] }, { results: [disabled] }],
  ])('gets its result at once: %s', async (_, key, version, body, response) => {
    expect(await WireClient.to(broker).request(key, version, body)).toMatchObject(response);
  });
});

describe('brokerId', () => {
  it('names the broker in metadata, coordinators, configurations and the cluster', async () => {
    const seventh = new Broker({ brokerId: 7, topics: [{ name: 'events' }] });
    const client = WireClient.to(seventh);
    expect(await client.request(3, 9, { topics: null })).toMatchObject({
      controllerId: 7,
      brokers: [{ nodeId: 7 }],
      topics: [{ partitions: [{ leaderId: 7, replicaNodes: [7], isrNodes: [7] }] }],
    });
    expect(await client.request(10, 3, { key: 'group', keyType: 0 })).toMatchObject({ nodeId: 7 });
    expect(await client.request(60, 0, {})).toMatchObject({ controllerId: 7, brokers: [{ brokerId: 7 }] });
    const resources = [
      {
        resourceType: 4,
        resourceName: '7',
        configurationKeys: ['broker.id', 'message.max.bytes', 'node.id'],
      },
    ];
    const { results } = await client.request(32, 4, { resources });
    expect(results).toMatchObject([
      { errorCode: 0, configs: [{ value: '7' }, { value: '1048588' }, { value: '7' }] },
    ]);
    await seventh.stop();
  });
});

/** Returns the subscription that members of the consumer protocol send. */
function subscriptionTo(topic: string): Buffer {
  const writer = new Writer();
  writer.int16(0);
  writer.int32(1);
  writer.int16(topic.length);
  writer.utf8(topic, topic.length);
  return Buffer.concat(writer.finish());
}
