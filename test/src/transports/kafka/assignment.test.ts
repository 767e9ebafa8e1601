import kafkajs from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../../src/base/clock.js';
import { brokerWithEvents, requested } from '../../../emulator/broker/topics-for-tests.js';
import { numbered, opened, range, values } from './opened.js';

describe('kafka(): assignments', () => {
  it('leaves the group when it lacks permission to read offsets', async () => {
    const broker = await brokerWithEvents();
    const fault = broker.faults.add({ on: 'OffsetFetch', error: 'GROUP_AUTHORIZATION_FAILED' });
    await expect(opened(broker)).rejects.toMatchObject({ code: 'not-authorized' });
    expect(broker.inspect().groups[0]!.members).toEqual([]);
    broker.faults.remove(fault);
    broker.append('events', numbered(3));
    const { collected } = await opened(broker);
    await collected.received(3);
  });

  it('consumes partitions that only the leader knows yet', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const members = [await opened(broker, { clientId: 'a' }), await opened(broker, { clientId: 'b' })];
    const admin = new kafkajs.Kafka({
      brokers: [broker.bootstrapServers],
      logLevel: kafkajs.logLevel.NOTHING,
    }).admin();
    await admin.connect();
    await admin.createPartitions({ topicPartitions: [{ topic: 'events', count: 6 }] });
    await admin.disconnect();
    // It hears of them as it joins; the leader looks before it assigns; the other one has last looked as it joined.
    members.push(await opened(broker, { clientId: 'c' }));
    broker.append(
      'events',
      range(0, 6).flatMap((partition) => numbered(1, partition, partition)),
    );
    const consumed = () => members.flatMap(({ collected }) => values(collected)).sort();
    await Promise.all(members.map(({ collected }) => collected.received(2)));
    expect(consumed()).toEqual(range(0, 6));
  });

  it('assigns nothing when it is stopped while joining', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const { collected, subscription } = await opened(broker, { clientId: 'one' });
    const syncing = broker.faults.hold({ on: 'SyncGroup', client: 'one', at: 'request' });
    const joining = opened(broker, { clientId: 'two' });
    await syncing.reached;
    const stopping = subscription.stop();
    syncing.release();
    await stopping;
    expect(subscription.status!()).toMatchObject({ connected: false, partitions: [] });
    broker.append('events', numbered(3));
    await (await joining).collected.received(3);
    expect(collected.records).toEqual([]);
  });
});

describe('kafka(): commits', () => {
  it('finds the new coordinator when one rejects a commit', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(5));
    const commitInterval = 60_000;
    const commits = dueEvery(commitInterval);
    const { collected, subscription } = await opened(broker, { commitInterval }, { clock: commits.clock });
    await collected.received(5);
    const found = requested(broker, 'FindCoordinator');
    broker.faults.add({ on: 'OffsetCommit', error: 'NOT_COORDINATOR', times: 1 });
    const second = broker.faults.hold({ on: 'OffsetCommit', at: 'request' });
    subscription.commit(collected.batches[0]!.partition, 5);
    // No second attempt of the consumer: it is due in a minute.
    commits.now();
    await found;
    await second.reached;
    second.release();
    await subscription.stop();
    expect(broker.inspect().groups[0]!.offsets[0]!.committed).toBe(5);
  });
});

/** Creates a clock whose calls with a certain delay happen on demand. */
function dueEvery(interval: number) {
  let due: (() => void) | undefined;
  const clock: Clock = {
    ...systemClock,
    schedule(delay, callback) {
      if (delay !== interval) return systemClock.schedule(delay, callback);
      due = callback;
      return () => undefined;
    },
  };
  return { clock, now: () => due?.() };
}
