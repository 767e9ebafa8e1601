import { Kafka, logLevel } from 'kafkajs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Clock, systemClock } from '../../../../src/base/clock.js';
import type { Logger } from '../../../../src/base/logger.js';
import { kafka, kafkajsClient } from '../../../../src/transports/kafka/index.js';
import { brokerWithEvents, type EventsBroker, requested } from '../../../emulator/broker/topics-for-tests.js';
import { logLines } from '../../log-lines.js';
import { steadyClock, withDelay } from '../../../steady-clock.js';
import { collector } from '../collector.js';
import { numbered, opened, range, values } from './opened.js';

/** Reports an outage at once, not when it has lasted for three seconds. */
const impatient = withDelay(steadyClock, 3_000, 0);

describe('kafka(): hazards of kafkajs', () => {
  it.each([
    ['advertised', '127.0.0.1'],
    ['other', 'localhost'],
  ])('leaves no timer on an idle connection to the %s address (kafkajs#1751)', async (_, host) => {
    const broker = await brokerWithEvents();
    const heartbeats = requests(broker, 'Heartbeat');
    const fetches = requests(broker, 'Fetch');
    let disconnectAdmin: () => void = () => undefined;
    const clock: Clock = {
      ...steadyClock,
      schedule(delay, due) {
        if (delay !== 60_000) return steadyClock.schedule(delay, due);
        disconnectAdmin = due;
        return () => undefined;
      },
    };
    const brokers = [`${host}:${broker.port}`];
    const { subscription } = await opened(broker, { brokers }, { clock });
    disconnectAdmin();
    await Promise.all([heartbeats.reach(2), fetches.reach(2)]);
    let fired = 0;
    const { setTimeout } = globalThis;
    // kafkajs sets the timer with a delay far in the past.
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((due: () => void, delay: number) =>
      setTimeout(() => {
        if (delay < 0) fired++;
        due();
      }, delay)) as typeof setTimeout);
    await Promise.all([heartbeats.reach(heartbeats.count + 3), fetches.reach(fetches.count + 3)]);
    expect(fired).toBe(0);
    vi.restoreAllMocks();
    await subscription.stop();
  });

  it('keeps the membership while a handler outlasts the session (kafkajs#130)', async () => {
    const broker = await brokerWithEvents();
    broker.append('events', numbered(10));
    const joins = requests(broker, 'JoinGroup');
    const heartbeats = requests(broker, 'Heartbeat');
    const { collected, subscription } = await opened(
      broker,
      { sessionTimeout: 600 },
      { receiver: { room: 4 } },
    );
    const { partition } = await collected.refusal();
    const asked = joins.count;
    // Eight times 100 ms, while nothing is taken or committed.
    await heartbeats.reach(heartbeats.count + 8);
    collected.makeRoom(100);
    collected.resume(partition);
    await collected.received(10);
    subscription.commit(partition, 10);
    await subscription.stop();
    expect(joins.count).toBe(asked);
    expect(committed(broker)).toBe(10);
    expect(values(collected)).toEqual(range(0, 10));
  });

  it('keeps the membership while a drain outlasts the session', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(5));
    const logger = logLines();
    const options = { sessionTimeout: 600, rebalanceTimeout: 600_000, commitInterval: 60_000 };
    const { collected, subscription } = await opened(broker, options, { logger });
    const [first] = await collected.received(5);
    const heartbeats = requests(broker, 'Heartbeat');
    let isDraining = false;
    collected.revoke = async (partitions) => {
      isDraining = true;
      await heartbeats.reach(heartbeats.count + 8);
      subscription.commit(partitions[0]!, 5);
      isDraining = false;
    };
    const { collected: second } = await opened(broker, options);
    expect(isDraining).toBe(false);
    // One of the two has the partition now, and none of them gets a record again.
    broker.append('events', numbered(1, 5));
    await Promise.race([second.received(1), collected.received(6)]);
    expect([...values(collected), ...values(second)]).toEqual(range(0, 6));
    expect(first!.partition).toBe(0);
    expect(logger.lines.filter((line) => line.startsWith('warn'))).toEqual([]);
  });

  it('fetches a paused partition after a rebalance (kafkajs#1599)', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(400));
    const small = { maxBytesPerPartition: 2_000 };
    const { collected } = await opened(broker, small, { receiver: { room: 3 } });
    await collected.refusal();
    const { collected: second, subscription } = await opened(broker, small, { receiver: { room: 0 } });
    await subscription.stop();
    expect(second.records).toEqual([]);
    // No records are redelivered: all are committed.
    const { partition } = await collected.refusal();
    collected.makeRoom(1_000);
    collected.resume(partition);
    expect((await collected.received(403)).length).toBe(403);
    expect(values(collected)).toEqual([0, 1, 2, ...range(0, 400)]);
  });

  it('drops waiting records and commits nothing after an eviction', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(5));
    const logger = logLines();
    const options = { commitInterval: 60_000, sessionTimeout: 600 };
    const { collected, subscription } = await opened(broker, options, { logger });
    await collected.received(5);
    const commits = requests(broker, 'OffsetCommit');
    collected.revoke = async (partitions) => subscription.commit(partitions[0]!, 5);
    broker.faults.add({ on: 'Heartbeat', error: 'UNKNOWN_MEMBER_ID', times: 1 });
    await collected.received(10);
    expect(values(collected)).toEqual([...range(0, 5), ...range(0, 5)]);
    expect(commits.count).toBe(0);
    expect(logger.lines.filter((line) => line.startsWith('warn'))).toEqual([
      expect.stringContaining('group session timed out {"group":"readers"}'),
    ]);
  });

  it('commits the starting offsets of a new group', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(5));
    const { collected, subscription } = await opened(broker, { fromBeginning: false });
    await subscription.stop();
    expect(committed(broker)).toBe(5);
    broker.append('events', numbered(3, 5));
    const next = await opened(broker, { fromBeginning: false });
    await next.collected.received(3);
    expect([...values(collected), ...values(next.collected)]).toEqual([5, 6, 7]);
  });

  it('reports an outage, and continues where it was (kafkajs#1513)', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(5));
    const lost = logThat('kafka connection lost');
    const { collected, subscription } = await opened(broker, {}, { clock: impatient, logger: lost.logger });
    await collected.received(5);
    expect(subscription.status!()).toMatchObject({
      connected: true,
      lastHeard: expect.any(Number) as number,
      partitions: [
        { topic: 'events', partition: 0, committed: 0, position: 5, highWatermark: 5, waiting: 0 },
      ],
    });
    const heal = cut(broker);
    await lost.happened;
    expect(subscription.status!()).toMatchObject({
      connected: false,
      interruption: { since: expect.any(Number) as number, reason: expect.any(String) as string },
    });
    const restored = lost.next('kafka connection restored');
    heal();
    await restored;
    broker.append('events', numbered(5, 5));
    await collected.received(10);
    expect(subscription.status!().connected).toBe(true);
    expect(subscription.status!().interruption).toBeUndefined();
    expect(values(collected)).toEqual(range(0, 10));
  });

  it('stays stopped when it is stopped during recovery', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const lost = logThat('kafka connection lost');
    const { collected, subscription } = await opened(broker, {}, { logger: lost.logger });
    const heal = cut(broker);
    await lost.happened;
    // It has begun to restart, but has not joined yet.
    const recovering = broker.faults.hold({ on: 'FindCoordinator', at: 'request' });
    heal();
    await recovering.reached;
    const stopping = subscription.stop();
    recovering.release();
    await stopping;
    broker.append('events', numbered(5));
    const next = await opened(broker);
    await next.collected.received(5);
    expect(collected.records).toEqual([]);
    expect(broker.inspect().groups[0]!.members).toHaveLength(1);
  });

  it('leaves at once while the group waits for another member', async () => {
    const broker = await brokerWithEvents({ partitions: 2 });
    const options = { rebalanceTimeout: 600_000 };
    const other = await opened(broker, options);
    const { subscription } = await opened(broker, { ...options, clientId: 'leaving' });
    let drained: () => void = () => undefined;
    const draining = new Promise<void>((resolve) => {
      other.collected.revoke = () => {
        resolve();
        return new Promise((end) => void (drained = end));
      };
    });
    const joins = requested(broker, 'JoinGroup');
    broker.rebalance({ group: 'readers' });
    await Promise.all([draining, joins]);
    await subscription.stop();
    expect(broker.inspect().groups[0]!.members).toMatchObject([{ clientId: 'busbar' }]);
    drained();
  });

  it('leaves at once while the group waits for its assignment', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const { subscription } = await opened(broker);
    const assigning = broker.faults.hold({ on: 'SyncGroup', at: 'answer' });
    broker.rebalance({ group: 'readers' });
    await assigning.reached;
    await subscription.stop();
    expect(broker.inspect().groups[0]!.members).toEqual([]);
    assigning.release();
  });

  it('reports commits that fail for a while, though heartbeats and fetches succeed', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(1));
    const lost = logThat('kafka connection lost');
    const { collected, subscription } = await opened(
      broker,
      { commitInterval: 50 },
      { clock: impatient, logger: lost.logger },
    );
    await collected.received(1);
    const fault = broker.faults.add({ on: 'OffsetCommit', error: 'COORDINATOR_NOT_AVAILABLE' });
    subscription.commit(collected.batches[0]!.partition, 1);
    await lost.happened;
    expect(subscription.status!().interruption).toMatchObject({
      reason: expect.stringContaining('COORDINATOR_NOT_AVAILABLE') as string,
    });
    const restored = lost.next('kafka connection restored');
    broker.faults.remove(fault);
    await restored;
    expect(committed(broker)).toBe(1);
  });

  it('commits after an outage as the same member', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(10));
    const joins = requests(broker, 'JoinGroup');
    const lost = logThat('kafka connection lost');
    const { collected, subscription } = await opened(broker, {}, { clock: impatient, logger: lost.logger });
    await collected.received(10);
    const asked = joins.count;
    const heal = cut(broker);
    await lost.happened;
    subscription.commit(collected.batches[0]!.partition, 7);
    const restored = lost.next('kafka connection restored');
    heal();
    await restored;
    expect(broker.inspect().groups[0]!.members).toHaveLength(1);
    await subscription.stop();
    expect(committed(broker)).toBe(7);
    expect(joins.count).toBe(asked);
    expect(values(collected)).toEqual(range(0, 10));
  });

  it('reports what is committed next to a topic that was deleted', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const admin = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING }).admin();
    onTestFinished(() => admin.disconnect());
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: 'bills', numPartitions: 1 }] });
    const options = { topics: ['bills', 'events'], createDeadLetterTopics: true, commitInterval: 50 };
    const { collected, subscription } = await opened(broker, options);
    for (const topic of options.topics) broker.append(topic, numbered(5));
    await collected.received(10);
    await admin.deleteTopics({ topics: ['bills'] });
    for (const { partition } of collected.batches) subscription.commit(partition, 5);
    // Before the second, the response to the first has come.
    for (const _ of ['first', 'second']) await requested(broker, 'OffsetCommit');
    expect(committed(broker)).toBe(5);
    expect(subscription.status!().partitions.map((each) => [each.topic, each.committed])).toEqual([
      ['bills', 0],
      ['events', 5],
    ]);
  });

  it('names the partition whose offset the group refuses', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const lost = logThat('kafka connection lost');
    const { collected, subscription } = await opened(
      broker,
      { commitInterval: 50 },
      { clock: impatient, logger: lost.logger },
    );
    broker.append('events', numbered(5));
    await collected.received(5);
    broker.faults.add({ on: 'OffsetCommit', error: 'UNKNOWN_TOPIC_OR_PARTITION' });
    subscription.commit(collected.batches[0]!.partition, 5);
    await lost.happened;
    const reason = 'UNKNOWN_TOPIC_OR_PARTITION for topic "events", partition 0';
    expect(subscription.status!().interruption).toMatchObject({ reason });
  });

  it('does not overwrite the offsets of the next owner', async () => {
    const broker = await brokerWithEvents({ partitions: 2 });
    broker.append('events', numbered(10));
    const commitInterval = 60_000;
    let commitNow: () => void = () => undefined;
    const clock: Clock = {
      ...steadyClock,
      schedule(delay, due) {
        if (delay === commitInterval) commitNow = due;
        return steadyClock.schedule(delay, due);
      },
    };
    // Partitions are given out in the order of names: the newcomer is given the one with the records.
    const former = await opened(broker, { clientId: 'two', commitInterval }, { clock });
    await former.collected.received(10);
    const refusal = broker.faults.add({ on: 'OffsetCommit', error: 'NOT_COORDINATOR' });
    former.subscription.commit(former.collected.batches[0]!.partition, 7);
    void requested(broker, 'SyncGroup').then(() => broker.faults.remove(refusal));
    const held = broker.faults.hold({ on: 'OffsetFetch', client: 'two', at: 'request' });
    const { collected, subscription } = await opened(broker, { clientId: 'one' });
    await collected.received(10);
    subscription.commit(collected.batches[0]!.partition, 10);
    await subscription.stop();
    commitNow();
    held.release();
    await former.subscription.stop();
    expect(committed(broker)).toBe(10);
  });

  it('tolerates a group without a coordinator', async () => {
    const broker = await brokerWithEvents();
    const lost = logThat('kafka connection lost');
    const { collected } = await opened(broker, {}, { logger: lost.logger });
    const heal = cut(broker);
    await lost.happened;
    broker.faults.add({ on: 'FindCoordinator', error: 'COORDINATOR_NOT_AVAILABLE', times: 3 });
    const found = broker.faults.hold({ on: 'FindCoordinator', at: 'request' });
    heal();
    await found.reached;
    found.release();
    broker.append('events', numbered(5));
    await collected.received(5);
    expect(collected.failures).toEqual([]);
  });

  it('commits nothing when its membership has failed', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const refused = logThat('last offsets were not committed');
    const { collected, subscription } = await opened(
      broker,
      { commitInterval: 600_000 },
      { logger: refused.logger },
    );
    broker.append('events', numbered(5));
    await collected.received(5);
    subscription.commit(collected.batches[0]!.partition, 5);
    for (const on of ['Heartbeat', 'OffsetCommit'])
      broker.faults.add({ on, error: 'GROUP_AUTHORIZATION_FAILED' });
    await refused.happened;
    await expect(collected.received(6)).rejects.toMatchObject({ code: 'not-authorized' });
    await subscription.stop();
    expect(refused.logger.lines.filter((line) => line.includes('last offsets'))).toHaveLength(1);
  });

  it('ends the run at an error that retries do not fix', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const { collected } = await opened(broker);
    broker.faults.add({ on: 'Fetch', error: 'TOPIC_AUTHORIZATION_FAILED' });
    await expect(collected.received(1)).rejects.toMatchObject({ code: 'not-authorized' });
  });

  it('rejects another kafkajs at the start', async () => {
    const unused = () => ({});
    const strange = { admin: unused, producer: unused, consumer: unused };
    const connected = kafkajsClient(strange).connect({ clock: systemClock, logger: logLines() });
    await expect(connected).rejects.toMatchObject({
      code: 'invalid-option',
      message: 'kafka(): the client of this kafkajs has no "createCluster". Install kafkajs 2.2.4.',
    });
  });

  it('rejects another object than a Kafka of kafkajs', () => {
    expect(() => kafkajsClient({ brokers: ['localhost:9092'] } as never)).toThrow(
      'kafkajsClient(): "kafka" must be a Kafka of kafkajs, not an object.',
    );
  });

  it('logs no error of a configured client when it stops', async () => {
    const { Kafka, logLevel } = await import('kafkajs');
    const broker = await brokerWithEvents({ partitions: 1 });
    const errors: string[] = [];
    const ready = new Kafka({
      brokers: [broker.bootstrapServers],
      logLevel: logLevel.ERROR,
      logCreator: () => (entry) => void errors.push(entry.log.message),
    });
    const fetching = requests(broker, 'Fetch');
    const client = kafkajsClient(ready);
    const { subscription } = await opened(broker, { client, maxWait: 30_000 } as object);
    await fetching.reach(1);
    await subscription.stop();
    expect(errors).toEqual([]);
  });

  it('accepts a configured client of kafkajs', async () => {
    const { Kafka, logLevel } = await import('kafkajs');
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(3));
    const ready = new Kafka({ brokers: [broker.bootstrapServers], logLevel: logLevel.NOTHING });
    const collected = collector();
    const options = {
      client: kafkajsClient(ready),
      groupId: 'readers',
      topics: ['events'],
      fromBeginning: true,
    };
    const subscription = await kafka(options).open(collected, { clock: systemClock, logger: logLines() });
    await collected.received(3);
    await subscription.stop();
    expect(values(collected)).toEqual([0, 1, 2]);
  });
});

/** Counts the requests of one kind and lets a test wait for them. */
function requests(broker: EventsBroker, api: string) {
  const waiting: { count: number; resolve: () => void }[] = [];
  const counter = {
    count: 0,
    reach: (count: number) => new Promise<void>((resolve) => waiting.push({ count, resolve })),
  };
  broker.onRequest(({ apiName }) => {
    if (apiName !== api) return;
    counter.count++;
    for (const { count, resolve } of waiting) if (counter.count >= count) resolve();
  });
  return counter;
}

/** Closes every connection with a request. Returns a function that ends this. */
function cut(broker: EventsBroker): () => void {
  const faults = ['Fetch', 'Metadata', 'FindCoordinator', 'JoinGroup', 'Heartbeat'].map((on) =>
    broker.faults.add({ on, cut: 'before' }),
  );
  return () => {
    for (const fault of faults) broker.faults.remove(fault);
  };
}

/** A logger that lets a test wait for a line. */
function logThat(line: string) {
  const logger = logLines();
  const waiting: { line: string; resolve: () => void }[] = [];
  const next = (wanted: string) =>
    new Promise<void>((resolve) => void waiting.push({ line: wanted, resolve }));
  const tell = (level: 'warn' | 'info') => (message: string, fields?: Parameters<Logger['warn']>[1]) => {
    logger[level](message, fields);
    for (const each of waiting) if (each.line === message) each.resolve();
  };
  return {
    logger: { ...logger, warn: tell('warn'), info: tell('info') },
    happened: next(line),
    next,
  };
}

function committed(broker: EventsBroker): number | undefined {
  return broker.inspect().groups[0]?.offsets.find(({ partition }) => partition === 0)?.committed;
}
