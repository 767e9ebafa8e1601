import { describe, expect, it } from 'vitest';
import { decodeForMembers, subscription } from '../../../../../src/kafka-protocol/consumer-protocol.js';
import { errorCodes } from '../../../../../src/kafka-protocol/error-codes.js';
import { buildBatch } from '../../../../../src/kafka-protocol/build-batch.js';
import { batchLayout } from '../../../../../src/kafka-protocol/record-batch.js';
import { cut, fetched, joining, refused, ScriptedCluster, within } from './scripted-cluster.js';

const { none, rebalanceInProgress, unknownMemberId, illegalGeneration, topicAuthorizationFailed } =
  errorCodes;

const [first, second] = [0, 1].map((partition) => ({ topic: 'events', partition }));

describe('a cooperative member', () => {
  it('keeps and fetches its partitions while the group rebalances', async () => {
    const { cluster, member, membership } = await joined();
    const respond = cluster.hold('JoinGroup', (request) => cluster.joined(request));
    await rebalance(cluster);
    expect(cluster.requests('JoinGroup')).toHaveLength(2);
    cluster.next('Fetch', fetched(recordBatch(5)));
    await cluster.turns();
    expect(member.batches).toMatchObject([{ ...first, from: 5, next: 6 }]);
    await membership.commit([{ ...first!, offset: 6 }]);
    expect(cluster.requests('OffsetCommit').at(-1)!.request).toMatchObject({ generationId: 1 });
    const asked = cluster.requests('OffsetFetch').length;
    respond();
    await cluster.turns();
    await cluster.turns();
    expect(member.releases).toEqual([]);
    expect([member.assignments[1], member.kept[1]]).toEqual([[], [first, second]]);
    expect(cluster.requests('OffsetFetch')).toHaveLength(asked);
    expect(fetchedFrom(cluster)).toEqual({ 0: 6, 1: 7 });
    await membership.commit([{ ...first!, offset: 6 }]);
    expect(cluster.requests('OffsetCommit').at(-1)!.request).toMatchObject({ generationId: 2 });
    await membership.leave();
    expect(member.releases).toEqual([{ evicted: false, within }]);
  });

  it('releases what others get, with heartbeats, and joins again without it', async () => {
    const { cluster, member, membership } = await joined();
    let end: () => void = () => undefined;
    member.onRelease = () => new Promise((resolve) => void (end = resolve));
    cluster.next('SyncGroup', () => ({ errorCode: none, assignment: cluster.assignmentOf(0) }));
    await rebalance(cluster);
    await cluster.turns();
    expect(member.releases).toEqual([{ partitions: [second], evicted: false, within }]);
    const beats = cluster.requests('Heartbeat').length;
    await cluster.pass(3_000);
    expect(cluster.requests('Heartbeat').slice(beats)).toMatchObject([{ request: { generationId: 2 } }]);
    // The partition that it keeps is fetched meanwhile.
    cluster.next('Fetch', fetched(recordBatch(5)));
    await cluster.turns();
    expect(member.batches).toMatchObject([{ ...first, from: 5 }]);
    expect(cluster.requests('JoinGroup')).toHaveLength(2);
    cluster.next('SyncGroup', () => ({ errorCode: none, assignment: cluster.assignmentOf(0) }));
    member.onRelease = () => Promise.resolve();
    end();
    await cluster.turns();
    await cluster.turns();
    expect(ownedIn(cluster)).toEqual([
      { generation: -1, partitions: [] },
      { generation: 1, partitions: [0, 1] },
      { generation: 2, partitions: [0] },
    ]);
    expect(member.kept).toEqual([[], [first], [first]]);
    expect(fetchedFrom(cluster)).toEqual({ 0: 6 });
    await membership.leave();
  });

  it('begins what it gets at the committed offset, and continues the rest', async () => {
    const cluster = new ScriptedCluster();
    cluster.next('SyncGroup', () => ({ errorCode: none, assignment: cluster.assignmentOf(0) }));
    const { member, membership } = await joined(cluster);
    cluster.committed = [9, 8];
    await rebalance(cluster);
    await cluster.turns();
    expect([member.assignments[1], member.kept[1]]).toEqual([[{ ...second, position: 8 }], [first]]);
    expect(fetchedFrom(cluster)).toEqual({ 0: 5, 1: 8 });
    await membership.commit([{ ...first!, offset: 6 }]);
    expect(cluster.requests('OffsetCommit').at(-1)!.request).toMatchObject({
      topics: [{ partitions: [{ committedMetadata: 'busbar partitions=2' }] }],
    });
    await membership.leave();
  });

  it.each([unknownMemberId, illegalGeneration])(
    'releases everything when the group does not know it: error %i',
    async (errorCode) => {
      const { cluster, member, membership } = await joined();
      cluster.next('JoinGroup', refused(errorCode));
      await rebalance(cluster);
      expect(member.releases).toEqual([{ evicted: true, within }]);
      await cluster.pass(100);
      await cluster.turns();
      expect(ownedIn(cluster).at(-1)).toEqual({ generation: -1, partitions: [] });
      expect(member.assignments[1]).toHaveLength(2);
      await membership.leave();
    },
  );

  it('keeps its partitions while the coordinator cannot be reached', async () => {
    const { cluster, member, membership } = await joined();
    cluster.next('JoinGroup', cut, cut);
    await rebalance(cluster);
    await cluster.pass(100);
    await cluster.pass(200);
    await cluster.turns();
    expect(member.releases).toEqual([]);
    expect(member.kept[1]).toEqual([first, second]);
    await membership.leave();
  });

  it('does not fetch a partition that is paused, after a rebalance either', async () => {
    const { cluster, membership } = await joined();
    membership.pause('events', 0);
    await rebalance(cluster);
    await cluster.turns();
    expect(fetchedFrom(cluster)).toEqual({ 1: 7 });
    membership.resume('events', 0);
    await cluster.turns();
    expect(fetchedFrom(cluster)).toEqual({ 0: 5, 1: 7 });
    await membership.leave();
  });

  it('fails when a fetch during a rebalance fails for good', async () => {
    const { cluster, member } = await joined();
    const respond = cluster.hold('JoinGroup', (request) => cluster.joined(request));
    cluster.always('Fetch', fetched(recordBatch(5), { errorCode: topicAuthorizationFailed }));
    await rebalance(cluster);
    respond();
    await cluster.turns();
    await cluster.turns();
    expect(member.failures).toMatchObject([{ code: 'not-authorized' }]);
    expect(member.releases).toEqual([{ evicted: false, within }]);
  });

  it('releases its partitions when it leaves during a rebalance', async () => {
    const { cluster, member, membership } = await joined();
    const respond = cluster.hold('JoinGroup', (request) => cluster.joined(request));
    await rebalance(cluster);
    const leaving = membership.leave();
    respond();
    await leaving;
    expect(member.releases).toEqual([{ evicted: false, within }]);
    expect(cluster.requests('LeaveGroup')).toHaveLength(1);
    expect(cluster.clock.next).toBeUndefined();
  });
});

async function joined(cluster = new ScriptedCluster()) {
  const { member, joined: membership } = joining(cluster, { rebalance: 'cooperative' });
  return { cluster, member, membership: await membership };
}

/** A batch of one record at an offset. */
function recordBatch(offset: number): Buffer {
  const batch = buildBatch([{ value: 'value' }], 0);
  batch.writeBigInt64BE(BigInt(offset), batchLayout.baseOffset);
  return batch;
}

/** Makes the next heartbeat tell the member of a rebalance. */
async function rebalance(cluster: ScriptedCluster): Promise<void> {
  cluster.next('Heartbeat', refused(rebalanceInProgress));
  await cluster.pass(3_000);
}

/** Returns the generation and partitions in each request to join. */
function ownedIn(cluster: ScriptedCluster) {
  return cluster.requests('JoinGroup').map(({ request }) => {
    const { generationId, ownedPartitions } = decodeForMembers(subscription, request.protocols[0]!.metadata);
    return { generation: generationId, partitions: ownedPartitions.flatMap(({ partitions }) => partitions) };
  });
}

/** The offsets of the last fetch by partition. */
function fetchedFrom(cluster: ScriptedCluster): Record<number, number> {
  const [topic] = cluster.requests('Fetch').at(-1)!.request.topics;
  const partitions = topic!.partitions as unknown as { partition: number; fetchOffset: number }[];
  return Object.fromEntries(partitions.map(({ partition, fetchOffset }) => [partition, fetchOffset]));
}
