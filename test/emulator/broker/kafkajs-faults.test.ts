import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { expect, it, onTestFinished } from 'vitest';
import { startBroker } from '../../../emulator/broker/index.js';
import { startEmbeddedBroker } from '../../../emulator/broker/start.js';
import { LogRecorder } from './log-recorder.js';

const topic = 'events';

async function served() {
  const broker = await startEmbeddedBroker({ port: 0, topics: [{ name: topic }], logger: new LogRecorder() });
  onTestFinished(() => broker.stop());
  const kafka = new Kafka({
    brokers: [broker.bootstrapServers],
    logLevel: logLevel.NOTHING,
    retry: { initialRetryTime: 1, maxRetryTime: 20 },
  });
  return { broker, kafka };
}

/** A consumer, and the values that it has handled. */
async function consuming(kafka: Kafka, options: { readonly commitEach?: boolean } = {}) {
  const consumer = kafka.consumer({ groupId: 'group', maxWaitTimeInMs: 50 });
  const values: string[] = [];
  let notify = (): void => undefined;
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    ...(options.commitEach && { autoCommitThreshold: 1 }),
    eachMessage: async ({ message }) => {
      values.push(String(message.value));
      notify();
    },
  });
  const received = (count: number) =>
    new Promise<void>((resolve) => {
      notify = () => values.length >= count && resolve();
      notify();
    });
  return { consumer, values, received };
}

it('loses and repeats no record of an idempotent producer when responses are lost', async () => {
  const { broker, kafka } = await served();
  for (const skip of [1, 3, 6]) broker.faults.add({ on: 'Produce', skip, times: 1, cut: 'answer' });
  const producer = kafka.producer({ idempotent: true, createPartitioner: Partitioners.DefaultPartitioner });
  await producer.connect();
  for (let index = 0; index < 9; index += 1) {
    await producer.send({ topic, messages: [{ value: String(index) }] });
  }
  await producer.disconnect();
  expect(broker.faults.list().map(({ applied }) => applied)).toEqual([1, 1, 1]);
  expect(broker.inspect().topics[0]?.partitions[0]?.endOffset).toBe(9);
});

it('finds a moved coordinator and continues', async () => {
  const { broker, kafka } = await served();
  for (const on of ['OffsetCommit', 'SyncGroup'])
    broker.faults.add({ on, error: 'NOT_COORDINATOR', times: 1 });
  const committed = new Promise<void>((resolve) => {
    broker.onCommit(() => broker.inspect().groups[0]?.offsets[0]?.committed === 2 && resolve());
  });
  broker.append(topic, [{ value: 'a' }, { value: 'b' }]);
  const { consumer } = await consuming(kafka);
  await committed;
  expect(broker.faults.list().map(({ applied }) => applied)).toEqual([1, 1]);
  await consumer.disconnect();
});

it.each([
  ['answer', 'comes once', ['b']],
  ['request', 'comes again', ['a', 'b']],
] as const)('a record whose commit is dropped at the %s %s', async (at, _what, expected) => {
  const { broker, kafka } = await served();
  const covers = { topic, partition: 0, offset: 0 };
  const held = broker.faults.hold({ on: 'OffsetCommit', group: 'group', covers, at });
  broker.append(topic, [{ value: 'a' }]);
  const first = await consuming(kafka, { commitEach: true });
  await held.reached;
  // The consumer has handled the record, and never learns of its commit.
  const gone = broker.faults.add({ on: 'OffsetCommit', cut: 'before' });
  held.release({ answer: 'drop' });
  broker.evict({ group: 'group' });
  await first.consumer.disconnect();
  broker.faults.remove(gone);

  broker.append(topic, [{ value: 'b' }]);
  const second = await consuming(kafka);
  await second.received(expected.length);
  expect(second.values).toEqual(expected);
  await second.consumer.disconnect();
});

it('starts again at the first record that is left, after a truncation', async () => {
  const { broker, kafka } = await served();
  broker.append(topic, [{ value: 'a' }]);
  const { consumer, values, received } = await consuming(kafka, { commitEach: true });
  await received(1);
  const held = broker.faults.hold({ on: 'Fetch', at: 'request' });
  await held.reached;
  for (const value of ['b', 'c']) broker.append(topic, [{ value }]);
  broker.truncate({ topic, before: 2 });
  held.release();
  await received(2);
  expect(values).toEqual(['a', 'c']);
  await consumer.disconnect();
});

it('shows the methods for faults on a public broker', async () => {
  const broker = await startBroker({ port: 0, seed: 7, logger: new LogRecorder() });
  onTestFinished(() => broker.stop());
  expect(broker.faults.add({ on: 'Fetch', delay: '1ms' })).toBe('fault-1');
  expect(broker.closeConnections()).toBe(0);
  expect(() => broker.evict({ group: 'group' })).toThrow(/It has no groups/);
  expect(() => broker.rebalance({ group: 'group' })).toThrow(/It has no groups/);
  expect(() => broker.truncate({ topic: 'events' })).toThrow(/no topic "events"/);
});

it('accepts each seed of a run', async () => {
  const broker = await startBroker({ port: 0, seed: -1, logger: new LogRecorder() });
  onTestFinished(() => broker.stop());
  expect(broker.faults.add({ on: 'Fetch', share: '5%', delay: '1ms' })).toBe('fault-1');
});
