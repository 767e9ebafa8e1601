import {
  Admin,
  Consumer,
  type Message,
  MessagesStreamModes,
  ProduceAcks,
  Producer,
  stringDeserializers,
  stringSerializers,
} from '@platformatic/kafka';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EmbeddedBroker, startEmbeddedBroker } from '../../../emulator/broker/start.js';
import { LogRecorder } from './log-recorder.js';

let broker: EmbeddedBroker;
let log: LogRecorder;
const open: { close(): Promise<unknown> | undefined }[] = [];

beforeEach(async () => {
  log = new LogRecorder();
  broker = await startEmbeddedBroker({ port: 0, topics: [{ name: 'events', partitions: 3 }], logger: log });
});

afterEach(async () => {
  for (const client of open.splice(0).reverse()) await client.close();
  await broker.stop();
});

describe('@platformatic/kafka, with flexible versions only,', () => {
  it('receives its own records in order per partition, and commits', async () => {
    const producer = new Producer({
      clientId: 'producer',
      bootstrapBrokers: [broker.bootstrapServers],
      serializers: stringSerializers,
    });
    open.push(producer);
    const sent = Array.from({ length: 300 }, (_, index) => ({
      topic: 'events',
      key: `key-${index % 7}`,
      value: `value-${index}`,
      headers: { trace: String(index) },
    }));
    await producer.send({ messages: sent, acks: ProduceAcks.ALL });

    const received = await receive('readers', sent.length);
    for (let key = 0; key < 7; key += 1) {
      const values = (all: readonly { key: string; value: string }[]) =>
        all.filter((one) => one.key === `key-${key}`).map(({ value }) => value);
      expect(values(received)).toEqual(values(sent));
    }
    expect(received.every(({ headers, value }) => value === `value-${headers.get('trace')}`)).toBe(true);
    // This client commits the offset of the last message, not of the next one.
    const lastOffsets = broker.inspect().topics[0]!.partitions.map(({ endOffset }) => BigInt(endOffset - 1));
    const consumer = new Consumer({
      clientId: 'c',
      groupId: 'readers',
      bootstrapBrokers: [broker.bootstrapServers],
    });
    open.push(consumer);
    const committed = await consumer.listCommittedOffsets({
      topics: [{ topic: 'events', partitions: [0, 1, 2] }],
    });
    expect(committed.get('events')).toEqual(lastOffsets);
    expect(log.matching(/refused|closed|failed/)).toEqual([]);
  });

  it('produces idempotently', async () => {
    const producer = new Producer({
      clientId: 'idempotent',
      bootstrapBrokers: [broker.bootstrapServers],
      serializers: stringSerializers,
      idempotent: true,
    });
    open.push(producer);
    for (let index = 0; index < 10; index += 1) {
      await producer.send({
        messages: [{ topic: 'events', key: 'k', value: String(index) }],
        acks: ProduceAcks.ALL,
      });
    }
    const received = await receive('readers', 10);
    expect(received.map(({ value }) => Number(value))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('receives records of a sink', async () => {
    broker.append('events', [{ key: 'meter-1', value: 'reading', headers: { by: 'sink' } }]);
    const [message] = await receive('readers', 1);
    expect(message).toMatchObject({ key: 'meter-1', value: 'reading' });
    expect(message?.headers.get('by')).toBe('sink');
  });

  it('administers topics and groups', async () => {
    const admin = new Admin({ clientId: 'admin', bootstrapBrokers: [broker.bootstrapServers] });
    open.push(admin);
    const [created] = await admin.createTopics({ topics: ['made'], partitions: 2, replicas: 1 });
    expect(created).toMatchObject({ name: 'made', partitions: 2, replicas: 1 });
    expect((await admin.listTopics()).sort()).toEqual(['events', 'made']);
    await expect(admin.createTopics({ topics: ['made'] })).rejects.toThrow();
    await admin.deleteTopics({ topics: ['made'] });
    expect(await admin.listTopics()).toEqual(['events']);

    broker.append('events', [{ value: 'x' }]);
    await receive('readers', 1);
    const groups = await admin.describeGroups({ groups: ['readers'], includeAuthorizedOperations: true });
    expect(groups.get('readers')).toMatchObject({
      id: 'readers',
      protocolType: 'consumer',
      authorizedOperations: 328,
    });
  });
});

async function receive(groupId: string, count: number): Promise<Message<string, string, string, string>[]> {
  const consumer = new Consumer({
    clientId: 'consumer',
    groupId,
    bootstrapBrokers: [broker.bootstrapServers],
    deserializers: stringDeserializers,
    maxWaitTime: 200,
  });
  open.push(consumer);
  const stream = await consumer.consume({
    topics: ['events'],
    mode: MessagesStreamModes.EARLIEST,
    autocommit: false,
  });
  open.push(stream);
  const received: Message<string, string, string, string>[] = [];
  for await (const message of stream) {
    received.push(message);
    await message.commit();
    if (received.length === count) break;
  }
  return received;
}
