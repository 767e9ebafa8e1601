import kafkajs from 'kafkajs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Clock } from '../../../../src/base/clock.js';
import type { GroupMember, GroupMembership, GroupOptions } from '../../../../src/transports/kafka/client.js';
import { kafkajsClient } from '../../../../src/transports/kafka/index.js';
import { brokerWithEvents, type EventsBroker, requested } from '../../../emulator/broker/topics-for-tests.js';
import { steadyClock } from '../../../steady-clock.js';
import { logLines } from '../../log-lines.js';
import { numbered, opened, range, values } from './opened.js';

describe('kafka(): a member of a group', () => {
  it.each([
    ['joins again', 'JoinGroup'],
    ['leaves', 'LeaveGroup'],
  ])('lets handlers end before it %s', async (_, api) => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const events: string[] = [];
    const released = new Promise<void>((resolve) => {
      const member: Partial<GroupMember> = {
        release: async () => {
          events.push('release');
          await new Promise((soon) => setImmediate(soon));
          events.push('released');
        },
      };
      void joined(broker, member).then(async (membership) => {
        broker.onRequest(({ apiName }) => {
          if (apiName !== api) return;
          events.push('request');
          resolve();
        });
        if (api === 'JoinGroup') rebalance(broker);
        else await membership.leave();
      });
    });
    await released;
    expect(events).toEqual(['release', 'released', 'request']);
  });

  it('abandons handlers that do not end in time, and logs it', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const logger = logLines();
    const within = options.rebalanceTimeout - options.heartbeatInterval - 1_000;
    let end: () => void = () => undefined;
    const clock: Clock = {
      ...steadyClock,
      schedule(delay, due) {
        if (delay !== within + 500) return steadyClock.schedule(delay, due);
        end = due;
        return () => undefined;
      },
    };
    const granted: number[] = [];
    await joined(
      broker,
      {
        release(how) {
          granted.push(how.within);
          setImmediate(() => end());
          return new Promise(() => undefined);
        },
      },
      { clock, logger },
    );
    const again = requested(broker, 'JoinGroup');
    rebalance(broker);
    await again;
    expect(granted).toEqual([within]);
    expect(logger.lines.filter((line) => line.startsWith('warn'))).toEqual([
      'warn: handlers did not end before the rebalance {"group":"readers"}',
    ]);
  });

  it('receives a refused batch again, without another fetch', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(3));
    const offered: number[] = [];
    const twice = new Promise<void>((resolve) => {
      void joined(broker, {
        batch: ({ from, records }) => {
          offered.push(from, records.length);
          if (offered.length === 4) resolve();
          return offered.length > 2;
        },
      });
    });
    await twice;
    expect(offered).toEqual([0, 3, 0, 3]);
  });

  it('commits in the generation in which it works', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const offsets = [{ topic: 'events', partition: 0, offset: 0 }];
    const membership = await joined(broker);
    await membership.commit(offsets);
    await membership.leave();
    await expect(membership.commit(offsets)).rejects.toMatchObject({ type: 'UNKNOWN_MEMBER_ID' });
  });

  it('joins again when a topic has new partitions, if it leads the group', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    let look: () => void = () => undefined;
    const clock: Clock = {
      ...steadyClock,
      schedule(delay, due) {
        if (delay !== 300_000) return steadyClock.schedule(delay, due);
        look = due;
        return () => undefined;
      },
    };
    const { collected } = await opened(broker, {}, { clock });
    await addPartitions(broker, 3);
    const joining = requested(broker, 'JoinGroup');
    look();
    await joining;
    broker.append(
      'events',
      range(0, 3).flatMap((partition) => numbered(1, partition, partition)),
    );
    await collected.received(3);
    expect(values(collected).sort()).toEqual([0, 1, 2]);
  });

  it('reads what was sent to new partitions before it learns of them', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const options = { fromBeginning: false };
    const { subscription } = await opened(broker, options);
    await subscription.stop();
    await addPartitions(broker, 2);
    broker.append('events', numbered(3, 0, 1));
    const { collected } = await opened(broker, options);
    await collected.received(3);
    expect(values(collected)).toEqual([0, 1, 2]);
  });

  it('shares the partitions with a consumer of kafkajs', async () => {
    const broker = await brokerWithEvents({ partitions: 4 });
    const theirs: number[] = [];
    const consumer = clientOf(broker).consumer({ groupId: 'readers', heartbeatInterval: 100 });
    onTestFinished(() => consumer.disconnect());
    await consumer.connect();
    await consumer.subscribe({ topic: 'events', fromBeginning: true });
    let all: () => void = () => undefined;
    const received = new Promise<void>((resolve) => {
      all = resolve;
    });
    await consumer.run({
      eachMessage: ({ message }) => {
        if (theirs.push(Number(message.value)) === 2) all();
        return Promise.resolve();
      },
    });
    const { collected } = await opened(broker);
    broker.append(
      'events',
      range(0, 4).flatMap((partition) => numbered(1, partition, partition)),
    );
    await Promise.all([received, collected.received(2)]);
    expect([...theirs, ...values(collected)].sort()).toEqual(range(0, 4));
  });
});

const options: GroupOptions = {
  groupId: 'readers',
  topics: ['events'],
  fromBeginning: true,
  rebalance: 'eager',
  sessionTimeout: 30_000,
  rebalanceTimeout: 60_000,
  heartbeatInterval: 100,
  maxWait: 50,
  maxBytesPerPartition: 1_000,
};

const idleMember: GroupMember = {
  assigned: () => undefined,
  began: () => undefined,
  batch: () => true,
  release: () => Promise.resolve(),
  fetched: () => undefined,
  interrupted: () => undefined,
  restored: () => undefined,
  failed: () => undefined,
};

/** A member that has joined, with these callbacks. */
async function joined(
  broker: EventsBroker,
  member: Partial<GroupMember> = {},
  { clock = steadyClock, logger = logLines() } = {},
): Promise<GroupMembership> {
  const connection = await kafkajsClient(clientOf(broker)).connect({ clock, logger });
  const membership = await connection.join(options, { ...idleMember, ...member });
  onTestFinished(async () => {
    await membership.leave();
    await connection.close();
  });
  return membership;
}

/** Has the broker announce one rebalance. */
function rebalance(broker: EventsBroker): void {
  broker.faults.add({ on: 'Heartbeat', error: 'REBALANCE_IN_PROGRESS', times: 1 });
}

function clientOf({ bootstrapServers }: EventsBroker) {
  return new kafkajs.Kafka({ brokers: [bootstrapServers], logLevel: kafkajs.logLevel.NOTHING });
}

/** Raises the number of partitions of `events`. */
async function addPartitions(broker: EventsBroker, count: number): Promise<void> {
  const admin = clientOf(broker).admin();
  await admin.connect();
  await admin.createPartitions({ topicPartitions: [{ topic: 'events', count }] });
  await admin.disconnect();
}
