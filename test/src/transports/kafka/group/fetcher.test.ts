import { describe, expect, it, onTestFinished } from 'vitest';
import { buildBatch } from '../../../../../src/kafka-protocol/build-batch.js';
import { errorCodes } from '../../../../../src/kafka-protocol/error-codes.js';
import { NO_BYTES, ZERO_UUID } from '../../../../../src/kafka-protocol/fields.js';
import { batchLayout } from '../../../../../src/kafka-protocol/record-batch.js';
import { cut, fetched, joining, ScriptedCluster } from './scripted-cluster.js';

const { none } = errorCodes;

describe('a member that fetches', () => {
  it('gives a fetch five seconds more than it waits for records', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    const membership = await joining(cluster, { maxWait: 40_000 }).joined;
    await cluster.turns();
    expect(cluster.requests('Fetch')[0]).toMatchObject({ request: { maxWaitMs: 40_000 }, timeout: 45_000 });
    await membership.leave();
  });

  it('fetches from many brokers at once without a warning of Node', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: Array.from({ length: 12 }, (_, nth) => nth + 1) };
    cluster.committed = Array<number>(12).fill(0);
    const warnings: string[] = [];
    const warned = ({ name }: Error) => void warnings.push(name);
    process.on('warning', warned);
    onTestFinished(() => void process.off('warning', warned));
    const membership = await joining(cluster).joined;
    await cluster.turns();
    const fetching = cluster.sent.filter(({ api }) => api === 'Fetch');
    expect(new Set(fetching.map(({ node }) => node)).size).toBe(12);
    expect(warnings).toEqual([]);
    await membership.leave();
  });

  it('requests nothing of a paused partition until it resumes', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.committed = [5];
    const { joined } = joining(cluster);
    const membership = await joined;
    await cluster.turns();
    const fetches = () => cluster.requests('Fetch').length;
    expect(fetches()).toBeGreaterThan(0);
    membership.pause('events', 0);
    await cluster.turns();
    const paused = fetches();
    await cluster.turns();
    expect(fetches()).toBe(paused);
    membership.resume('events', 0);
    await cluster.turns();
    expect(fetches()).toBeGreaterThan(paused);
    await membership.leave();
  });

  it('fetches a partition whose leader it finds while the others are paused', async () => {
    const cluster = new ScriptedCluster();
    const { joined } = joining(cluster);
    const membership = await joined;
    membership.pause('events', 0);
    await cluster.turns();
    expect(cluster.requests('Fetch').length).toBeGreaterThan(0);
    const noLeader = { partition: 1, errorCode: errorCodes.notLeaderOrFollower };
    cluster.next('Fetch', fetched(NO_BYTES, noLeader));
    await cluster.turns();
    const fetches = cluster.requests('Fetch').length;
    await cluster.pass(200);
    expect(cluster.requests('Fetch').length).toBeGreaterThan(fetches);
    await membership.leave();
  });

  it.each([
    ['at the end that the epoch of its last batch has there', 4, 'some-id', endsAt(6), 6],
    ['where it was, if that epoch ends later', 4, 'some-id', endsAt(9), 8],
    ['where it was, if the epoch is unknown', 4, 'some-id', endsAt(-1), 8],
    ['where it was, if the request fails', 4, 'some-id', cut, 8],
    ['where it was, if the topic may be another one', undefined, ZERO_UUID, endsAt(6), 8],
  ])('continues on a new leader %s', async (_, epoch, topicId, response, next) => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.committed = [5];
    cluster.topicId = topicId;
    const { joined, member } = joining(cluster);
    const membership = await joined;
    const batch = buildBatch([{ value: '5' }, { value: '6' }, { value: '7' }], 0);
    batch.writeBigInt64BE(5n, batchLayout.baseOffset);
    batch.writeInt32BE(4, batchLayout.partitionLeaderEpoch);
    cluster.next('Fetch', fetched(batch));
    await cluster.turns();
    cluster.leaders = { events: [2] };
    cluster.always('OffsetForLeaderEpoch', response);
    cluster.next('Fetch', fetched(NO_BYTES, { errorCode: errorCodes.notLeaderOrFollower }));
    await cluster.pass(200);
    const asked = cluster.requests('OffsetForLeaderEpoch');
    const topics = [{ topic: 'events', partitions: [{ partition: 0, leaderEpoch: epoch }] }];
    expect(asked).toMatchObject(epoch === undefined ? [] : [{ node: 2, request: { replicaId: -1, topics } }]);
    const fetches = cluster.requests('Fetch').filter(({ node }) => node === 2);
    expect(fetches[0]).toMatchObject({ request: { topics: [{ partitions: [{ fetchOffset: next }] }] } });
    expect(member.batches.slice(1)).toMatchObject(next === 8 ? [] : [{ from: next, next, records: [] }]);
    await membership.leave();
  });

  it.each([
    ['where its log left the epoch of the committed offset', 4, endsAt(3), 3],
    ['at the committed offset, if that epoch ends later', 4, endsAt(9), 5],
    ['at the committed offset, if it was committed without an epoch', undefined, endsAt(3), 5],
  ])('begins a partition %s', async (_, committedLeaderEpoch, response, next) => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.topicId = 'some-id';
    const partitions = [{ partition: 0, errorCode: none, committedOffset: 5, committedLeaderEpoch }];
    cluster.always('OffsetFetch', { errorCode: none, topics: [{ name: 'events', partitions }] });
    cluster.always('OffsetForLeaderEpoch', response);
    const { joined, member } = joining(cluster);
    const membership = await joined;
    await cluster.turns();
    expect(cluster.requests('OffsetForLeaderEpoch')).toHaveLength(committedLeaderEpoch === undefined ? 0 : 1);
    expect(cluster.requests('Fetch')[0]!.request.topics).toMatchObject([
      { partitions: [{ fetchOffset: next }] },
    ]);
    expect(member.batches).toMatchObject(next === 5 ? [] : [{ from: next, next, records: [] }]);
    await membership.leave();
  });

  it('reads a replica in its rack, and asks the leader again after five minutes', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.committed = [5];
    const { joined, member } = joining(cluster, { rackId: 'zone-b' });
    const nodes = () => cluster.requests('Fetch').map(({ node }) => node);
    const batch = buildBatch([{ value: '5' }], 0);
    batch.writeBigInt64BE(5n, batchLayout.baseOffset);
    cluster.next('Fetch', fetched(NO_BYTES, { preferredReadReplica: 2 }), fetched(batch));
    cluster.always('Fetch', fetched(NO_BYTES));
    const membership = await joined;
    await cluster.turns();
    expect(cluster.requests('Fetch')[0]).toMatchObject({ node: 1, request: { rackId: 'zone-b' } });
    expect(new Set(nodes().slice(1))).toEqual(new Set([2]));
    expect(member.batches[0]).toMatchObject({ from: 5, next: 6 });
    await cluster.pass(299_999);
    expect(nodes().at(-1)).toBe(2);
    await cluster.pass(1);
    expect(nodes().at(-1)).toBe(1);
    await membership.leave();
  });

  it('asks the leader when a replica lacks the offset, and loses no position', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.committed = [5];
    const { joined, member } = joining(cluster, { rackId: 'zone-b' });
    const lacking = { errorCode: errorCodes.offsetOutOfRange };
    cluster.next('Fetch', fetched(NO_BYTES, { preferredReadReplica: 2 }), fetched(NO_BYTES, lacking));
    const membership = await joined;
    await cluster.turns();
    const fetches = cluster.requests('Fetch');
    expect(fetches.slice(0, 3).map(({ node }) => node)).toEqual([1, 2, 1]);
    expect(fetches[2]!.request.topics).toMatchObject([{ partitions: [{ fetchOffset: 5 }] }]);
    expect(cluster.requests('ListOffsets')).toEqual([]);
    expect(member.batches).toEqual([]);
    await membership.leave();
  });

  it('commits the leader epoch of the last batch', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.committed = [5];
    const membership = await joining(cluster).joined;
    const batch = buildBatch([{ value: '5' }], 0);
    batch.writeBigInt64BE(5n, batchLayout.baseOffset);
    batch.writeInt32BE(4, batchLayout.partitionLeaderEpoch);
    cluster.next('Fetch', fetched(batch));
    await cluster.turns();
    await membership.commit([{ topic: 'events', partition: 0, offset: 6 }]);
    const partitions = [{ partition: 0, committedOffset: 6, committedLeaderEpoch: 4 }];
    expect(cluster.requests('OffsetCommit')[0]!.request.topics).toMatchObject([{ partitions }]);
    await membership.leave();
  });

  it('names a partition whose topic is deleted while it is fetched', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.committed = [5];
    const { joined, member } = joining(cluster);
    const membership = await joined;
    cluster.leaders = {};
    cluster.always('Fetch', fetched(NO_BYTES, { errorCode: errorCodes.unknownTopicOrPartition }));
    for (const delay of [200, 400, 800, 1_600]) await cluster.pass(delay);
    const message = 'Topic "events", partition 0 was deleted or has no leader.';
    expect(member.interruptions[0]).toMatchObject({ message });
    await membership.leave();
  });

  it('reports where a partition ends whose records are not readable yet', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.committed = [5];
    const { joined, member } = joining(cluster);
    const membership = await joined;
    cluster.next('Fetch', fetched(NO_BYTES));
    await cluster.turns();
    expect(member.batches).toMatchObject([{ from: 5, next: 5, highWatermark: 9, records: [] }]);
    await membership.leave();
  });

  it('requests a damaged batch again after longer and longer delays', async () => {
    const cluster = new ScriptedCluster();
    cluster.leaders = { events: [1] };
    cluster.committed = [5];
    const intact = buildBatch([{ value: 'intact' }], 0);
    intact.writeBigInt64BE(5n, batchLayout.baseOffset);
    cluster.always('Fetch', fetched(damaged()));
    const { joined } = joining(cluster, { heartbeatInterval: 100_000, sessionTimeout: 600_000 });
    const membership = await joined;
    await cluster.turns();
    const fetches = () => cluster.requests('Fetch').length;
    for (const delay of [200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 30_000, 30_000]) {
      const before = fetches();
      await cluster.pass(delay - 1);
      expect(fetches()).toBe(before);
      await cluster.pass(1);
      expect(fetches()).toBe(before + 1);
    }
    // An intact batch ends the failure, and the next begins with the first delay again.
    cluster.next('Fetch', fetched(intact));
    await cluster.pass(30_000);
    const before = fetches();
    await cluster.pass(200);
    expect(fetches()).toBe(before + 1);
    await membership.leave();
    expect(cluster.clock.next).toBeUndefined();
  });

  it('delays no other partition for a damaged batch', async () => {
    const cluster = new ScriptedCluster();
    const { joined } = joining(cluster, { heartbeatInterval: 100_000, sessionTimeout: 600_000 });
    const lists = (
      partition: number,
      { topics }: { readonly topics: readonly { readonly partitions: object }[] },
    ) => JSON.stringify(topics).includes(`"partition":${partition}`);
    const fetches = (partition: number) =>
      cluster.requests('Fetch').filter(({ request }) => lists(partition, request)).length;
    cluster.always('Fetch', (request) =>
      lists(0, request) ? fetched(damaged()) : fetched(NO_BYTES, { partition: 1 }),
    );
    const membership = await joined;
    for (const delay of [200, 400, 800, 1_600, 3_200]) await cluster.pass(delay);
    const [first, second] = [fetches(0), fetches(1)];
    await cluster.turns();
    expect(fetches(1)).toBeGreaterThan(second);
    const noLeader = { partition: 1, errorCode: errorCodes.notLeaderOrFollower };
    cluster.next('Fetch', fetched(NO_BYTES, noLeader));
    await cluster.turns();
    const third = fetches(1);
    await cluster.pass(200);
    expect(fetches(1)).toBeGreaterThan(third);
    expect(fetches(0)).toBe(first);
    await membership.leave();
  });
});

/** The response to a question for the end of an epoch. */
function endsAt(endOffset: number): object {
  const partitions = [{ partition: 0, errorCode: none, leaderEpoch: 4, endOffset }];
  return { topics: [{ topic: 'events', partitions }] };
}

/** A batch with a wrong checksum. */
function damaged(): Buffer {
  return buildBatch([{ value: 'damaged' }], 0).fill(0, batchLayout.crc, batchLayout.attributes);
}
