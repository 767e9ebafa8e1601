import { batchOf } from '../../../emulator/broker/batches.js';
import type { Dialogue } from '../dialogue.js';
import { createTopic, type Prepared } from './prepare.js';
import { request as produceRequest } from './producing.js';

const UNKNOWN_ID = 'AAAAAAAAAAAAAAAAAAAAZg';
const FIRST_TIME = 1_600_000_000_000;

/** Batches read from everywhere, and offsets by time. Three batches of two records, 1 s apart; the first is deleted. */
export async function fetching(to: Dialogue): Promise<void> {
  const topic = await createTopic(to, 'fetched', 2);
  for (let batch = 0; batch < 3; batch += 1) {
    const records = [0, 1].map((index) => ({
      value: 'x'.repeat(100),
      timestamp: FIRST_TIME + 1000 * (2 * batch + index),
    }));
    await to.ask('Produce', produceRequest(topic.name, batchOf(records)));
  }
  await records(to, topic);
  await offsetsByTime(to, topic);
  await to.ask('DeleteRecords', {
    topics: [{ name: topic.name, partitions: [{ partition: 0, offset: 2 }] }],
    timeoutMs: 10_000,
  });
  const fetch = (label: string, fetchOffset: number) =>
    to.step(`fetch ${label}`, 'Fetch', request(topic, { fetchOffset }));
  await fetch('below the log', 1);
  await fetch('at the start of the log', 2);
  await to.step('offsets after the deletion', 'ListOffsets', timeRequest(topic.name, -2));
  await to.step('offset of a time before the log', 'ListOffsets', timeRequest(topic.name, FIRST_TIME));
}

async function records(to: Dialogue, topic: Prepared): Promise<void> {
  const fetch = (
    label: string,
    partition: Record<string, unknown> = {},
    whole: Record<string, unknown> = {},
  ) => to.step(`fetch ${label}`, 'Fetch', request(topic, partition, whole));
  await to.inEveryVersion('fetch', 'Fetch', () => request(topic));
  await fetch('from the middle of a batch', { fetchOffset: 3 });
  await fetch('at the end', { fetchOffset: 6 });
  await fetch('beyond the end', { fetchOffset: 7 });
  await fetch('before the start', { fetchOffset: -1 });
  await fetch('an empty partition', { partition: 1 });
  await fetch('an unknown partition', { partition: 9 });
  await fetch('a negative partition', { partition: -1 });
  await to.step('fetch an unknown topic', 'Fetch', request({ name: to.named('unknown'), id: UNKNOWN_ID }));
  await to.step(
    'fetch an unknown topic by name',
    'Fetch',
    request({ name: to.named('unknown'), id: UNKNOWN_ID }),
    {
      version: 12,
    },
  );
  await fetch('in an epoch to come', { currentLeaderEpoch: 5 });
  await fetch('in no epoch', { currentLeaderEpoch: -1 });
  await fetch('with an epoch that was fetched last', { lastFetchedEpoch: 0, fetchOffset: 2 });
  await fetch('one byte of the partition', { partitionMaxBytes: 1 });
  await fetch('no byte of the partition', { partitionMaxBytes: 0 });
  await fetch('one batch of the partition', { partitionMaxBytes: 300 });
  await fetch('one byte', {}, { maxBytes: 1 });
  await fetch('no byte', {}, { maxBytes: 0 });
  await fetch('one batch', {}, { maxBytes: 300 });
  await fetch('more than there is, without waiting', {}, { minBytes: 100_000 });
  await fetch('more than there is, waiting', {}, { minBytes: 100_000, maxWaitMs: 50 });
  await fetch('committed only', {}, { isolationLevel: 1 });
  await fetch('an unknown session', {}, { sessionId: 4242, sessionEpoch: 3 });
  await fetch('an ended session', {}, { sessionId: 4242, sessionEpoch: -1 });
  await fetch('no session in an epoch', {}, { sessionId: 0, sessionEpoch: 3 });
  const opened = await to.ask('Fetch', request(topic, {}, { sessionId: 0, sessionEpoch: 0 }));
  to.keep('a session', { errorCode: opened.errorCode, isOpen: opened.sessionId !== 0 });
  await to.step('fetch of two partitions', 'Fetch', {
    ...request(topic),
    topics: [
      {
        topic: topic.name,
        topicId: topic.id,
        partitions: [
          partitionRequest({ partition: 9 }),
          partitionRequest({}),
          partitionRequest({ partition: 1 }),
        ],
      },
    ],
  });
}

async function offsetsByTime(to: Dialogue, { name }: Prepared): Promise<void> {
  await to.inEveryVersion('the end offset', 'ListOffsets', () => timeRequest(name, -1));
  await to.inEveryVersion('the start offset', 'ListOffsets', () => timeRequest(name, -2));
  const at = (label: string, timestamp: number, changes: Record<string, unknown> = {}, version?: number) =>
    to.step(
      `offset ${label}`,
      'ListOffsets',
      timeRequest(name, timestamp, changes),
      version === undefined ? {} : { version },
    );
  await at('of the greatest timestamp', -3, {}, 7);
  await at('of the greatest timestamp, too early', -3, {}, 6);
  await at('held locally', -4);
  await at('held locally, too early', -4, {}, 7);
  await at('held remotely', -5);
  await at('held remotely, too early', -5, {}, 8);
  await at('of a timestamp that there is not', -9);
  await at('of the first time', FIRST_TIME);
  await at('before the first time', FIRST_TIME - 1);
  await at('between two times', FIRST_TIME + 500);
  await at('of a later time', FIRST_TIME + 3000);
  await at('of the last time', FIRST_TIME + 5000);
  await at('after the last time', FIRST_TIME + 5001);
  await at('of 0', 0);
  await at('at the end, empty partition', -1, { partition: 1 });
  await at('of a time, empty partition', FIRST_TIME, { partition: 1 });
  await at('of the greatest timestamp, empty partition', -3, { partition: 1 });
  await at('in an unknown partition', -1, { partition: 9 });
  await at('in an epoch to come', -1, { currentLeaderEpoch: 5 });
  await at('in the present epoch', -1, { currentLeaderEpoch: 0 });
  await to.step('offset in an unknown topic', 'ListOffsets', timeRequest(to.named('unknown'), -1));
  const partition = { partition: 0, currentLeaderEpoch: -1, timestamp: -1 };
  await to.step('offset of a partition twice', 'ListOffsets', {
    ...timeRequest(name, -1),
    topics: [{ name, partitions: [partition, partition] }],
  });
  const epoch = (label: string, changes: Record<string, unknown>, topic = name) =>
    to.step(`end of ${label}`, 'OffsetForLeaderEpoch', {
      replicaId: -1,
      topics: [{ topic, partitions: [{ partition: 0, currentLeaderEpoch: -1, leaderEpoch: 0, ...changes }] }],
    });
  await to.inEveryVersion('end of epoch 0', 'OffsetForLeaderEpoch', () => ({
    replicaId: -1,
    topics: [{ topic: name, partitions: [{ partition: 0, currentLeaderEpoch: -1, leaderEpoch: 0 }] }],
  }));
  await epoch('an epoch to come', { leaderEpoch: 5 });
  await epoch('no epoch', { leaderEpoch: -1 });
  await epoch('epoch 0, in an epoch to come', { currentLeaderEpoch: 5 });
  await epoch('epoch 0 of an unknown partition', { partition: 9 });
  await epoch('epoch 0 of an empty partition', { partition: 1 });
  await epoch('epoch 0 of an unknown topic', {}, to.named('unknown'));
}

function request(
  { name, id }: Prepared,
  partition: Record<string, unknown> = {},
  whole: Record<string, unknown> = {},
) {
  return {
    ...{ replicaId: -1, maxWaitMs: 0, minBytes: 1, maxBytes: 1_000_000, isolationLevel: 0 },
    ...{ sessionId: 0, sessionEpoch: -1, forgottenTopics: [], rackId: '' },
    topics: [{ topic: name, topicId: id, partitions: [partitionRequest(partition)] }],
    ...whole,
  };
}

function partitionRequest(changes: Record<string, unknown>) {
  return {
    ...{ partition: 0, currentLeaderEpoch: -1, fetchOffset: 0, lastFetchedEpoch: -1, logStartOffset: -1 },
    ...{ partitionMaxBytes: 1_000_000 },
    ...changes,
  };
}

function timeRequest(name: string, timestamp: number, changes: Record<string, unknown> = {}) {
  return {
    ...{ replicaId: -1, isolationLevel: 0, timeoutMs: 10_000 },
    topics: [{ name, partitions: [{ partition: 0, currentLeaderEpoch: -1, timestamp, ...changes }] }],
  };
}
