import { connect, Socket } from 'node:net';
import kafkajs from 'kafkajs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchTable } from '../../../../src/kafka-protocol/apis/fetch.js';
import { attributeBits, batchLayout } from '../../../../src/kafka-protocol/record-batch.js';
import { kafkajsClient } from '../../../../src/transports/kafka/index.js';
import { GroupPositions } from '../../../../src/transports/kafka/kafkajs/group-positions.js';
import { brokerWithEvents, type EventsBroker, requested } from '../../../emulator/broker/topics-for-tests.js';
import { steadyClock } from '../../../steady-clock.js';
import { collector } from '../collector.js';
import { logLines } from '../../log-lines.js';
import { clientChanging, marked, repair } from './changed-batches.js';
import { numbered, opened, range, values } from './opened.js';

describe('kafka(): fetches', () => {
  it('skip batches with only control records, without a warning', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', [{ partition: 0, key: marked, value: null }]);
    const passed = fetchFrom(broker, 1);
    const logger = logLines();
    const client = clientChanging(broker, (batch) => {
      batch[batchLayout.attributes + 1]! |= attributeBits.control;
      repair(batch);
    });
    const { collected, subscription } = await opened(broker, { client } as object, { logger });
    await passed;
    expect(subscription.status!().partitions).toMatchObject([{ position: 1 }]);
    broker.append('events', numbered(3));
    await collected.received(3);
    expect(values(collected)).toEqual([0, 1, 2]);
    expect(logger.lines.filter((line) => line.startsWith('warn'))).toEqual([]);
  });

  it('request a batch again that arrives damaged', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', [{ partition: 0, key: marked, value: '7' }]);
    let damaged = 0;
    const client = clientChanging(broker, (batch) => {
      if (damaged++ === 0) batch[batch.length - 2]! ^= 1;
    });
    const { collected } = await opened(broker, { client } as object);
    await collected.received(1);
    expect(damaged).toBe(2);
    expect(values(collected)).toEqual([7]);
  });

  it('do not delay a stop', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const waiting = fetchFrom(broker, 0);
    const { subscription } = await opened(broker, { maxWait: 30_000 });
    await waiting;
    await subscription.stop();
    expect(broker.inspect().groups[0]!.members).toEqual([]);
  });

  it('wait only briefly for records while another partition is paused', async () => {
    const broker = await brokerWithEvents({ partitions: 2 });
    // Two batches, because a batch arrives whole.
    broker.append('events', numbered(200));
    broker.append('events', numbered(200, 200));
    const options = { maxWait: 30_000, maxBytesPerPartition: 2_000 };
    const { collected } = await opened(broker, options, { receiver: { room: 3 } });
    const { partition } = await collected.refusal();
    // Of the other partition alone.
    await fetchFrom(broker, 0);
    collected.makeRoom(1_000);
    collected.resume(partition);
    await collected.received(400);
    expect(values(collected)).toEqual(range(0, 400));
  });

  it('overlap with the handling of earlier records', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    for (let batch = 0; batch < 3; batch++) broker.append('events', numbered(1, batch));
    let written = 0;
    const kafka = new kafkajs.Kafka({
      brokers: [broker.bootstrapServers],
      logLevel: kafkajs.logLevel.NOTHING,
      socketFactory({ host, port, onConnect }) {
        const socket = connect(port, host, onConnect);
        const write = (frame: Buffer) => Socket.prototype.write.call(socket, frame);
        const counting = (frame: Buffer) => {
          if (frame.readInt16BE(4) === fetchTable.key) written++;
          return write(frame);
        };
        return Object.assign(socket, { write: counting });
      },
    });
    const collected = collector();
    const receive = collected.receive.bind(collected);
    const writtenBefore: number[] = [];
    Object.assign(collected, {
      receive: (...records: Parameters<typeof receive>) => {
        writtenBefore.push(written);
        return receive(...records);
      },
    });
    const client = { client: kafkajsClient(kafka), maxBytesPerPartition: 1 };
    await opened(broker, client, { collected });
    await collected.received(3);
    expect(values(collected)).toEqual([0, 1, 2]);
    // The first shows whether the receiver keeps up.
    expect(writtenBefore).toEqual([1, 3, 4]);
  });

  it('end the run at a record format that is older than Kafka 0.11', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', [{ partition: 0, key: marked, value: '7' }]);
    const client = clientChanging(broker, (batch) => void (batch[batchLayout.magic] = 1));
    const { collected } = await opened(broker, { client } as object);
    await expect(collected.received(1)).rejects.toMatchObject({
      code: 'protocol-violation',
      message: expect.stringContaining('Topic "events", partition 0 ') as string,
    });
  });

  it('follow a partition to its new leader', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(3));
    broker.faults.add({ on: 'Fetch', error: 'NOT_LEADER_OR_FOLLOWER', times: 2 });
    const { collected } = await opened(broker);
    await collected.received(3);
    expect(values(collected)).toEqual(range(0, 3));
  });

  it('continue with commits when the topic was created again', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(10));
    const { collected, subscription } = await opened(broker);
    await collected.received(10);
    const { partition } = collected.batches[0]!;
    const committed = requested(broker, 'OffsetCommit');
    subscription.commit(partition, 10);
    await committed;
    await createAgain(broker);
    broker.append('events', numbered(3));
    await collected.received(13);
    subscription.commit(partition, 3);
    await subscription.stop();
    expect(broker.inspect().groups[0]!.offsets).toMatchObject([{ partition: 0, committed: 3 }]);
  });

  it('reads a topic that was created again with as many records from its first one', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(10));
    const logger = logLines();
    const { collected, subscription } = await opened(broker, {}, { logger });
    await collected.received(10);
    const { partition } = collected.batches[0]!;
    const fetching = broker.faults.hold({ on: 'Fetch', at: 'request' });
    await fetching.reached;
    await createAgain(broker);
    broker.append('events', numbered(12, 10));
    fetching.release();
    await collected.received(22);
    expect(values(collected)).toEqual(range(0, 22));
    subscription.commit(partition, 12);
    await subscription.stop();
    expect(broker.inspect().groups[0]!.offsets).toMatchObject([{ partition: 0, committed: 12 }]);
    expect(logger.lines.filter((line) => line.includes('starting again'))).toHaveLength(1);
  });

  it('continue at the first record that is left when records expired', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    const logger = logLines();
    await (await opened(broker)).subscription.stop();
    broker.append('events', numbered(5));
    broker.truncate({ topic: 'events', before: 3 });
    const { collected } = await opened(broker, { fromBeginning: false }, { logger });
    await collected.received(2);
    expect(values(collected)).toEqual([3, 4]);
    expect(logger.lines).toContainEqual(
      expect.stringMatching(/^warn: records expired, continuing at another offset/),
    );
  });

  it.each([
    { fromBeginning: true, expected: [0, 1, 2] },
    { fromBeginning: false, expected: [2] },
  ])(
    'continue where fromBeginning $fromBeginning says beyond the end of the log',
    async ({ fromBeginning, expected }) => {
      const broker = await brokerWithEvents({ partitions: 1 });
      broker.append('events', numbered(2));
      const logger = logLines();
      const before = await opened(broker);
      await before.collected.received(2);
      await before.subscription.stop();
      const positions = await GroupPositions.from({ brokers: [broker.bootstrapServers] }, steadyClock);
      onTestFinished(() => positions.close());
      await positions.write('readers', [{ topic: 'events', partition: 0, offset: 9 }]);
      const passed = fetchFrom(broker, expected[0]!);
      const { collected } = await opened(broker, { fromBeginning }, { logger });
      await passed;
      broker.append('events', numbered(1, 2));
      await collected.received(expected.length);
      expect(values(collected)).toEqual(expected);
      expect(logger.lines).toContainEqual(
        expect.stringMatching(/^warn: partition was truncated or replaced/),
      );
    },
  );

  it.each([[true], [false]])(
    'continue at the end of a log that was truncated meanwhile, fromBeginning %s',
    async (fromBeginning) => {
      const broker = await brokerWithEvents({ partitions: 1 });
      broker.append('events', numbered(2));
      const before = await opened(broker);
      await before.collected.received(2);
      // The records up to 9 were lost with the last leader.
      before.subscription.commit(before.collected.batches[0]!.partition, 9);
      await before.subscription.stop();
      const passed = fetchFrom(broker, 2);
      const { collected } = await opened(broker, { fromBeginning });
      await passed;
      broker.append('events', numbered(9, 2));
      await collected.received(9);
      expect(values(collected)).toEqual(range(2, 11));
    },
  );

  it('begin a partition when its leader returns an offset, and others at once', async () => {
    const broker = await brokerWithEvents({ partitions: 2 });
    broker.append('events', numbered(10));
    broker.append('events', numbered(10, 10, 1));
    const later = { topic: 'events', partition: 1 };
    broker.faults.add({ on: 'ListOffsets', ...later, error: 'NOT_LEADER_OR_FOLLOWER' });
    const { collected, subscription } = await opened(broker, { commitInterval: 1 });
    await collected.received(10);
    expect(values(collected)).toEqual(range(0, 10));
    broker.faults.clear();
    await collected.received(20);
    expect(values(collected)).toEqual(range(0, 20));
    await subscription.stop();
  });

  it('begin a partition whose first offset the group refuses, and commit it later', async () => {
    const broker = await brokerWithEvents({ partitions: 2 });
    broker.append('events', numbered(10));
    broker.append('events', numbered(10, 10, 1));
    const refused = { topic: 'events', partition: 1 };
    broker.faults.add({ on: 'OffsetCommit', ...refused, error: 'UNKNOWN_TOPIC_OR_PARTITION' });
    const { collected, subscription } = await opened(broker, { commitInterval: 1 });
    await collected.received(20);
    broker.faults.clear();
    await subscription.stop();
    expect(
      broker.inspect().groups[0]!.offsets.map(({ partition, committed }) => [partition, committed]),
    ).toEqual([
      [0, 0],
      [1, 0],
    ]);
  });

  it('commit the offset after expired records, though no record follows', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    await (await opened(broker)).subscription.stop();
    broker.append('events', numbered(5));
    broker.truncate({ topic: 'events' });
    const committed = requested(broker, 'OffsetCommit');
    const { subscription } = await opened(broker, { fromBeginning: false, commitInterval: 1 });
    await committed;
    await subscription.stop();
    expect(broker.inspect().groups[0]!.offsets).toMatchObject([{ partition: 0, committed: 5 }]);
  });

  it('commit where a topic begins that was created again, though it is empty', async () => {
    const broker = await brokerWithEvents({ partitions: 1 });
    broker.append('events', numbered(3));
    const { collected, subscription } = await opened(broker, { fromBeginning: false, commitInterval: 1 });
    broker.append('events', numbered(3));
    await collected.received(3);
    const committed = requested(broker, 'OffsetCommit');
    await createAgain(broker);
    await committed;
    await subscription.stop();
    expect(broker.inspect().groups[0]!.offsets).toMatchObject([{ partition: 0, committed: 0 }]);
  });
});

/** Deletes the topic and creates it again, with one partition. */
async function createAgain(broker: EventsBroker): Promise<void> {
  const admin = new kafkajs.Kafka({
    brokers: [broker.bootstrapServers],
    logLevel: kafkajs.logLevel.NOTHING,
  }).admin();
  await admin.connect();
  await admin.deleteTopics({ topics: ['events'] });
  await admin.createTopics({ topics: [{ topic: 'events' }] });
  await admin.disconnect();
}

/** Resolves when a client fetches partition 0 from that offset. */
function fetchFrom(broker: EventsBroker, offset: number): Promise<void> {
  return requested(broker, 'Fetch', (request) => {
    const { topics } = request as { topics: { partitions: { fetchOffset: number }[] }[] };
    return topics.some(({ partitions }) => partitions[0]?.fetchOffset === offset);
  });
}
