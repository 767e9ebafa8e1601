import { createRequire } from 'node:module';
import { describe, expect, it, vi } from 'vitest';
import { type Clock, systemClock } from '../../../../src/base/clock.js';
import { kafka } from '../../../../src/transports/kafka/index.js';
import { brokerWithEvents, type EventsBroker } from '../../../emulator/broker/topics-for-tests.js';
import { logLines } from '../../log-lines.js';
import { steadyClock } from '../../../steady-clock.js';
import { collector } from '../collector.js';
import { numbered, opened, range, values } from './opened.js';

const FETCH = 1;
const METADATA = 3;
const OFFSET_COMMIT = 8;
const OFFSET_FETCH = 9;
const FIND_COORDINATOR = 10;
const JOIN_GROUP = 11;
const HEARTBEAT = 12;
const SYNC_GROUP = 14;
const COORDINATOR_LOAD_IN_PROGRESS = 14;
const NOT_COORDINATOR = 16;
const UNKNOWN_MEMBER_ID = 25;
const TOPIC_AUTHORIZATION_FAILED = 29;

describe('kafka(): hazards of kafkajs', () => {
  it('sets no timer for an idle connection (kafkajs#1751)', async () => {
    const { subscription } = await opened(await brokerWithEvents());
    const require = createRequire(import.meta.url);
    const RequestQueue = require('kafkajs/src/network/requestQueue') as {
      prototype: { scheduleCheckPendingRequests(this: object): void };
    };
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const schedule = (pending: unknown[]) =>
      RequestQueue.prototype.scheduleCheckPendingRequests.call({
        pending,
        throttledUntil: -1,
        checkPendingRequests() {},
      });
    schedule([]);
    expect(timers).not.toHaveBeenCalled();
    schedule([{}]);
    expect(timers).toHaveBeenCalledTimes(1);
    await subscription.stop();
  });

  it('keeps the membership while a handler outlasts the session (kafkajs#130)', async () => {
    const broker = await brokerWithEvents();
    broker.append('events', numbered(10));
    const joins = requests(broker, JOIN_GROUP);
    const heartbeats = requests(broker, HEARTBEAT);
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
    const heartbeats = requests(broker, HEARTBEAT);
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
    const commits = requests(broker, OFFSET_COMMIT);
    collected.revoke = async (partitions) => subscription.commit(partitions[0]!, 5);
    const unknown = broker.intercept(HEARTBEAT, () => ({ errorCode: UNKNOWN_MEMBER_ID }));
    const joined = broker.intercept(JOIN_GROUP, () => {
      joined();
      unknown();
      return undefined;
    });
    await collected.received(10);
    expect(values(collected)).toEqual([...range(0, 5), ...range(0, 5)]);
    expect(commits.count).toBe(0);
    expect(logger.lines.filter((line) => line.startsWith('warn'))).toEqual([
      expect.stringContaining('Kafka took the partitions of this member of "readers" away'),
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

  it('reports a crash, and continues to consume (kafkajs#1513)', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(5));
    const lost = logThat((line) => line.includes('kafka connection lost'));
    const { collected, subscription } = await opened(broker, {}, { logger: lost.logger });
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
    heal();
    await collected.received(10);
    expect(subscription.status!().connected).toBe(true);
    expect(subscription.status!().interruption).toBeUndefined();
    expect(values(collected)).toEqual([...range(0, 5), ...range(0, 5)]);
  });

  it('stays stopped when it is stopped during recovery', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const lost = logThat((line) => line.includes('kafka connection lost'));
    const { collected, subscription } = await opened(broker, {}, { logger: lost.logger });
    const heal = cut(broker);
    await lost.happened;
    let letGo: (nothing: undefined) => void = () => undefined;
    const held = new Promise<undefined>((resolve) => {
      letGo = resolve;
    });
    // It has begun to restart, but has not joined yet.
    const recovering = new Promise<void>((resolve) => {
      broker.intercept(FIND_COORDINATOR, () => {
        resolve();
        return held;
      });
    });
    heal();
    await recovering;
    const stopping = subscription.stop();
    letGo(undefined);
    await stopping;
    broker.append('events', numbered(5));
    const next = await opened(broker);
    await next.collected.received(5);
    expect(collected.records).toEqual([]);
    expect(broker.inspect().groups[0]!.members).toHaveLength(1);
  });

  it('commits when the broker returns, without a stale member', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(10));
    const lost = logThat((line) => line.includes('kafka connection lost'));
    const { collected, subscription } = await opened(broker, {}, { logger: lost.logger });
    await collected.received(10);
    collected.revoke = async (partitions) => subscription.commit(partitions[0]!, 7);
    const heal = cut(broker);
    await lost.happened;
    heal();
    await collected.received(13);
    expect(values(collected)).toEqual([...range(0, 10), ...range(7, 10)]);
    expect(committed(broker)).toBe(7);
    expect(broker.inspect().groups[0]!.members).toHaveLength(1);
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
    const refuse = broker.intercept(OFFSET_COMMIT, () => ({ errorCode: NOT_COORDINATOR }));
    former.subscription.commit(former.collected.batches[0]!.partition, 7);
    const synced = broker.intercept(SYNC_GROUP, () => {
      refuse();
      synced();
      return undefined;
    });
    let goOn: (nothing: undefined) => void = () => undefined;
    const held = new Promise<undefined>((resolve) => {
      goOn = resolve;
    });
    broker.intercept(OFFSET_FETCH, ({ clientId }) => (clientId === 'two' ? held : undefined));
    const { collected, subscription } = await opened(broker, { clientId: 'one' });
    await collected.received(10);
    subscription.commit(collected.batches[0]!.partition, 10);
    await subscription.stop();
    commitNow();
    goOn(undefined);
    await former.subscription.stop();
    expect(committed(broker)).toBe(10);
  });

  it('tolerates a group without a coordinator', async () => {
    const broker = await brokerWithEvents();
    const lost = logThat((line) => line.includes('kafka connection lost'));
    const { collected } = await opened(broker, {}, { logger: lost.logger });
    const heal = cut(broker);
    await lost.happened;
    const refused = new Promise<void>((resolve) => {
      let left = 3;
      const found = broker.intercept(FIND_COORDINATOR, () => {
        if (left-- > 0) return { errorCode: COORDINATOR_LOAD_IN_PROGRESS };
        found();
        resolve();
        return undefined;
      });
    });
    heal();
    await refused;
    broker.append('events', numbered(5));
    await collected.received(5);
    expect(collected.failures).toEqual([]);
  });

  it('ends the run at an error that retries do not fix', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const { collected } = await opened(broker);
    broker.intercept(FETCH, () => ({ errorCode: TOPIC_AUTHORIZATION_FAILED }));
    await expect(collected.received(1)).rejects.toMatchObject({ code: 'not-authorized' });
  });

  it('rejects a kafkajs whose rebalance cannot be awaited', async () => {
    const strange = {
      admin: () => ({ connect: async () => {}, disconnect: async () => {} }),
      producer: () => ({}),
      consumer: ({
        partitionAssigners: [assigner],
      }: {
        partitionAssigners: ((config: object) => object)[];
      }) => assigner!({ cluster: { findGroupCoordinator() {} } }),
    };
    const { kafkajsClient } = await import('../../../../src/transports/kafka/index.js');
    const connection = await kafkajsClient(strange).connect({ clock: systemClock, logger: logLines() });
    const options = {
      groupId: 'readers',
      topics: ['events'],
      fromBeginning: true,
      sessionTimeout: 1,
      rebalanceTimeout: 1,
      heartbeatInterval: 1,
      maxWait: 1,
      maxBytesPerPartition: 1,
    };
    await expect(connection.join(options, {} as never)).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining('Install kafkajs 2.2.4') as string,
    });
  });

  it('accepts a configured client of kafkajs', async () => {
    const { Kafka, logLevel } = await import('kafkajs');
    const { kafkajsClient } = await import('../../../../src/transports/kafka/index.js');
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
function requests(broker: EventsBroker, apiKey: number) {
  const waiting: { count: number; resolve: () => void }[] = [];
  const counter = {
    count: 0,
    reach: (count: number) => new Promise<void>((resolve) => waiting.push({ count, resolve })),
  };
  broker.intercept(apiKey, () => {
    counter.count++;
    for (const { count, resolve } of waiting) if (counter.count >= count) resolve();
    return undefined;
  });
  return counter;
}

/** Closes every connection with a request. Returns a function that ends this. */
function cut(broker: EventsBroker): () => void {
  const faults = [FETCH, METADATA, FIND_COORDINATOR, JOIN_GROUP, HEARTBEAT].map((apiKey) =>
    broker.intercept(apiKey, () => ({ close: 'before' as const })),
  );
  return () => {
    for (const heal of faults) heal();
  };
}

function logThat(matches: (line: string) => boolean) {
  const logger = logLines();
  let tell: () => void = () => undefined;
  const happened = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const warn: typeof logger.warn = (message, fields) => {
    logger.warn(message, fields);
    if (matches(message)) tell();
  };
  return { logger: { ...logger, warn }, happened };
}

function committed(broker: EventsBroker): number | undefined {
  return broker.inspect().groups[0]?.offsets.find(({ partition }) => partition === 0)?.committed;
}
