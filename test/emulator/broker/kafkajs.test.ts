import {
  CompressionTypes,
  ConfigResourceTypes,
  type Consumer,
  Kafka,
  logLevel,
  Partitioners,
  type Producer,
} from 'kafkajs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EmbeddedBroker, startEmbeddedBroker } from '../../../emulator/broker/start.js';
import { LogRecorder } from './log-recorder.js';
import { ManualClock } from './manual-clock.js';

let broker: EmbeddedBroker;
let log: LogRecorder;
let kafka: Kafka;
const open: { disconnect(): Promise<void> }[] = [];

beforeEach(async () => {
  log = new LogRecorder();
  broker = await startEmbeddedBroker({ port: 0, topics: [{ name: 'events', partitions: 4 }], logger: log });
  kafka = new Kafka({ brokers: [broker.bootstrapServers], clientId: 'kafkajs', logLevel: logLevel.NOTHING });
});

afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.disconnect()));
  await broker.stop();
});

describe('kafkajs', () => {
  it('receives every record once, in order per partition, as it was produced', async () => {
    const producer = await producing();
    const sent = Array.from({ length: 2000 }, (_, index) => ({
      key: `key-${index % 50}`,
      value: `value-${index}`,
    }));
    for (let at = 0; at < sent.length; at += 400) {
      await producer.send({ topic: 'events', messages: sent.slice(at, at + 400) });
    }
    await producer.send({
      topic: 'events',
      messages: [
        { key: 'last', value: null, headers: { trace: 'abc' }, timestamp: '1700000000123', partition: 2 },
      ],
    });

    const received = await consume('readers', sent.length + 1);
    const valuesByKey = (all: readonly { key: string; value: string | null }[], key: string) =>
      all.filter((one) => one.key === key).map(({ value }) => value);
    for (let key = 0; key < 50; key += 1) {
      expect(valuesByKey(received, `key-${key}`)).toEqual(valuesByKey(sent, `key-${key}`));
    }
    expect(received.filter(({ key }) => key === 'last')).toEqual([
      { key: 'last', value: null, partition: 2, headers: { trace: 'abc' }, timestamp: '1700000000123' },
    ]);
    for (const partition of [0, 1, 2, 3]) {
      const offsets = broker.inspect().topics[0]!.partitions[partition]!;
      expect(received.filter((one) => one.partition === partition)).toHaveLength(offsets.endOffset);
    }
  });

  it('commits offsets and fetches them', async () => {
    const producer = await producing();
    await producer.send({
      topic: 'events',
      messages: [0, 1, 2, 3].map((partition) => ({ partition, value: 'x' })),
    });
    await consume('committers', 4);
    await Promise.all(open.splice(0).map((client) => client.disconnect()));
    const admin = await administering();
    const [fetched] = await admin.fetchOffsets({ groupId: 'committers', topics: ['events'] });
    expect(fetched?.partitions.map(({ offset }) => offset)).toEqual(['1', '1', '1', '1']);
    expect(
      broker.inspect().groups[0]?.offsets.every(({ committed, lag }) => committed === 1 && lag === 0),
    ).toBe(true);
  });

  it('shares partitions among group members, and reassigns those of one that leaves', async () => {
    const producer = await producing();
    const seen: Record<string, number[]> = { one: [], two: [] };
    const one = await consuming('shared', (partition) => seen.one!.push(partition));
    const two = await consuming('shared', (partition) => seen.two!.push(partition));
    await until(() => {
      const group = broker.inspect().groups[0];
      return group?.state === 'Stable' && group.members.length === 2;
    });
    await producer.send({
      topic: 'events',
      messages: [0, 1, 2, 3].map((partition) => ({ partition, value: 'x' })),
    });
    await until(() => seen.one!.length + seen.two!.length === 4);
    expect(seen.one).toHaveLength(2);
    expect([...seen.one!, ...seen.two!].sort()).toEqual([0, 1, 2, 3]);

    await two.disconnect();
    await until(() => broker.inspect().groups[0]?.members[0]?.assignment['events']?.length === 4);
    await producer.send({
      topic: 'events',
      messages: [0, 1, 2, 3].map((partition) => ({ partition, value: 'y' })),
    });
    await until(() => seen.one!.length === 6);
    await one.disconnect();
  });

  it('produces idempotently', async () => {
    const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
    open.push(producer);
    await producer.connect();
    for (let index = 0; index < 20; index += 1) {
      await producer.send({ topic: 'events', messages: [{ key: 'k', value: String(index) }] });
    }
    const received = await consume('idempotent', 20);
    expect(received.map(({ value }) => Number(value))).toEqual(
      Array.from({ length: 20 }, (_, index) => index),
    );
  });

  it('receives its gzip batches unchanged', async () => {
    const producer = await producing();
    const messages = Array.from({ length: 100 }, (_, index) => ({
      value: `${index}-`.repeat(50),
      partition: 1,
    }));
    await producer.send({ topic: 'events', compression: CompressionTypes.GZIP, messages });
    expect(broker.inspect().topics[0]!.partitions[1]!.bytes).toBeLessThan(3000);
    const received = await consume('gzip', 100);
    expect(received.map(({ value }) => value)).toEqual(messages.map(({ value }) => value));
  });

  it('receives records of a sink in the partitions of its own partitioner', async () => {
    const producer = await producing();
    const keys = Array.from({ length: 40 }, (_, index) => `meter-${index}`);
    const endOffsets = () => broker.inspect().topics[0]!.partitions.map(({ endOffset }) => endOffset);
    for (const key of keys) {
      const before = endOffsets();
      broker.append('events', [{ key, value: 'appended', headers: { by: 'sink' } }]);
      const [sent] = await producer.send({ topic: 'events', messages: [{ key, value: 'sent' }] });
      const grown = endOffsets().map((end, partition) => end - before[partition]!);
      expect(grown[sent!.partition]).toBe(2);
    }
    const received = await consume('both', 80);
    expect(
      received.filter(({ value }) => value === 'appended').every(({ headers }) => headers.by === 'sink'),
    ).toBe(true);
  });

  it('fails at once to begin a transaction, and the broker logs it', async () => {
    const producer = kafka.producer({
      transactionalId: 'payments',
      maxInFlightRequests: 1,
      idempotent: true,
    });
    open.push(producer);
    await producer.connect();
    await expect(producer.transaction()).rejects.toThrow(/Transactional ?Id|transactional id/i);
    expect(log.matching(/transactions are not supported/)).toHaveLength(1);
  });

  it('administers topics, partitions, configurations, records and groups', async () => {
    const admin = await administering();
    await admin.createTopics({
      topics: [{ topic: 'made', numPartitions: 2, configEntries: [{ name: 'retention.ms', value: '1000' }] }],
    });
    await expect(
      admin.createTopics({
        topics: [{ topic: 'bad', configEntries: [{ name: 'no.such.config', value: '1' }] }],
      }),
    ).rejects.toThrow();
    await admin.createPartitions({ topicPartitions: [{ topic: 'made', count: 3 }] });
    const { topics } = await admin.fetchTopicMetadata({ topics: ['made'] });
    expect(topics[0]?.partitions).toHaveLength(3);

    const described = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: ConfigResourceTypes.TOPIC, name: 'made', configNames: ['retention.ms'] }],
    });
    expect(described.resources[0]?.configEntries[0]).toMatchObject({
      configName: 'retention.ms',
      configValue: '1000',
    });
    await admin.alterConfigs({
      validateOnly: false,
      resources: [
        {
          type: ConfigResourceTypes.TOPIC,
          name: 'made',
          configEntries: [{ name: 'cleanup.policy', value: 'compact,delete' }],
        },
      ],
    });

    broker.append(
      'made',
      [0, 1, 2, 3, 4].map((n) => ({ partition: 0, value: String(n) })),
    );
    await admin.deleteTopicRecords({ topic: 'made', partitions: [{ partition: 0, offset: '3' }] });
    expect((await admin.fetchTopicOffsets('made'))[0]).toMatchObject({ partition: 0, low: '3', high: '5' });

    broker.append('events', [{ value: 'x' }]);
    await consume('old', 1);
    await open.pop()?.disconnect();
    expect((await admin.describeGroups(['old'])).groups[0]).toMatchObject({ groupId: 'old', state: 'Empty' });
    expect((await admin.listGroups()).groups.map(({ groupId }) => groupId)).toEqual(['old']);
    await admin.deleteGroups(['old']);
    await admin.deleteTopics({ topics: ['made'] });
    expect(await admin.listTopics()).toEqual(['events']);
    expect((await admin.describeCluster()).brokers).toHaveLength(1);
  });

  it('fetches offsets by time', async () => {
    for (const timestamp of [1000, 2000, 3000])
      broker.append('events', [{ partition: 0, value: 'x', timestamp }]);
    const admin = await administering();
    const offsets = await admin.fetchTopicOffsetsByTimestamp('events', 1500);
    expect(offsets.find(({ partition }) => partition === 0)?.offset).toBe('1');
  });

  it('consumes a record when it is produced, not at the end of a long poll', async () => {
    await broker.stop();
    // Time stands still, so that no long poll ends by itself.
    const clock = new ManualClock();
    broker = await startEmbeddedBroker({
      port: 0,
      topics: [{ name: 'events', partitions: 4 }],
      logger: log,
      clock,
    });
    kafka = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING });
    const seen: number[] = [];
    await consuming('prompt', (partition) => seen.push(partition));
    const partitions = Array.from({ length: 20 }, (_, index) => index % 4);
    for (const [index, partition] of partitions.entries()) {
      // The end of its session, and of its long poll.
      await until(() => clock.pending === 2 && broker.inspect().groups[0]?.state === 'Stable');
      broker.append('events', [{ partition, value: 'x' }]);
      await until(() => seen.length === index + 1);
    }
    expect(seen).toEqual(partitions);
  });
});

async function producing(): Promise<Producer> {
  const producer = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  open.push(producer);
  await producer.connect();
  return producer;
}

async function administering() {
  const admin = kafka.admin();
  open.push(admin);
  await admin.connect();
  return admin;
}

async function consuming(groupId: string, seen: (partition: number) => void): Promise<Consumer> {
  const consumer = kafka.consumer({ groupId, heartbeatInterval: 100, retry: { retries: 0 } });
  open.push(consumer);
  await consumer.connect();
  await consumer.subscribe({ topic: 'events', fromBeginning: true });
  await consumer.run({ eachMessage: async ({ partition }) => seen(partition) });
  return consumer;
}

/** Returns the first `count` records that a new group receives. */
async function consume(groupId: string, count: number) {
  const received: Received[] = [];
  const consumer = kafka.consumer({ groupId });
  open.push(consumer);
  await consumer.connect();
  await consumer.subscribe({ topic: 'events', fromBeginning: true });
  await new Promise<void>((resolve) => {
    void consumer.run({
      eachMessage: async ({ partition, message: { key, value, headers = {}, timestamp } }) => {
        received.push({
          key: key?.toString() ?? '',
          value: value?.toString() ?? null,
          partition,
          headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(text)])),
          timestamp,
        });
        if (received.length === count) resolve();
      },
    });
  });
  return received;
}

interface Received {
  readonly key: string;
  readonly value: string | null;
  readonly partition: number;
  readonly headers: Record<string, string>;
  readonly timestamp: string;
}

/** Waits for real clients; the test's time limit is the bound. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
