import { connect, type Socket } from 'node:net';
import kafkajs from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../../../../src/base/clock.js';
import { kafkajsClient } from '../../../../src/transports/kafka/index.js';
import { brokerWithEvents, type EventsBroker } from '../../../emulator/broker/topics-for-tests.js';
import { logLines } from '../../log-lines.js';
import { numbered, opened, range, values } from './opened.js';

const FETCH = 1;
const OFFSET_COMMIT = 8;
const OFFSET_FETCH = 9;
const FIND_COORDINATOR = 10;
const SYNC_GROUP = 14;
const NOT_COORDINATOR = 16;
const GROUP_AUTHORIZATION_FAILED = 30;

describe('kafka(): assignments', () => {
  it('leaves the group when it lacks permission to read offsets', async () => {
    const broker = await brokerWithEvents();
    const heal = broker.intercept(OFFSET_FETCH, () => ({ errorCode: GROUP_AUTHORIZATION_FAILED }));
    await expect(opened(broker)).rejects.toMatchObject({ code: 'not-authorized' });
    expect(broker.inspect().groups[0]!.members).toEqual([]);
    heal();
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
    let goOn: (nothing: undefined) => void = () => undefined;
    const held = new Promise<undefined>((resolve) => {
      goOn = resolve;
    });
    const syncing = new Promise<void>((resolve) => {
      broker.intercept(SYNC_GROUP, ({ clientId }) => {
        if (clientId !== 'one') return undefined;
        resolve();
        return held;
      });
    });
    const joining = opened(broker, { clientId: 'two' });
    await syncing;
    const stopping = subscription.stop();
    goOn(undefined);
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
    let lookups = 0;
    broker.intercept(FIND_COORDINATOR, () => {
      lookups++;
      return undefined;
    });
    const refused = broker.intercept(OFFSET_COMMIT, () => {
      refused();
      return { errorCode: NOT_COORDINATOR };
    });
    subscription.commit(collected.batches[0]!.partition, 5);
    commits.now();
    await commits.scheduled();
    expect(lookups).toBe(0);
    commits.now();
    await subscription.stop();
    expect(lookups).toBe(1);
    expect(broker.inspect().groups[0]!.offsets[0]!.committed).toBe(5);
  });

  it('skips batches with only control records, without a warning', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', [{ partition: 0, key: marker, value: null }]);
    const passed = fetchFrom(broker, 1);
    const logger = logLines();
    const client = kafkajsClient(
      new kafkajs.Kafka({
        brokers: [broker.bootstrapServers],
        logLevel: kafkajs.logLevel.NOTHING,
        socketFactory: ({ host, port, onConnect }) => markingControlBatches(connect(port, host, onConnect)),
      }),
    );
    const { collected, subscription } = await opened(broker, { client } as object, { logger });
    await passed;
    expect(subscription.status!().partitions).toMatchObject([{ position: 1 }]);
    broker.append('events', numbered(3));
    await collected.received(3);
    expect(values(collected)).toEqual([0, 1, 2]);
    expect(logger.lines.filter((line) => line.startsWith('warn'))).toEqual([]);
  });
});

/** Creates a clock whose calls with a certain delay happen on demand. */
function dueEvery(interval: number) {
  let due: (() => void) | undefined;
  let tell: () => void = () => undefined;
  const clock: Clock = {
    ...systemClock,
    schedule(delay, callback) {
      if (delay !== interval) return systemClock.schedule(delay, callback);
      due = callback;
      tell();
      return () => undefined;
    },
  };
  return {
    clock,
    now: () => {
      const callback = due;
      due = undefined;
      callback?.();
    },
    scheduled: () =>
      due === undefined ? new Promise<void>((resolve) => (tell = resolve)) : Promise.resolve(),
  };
}

/** Resolves when somebody fetches partition 0 from that offset on. */
function fetchFrom(broker: EventsBroker, offset: number): Promise<void> {
  return new Promise((resolve) => {
    broker.intercept(FETCH, ({ request }) => {
      const { topics } = request as { topics: { partitions: { fetchOffset: number }[] }[] };
      if (topics.some(({ partitions }) => partitions[0]?.fetchOffset === offset)) resolve();
      return undefined;
    });
  });
}

/** Key of a record whose batch imitates control records, which the embedded broker does not write. */
const marker = 'control';

function markingControlBatches(socket: Socket): Socket {
  const on = socket.on.bind(socket) as (event: string, listener: (chunk: Buffer) => void) => Socket;
  const marking: typeof on = (event, listener) => {
    if (event !== 'data') return on(event, listener);
    return on(event, (chunk) => {
      const key = chunk.indexOf(marker);
      // Of its only record: 61 bytes of the batch's head, five of the record's; the attributes are at 21 and 22.
      if (key >= 0) chunk[key - 66 + 22]! |= 0x20;
      listener(chunk);
    });
  };
  return Object.assign(socket, { on: marking });
}
