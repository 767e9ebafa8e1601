import { Kafka, logLevel, Partitioners } from 'kafkajs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { brokerWithEvents } from '../../../emulator/broker/topics-for-tests.js';
import { opened, range, values } from './opened.js';

/** A real Kafka where `npm run test:kafka` has one, else an embedded broker for each test. */
const real = process.env['KAFKA_BROKERS'];

describe('kafka(): a static member of a group', () => {
  it.each([
    ['leader', 'pod-0', 'eager'],
    ['follower', 'pod-1', 'eager'],
    ['cooperative leader', 'pod-0', 'cooperative'],
    ['cooperative follower', 'pod-1', 'cooperative'],
  ] as const)(
    'keeps its partitions over a restart as the %s, without a rebalance',
    async (_, name, rebalance) => {
      const { member, send } = await newGroup(4, rebalance);
      const leader = await member('pod-0');
      const follower = await member('pod-1');
      await send(range(0, 4));
      await Promise.all([leader.collected.received(2), follower.collected.received(2)]);
      const [first, other] = name === 'pod-0' ? [leader, follower] : [follower, leader];
      const rebalanced = other.collected.revoked.length;
      for (const { partition, records } of first.collected.batches)
        first.subscription.commit(partition, records.at(-1)!.offset + 1);
      await first.subscription.stop();
      const second = await member(name);
      await send(range(4, 8));
      await Promise.all([second.collected.received(2), other.collected.received(4)]);
      const all = [first, second, other].flatMap(({ collected }) => values(collected));
      expect(all.sort()).toEqual(range(0, 8));
      expect(other.collected.revoked).toHaveLength(rebalanced);
    },
  );

  it('ends when another process joins under its name', async () => {
    const { member, send } = await newGroup(1);
    const first = await member('pod-0');
    const second = await member('pod-0');
    await expect(first.collected.received(1)).rejects.toMatchObject({
      code: 'group-mismatch',
      message: expect.stringMatching(/FENCED_INSTANCE_ID.*Give each process its own\.$/) as string,
    });
    await send([0]);
    await second.collected.received(1);
  });
});

let groups = 0;

/** A group of its own that reads a topic with that many partitions. `send` sends one number to each partition. */
async function newGroup(partitions: number, rebalance: 'eager' | 'cooperative' = 'eager') {
  groups += 1;
  const bootstrapServers = real ?? (await brokerWithEvents()).bootstrapServers;
  const topic = `static-${process.pid}-${groups}`;
  const client = new Kafka({ brokers: [bootstrapServers], logLevel: logLevel.NOTHING });
  const admin = client.admin();
  const producer = client.producer({ createPartitioner: Partitioners.DefaultPartitioner });
  onTestFinished(async () => {
    await Promise.all([admin.disconnect(), producer.disconnect()]);
  });
  await Promise.all([admin.connect(), producer.connect()]);
  await admin.createTopics({ topics: [{ topic, numPartitions: partitions }], waitForLeaders: true });
  return {
    member: (groupInstanceId: string) =>
      opened(
        { bootstrapServers },
        { groupInstanceId, rebalance, groupId: topic, topics: [topic], createDeadLetterTopics: true },
      ),
    send: (numbers: readonly number[]) =>
      producer.send({
        topic,
        messages: numbers.map((value, partition) => ({
          partition,
          key: `key-${value}`,
          value: String(value),
        })),
      }),
  };
}
