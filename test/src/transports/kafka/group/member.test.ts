import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../../../../src/kafka-protocol/error-codes.js';
import { cut, joining, refused, ScriptedCluster, within } from './scripted-cluster.js';

const { none, rebalanceInProgress, unknownMemberId, illegalGeneration, fencedInstanceId } = errorCodes;

describe('a member of a group', () => {
  it('sends heartbeats at their interval', async () => {
    const cluster = new ScriptedCluster();
    const membership = await joining(cluster).joined;
    await cluster.pass(2_999);
    expect(cluster.requests('Heartbeat')).toEqual([]);
    await cluster.pass(1);
    expect(cluster.requests('Heartbeat')).toMatchObject([
      { node: 1, request: { groupId: 'readers', groupInstanceId: null, memberId: 'me', generationId: 1 } },
    ]);
    await cluster.pass(3_000);
    expect(cluster.requests('Heartbeat')).toHaveLength(2);
    await membership.leave();
    await cluster.pass(9_000);
    expect(cluster.requests('Heartbeat')).toHaveLength(2);
  });

  it.each([
    [3_000, 2_000],
    [500, 500],
  ])(
    'repeats a failed heartbeat of %i ms after %i ms, and reports what lasts',
    async (heartbeatInterval, delay) => {
      const cluster = new ScriptedCluster();
      const { joined, member } = joining(cluster, { heartbeatInterval });
      const membership = await joined;
      cluster.always('Heartbeat', cut);
      await cluster.pass(heartbeatInterval);
      await cluster.pass(delay - 1);
      expect(cluster.requests('Heartbeat')).toHaveLength(1);
      await cluster.pass(1);
      expect(cluster.requests('Heartbeat')).toHaveLength(2);
      for (let passed = delay; passed < 3_000; passed += 500) await cluster.pass(500);
      expect(member.interruptions.length).toBeGreaterThan(0);
      expect(member.since[0]).toBe(heartbeatInterval);
      cluster.always('Heartbeat');
      await cluster.pass(delay);
      expect(member.restorations).toBe(1);
      const count = cluster.requests('Heartbeat').length;
      await cluster.pass(heartbeatInterval - 1);
      expect(cluster.requests('Heartbeat')).toHaveLength(count);
      await cluster.pass(1);
      expect(cluster.requests('Heartbeat')).toHaveLength(count + 1);
      expect(member.assignments).toHaveLength(1);
      await membership.leave();
    },
  );

  it('releases its partitions and joins again when the group rebalances', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    const offsets = [{ topic: 'events', partition: 0, offset: 9 }];
    let end: () => void = () => undefined;
    member.onRelease = () => new Promise((resolve) => void (end = resolve));
    cluster.always('Heartbeat', refused(rebalanceInProgress));
    await cluster.pass(3_000);
    expect(member.releases).toEqual([{ evicted: false, within }]);
    // Until handlers have ended, it stays a member, and commits as it was.
    await cluster.pass(3_000);
    await cluster.pass(3_000);
    expect(cluster.requests('Heartbeat')).toHaveLength(3);
    await membership.commit(offsets);
    expect(cluster.requests('OffsetCommit').at(-1)!.request).toMatchObject({
      memberId: 'me',
      generationId: 1,
    });
    expect(cluster.requests('JoinGroup')).toHaveLength(1);
    cluster.always('Heartbeat');
    member.onRelease = () => Promise.resolve();
    end();
    await cluster.turns();
    await cluster.turns();
    expect(cluster.requests('JoinGroup').map(({ request }) => request.memberId)).toEqual(['', 'me']);
    expect(member.assignments).toHaveLength(2);
    await membership.commit(offsets);
    expect(cluster.requests('OffsetCommit').at(-1)!.request).toMatchObject({ generationId: 2 });
    expect(cluster.logger.lines).toEqual([]);
    await membership.leave();
  });

  it('says which offsets the group accepts, next to one that it refuses', async () => {
    const cluster = new ScriptedCluster();
    const membership = await joining(cluster).joined;
    const codes = [none, errorCodes.unknownTopicOrPartition];
    const partitions = codes.map((errorCode, partition) => ({ partition, errorCode }));
    cluster.next('OffsetCommit', { topics: [{ name: 'events', partitions }] });
    const offsets = codes.map((_, partition) => ({ topic: 'events', partition, offset: 9 }));
    const accepted: object[] = [];
    await expect(membership.commit(offsets, (each) => void accepted.push(each))).rejects.toThrow();
    expect(accepted).toEqual([{ topic: 'events', partition: 0 }]);
    await membership.leave();
  });

  it('ends without its partitions when another process has its name in the group', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster, { groupInstanceId: 'pod-0' });
    await joined;
    cluster.next('Heartbeat', refused(fencedInstanceId));
    await cluster.pass(3_000);
    await cluster.turns();
    expect(member.releases).toEqual([{ evicted: true, within }]);
    expect(member.failures).toMatchObject([{ code: 'group-mismatch' }]);
    expect(cluster.requests('LeaveGroup')).toEqual([]);
  });

  it('names a static member in each request, and stays in the group when it stops', async () => {
    const cluster = new ScriptedCluster();
    const { joined } = joining(cluster, { groupInstanceId: 'pod-0' });
    const membership = await joined;
    await membership.commit([{ topic: 'events', partition: 0, offset: 9 }]);
    await cluster.pass(3_000);
    await membership.leave();
    for (const api of ['JoinGroup', 'SyncGroup', 'OffsetCommit', 'Heartbeat'] as const)
      expect(cluster.requests(api).map(({ request }) => request.groupInstanceId)).toContain('pod-0');
    expect(cluster.requests('LeaveGroup')).toEqual([]);
  });

  it('warns of an eviction once, also when it has no partitions', async () => {
    const cluster = new ScriptedCluster();
    cluster.next('SyncGroup', () => ({ errorCode: none, assignment: cluster.assignmentOf() }));
    const { joined, member } = joining(cluster);
    const membership = await joined;
    cluster.next('Heartbeat', refused(unknownMemberId));
    cluster.next('JoinGroup', refused(unknownMemberId));
    await cluster.pass(3_000);
    await cluster.pass(3_000);
    expect(cluster.requests('JoinGroup')).toHaveLength(3);
    expect(member.releases).toEqual([]);
    expect(cluster.logger.lines).toEqual(['warn: group session timed out {"group":"readers"}']);
    await membership.leave();
  });

  it.each([[unknownMemberId], [illegalGeneration]])(
    'gives up its partitions when the group evicts it with error %i',
    async (code) => {
      const cluster = new ScriptedCluster();
      const { joined, member } = joining(cluster);
      const membership = await joined;
      const commit = () => membership.commit([{ topic: 'events', partition: 0, offset: 9 }]);
      let end: () => void = () => undefined;
      member.onRelease = () => new Promise((resolve) => void (end = resolve));
      cluster.next('Heartbeat', refused(code));
      await cluster.pass(3_000);
      expect(member.releases).toEqual([{ evicted: true, within }]);
      expect(cluster.logger.lines).toEqual(['warn: group session timed out {"group":"readers"}']);
      await expect(commit()).rejects.toMatchObject({ type: 'UNKNOWN_MEMBER_ID' });
      await cluster.pass(9_000);
      expect(cluster.requests('Heartbeat')).toHaveLength(1);
      expect(cluster.requests('JoinGroup')).toHaveLength(1);
      member.onRelease = () => Promise.resolve();
      end();
      await cluster.turns();
      await cluster.turns();
      expect(cluster.requests('JoinGroup').map(({ request }) => request.memberId)).toEqual(['', '']);
      await commit();
      await membership.leave();
    },
  );

  it.each([
    [errorCodes.coordinatorLoadInProgress, 1],
    ...[unknownMemberId, illegalGeneration, fencedInstanceId, rebalanceInProgress].map((code) => [code, 0]),
  ])('reports commits that fail with error %i for three seconds: %i times', async (errorCode, times) => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    const commit = () => membership.commit([{ topic: 'events', partition: 0, offset: 9 }]);
    cluster.next('OffsetCommit', { topics: [{ name: 'events', partitions: [{ partition: 0, errorCode }] }] });
    await expect(commit()).rejects.toThrow();
    await cluster.pass(3_000);
    expect(member.interruptions).toHaveLength(times);
    await commit();
    expect(member.restorations).toBe(times);
    await membership.leave();
  });

  it('waits for handlers half a second longer than they have, and logs when it stops', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    member.onRelease = () => new Promise(() => undefined);
    cluster.next('Heartbeat', refused(rebalanceInProgress));
    await cluster.pass(3_000);
    await cluster.pass(within + 499);
    expect(cluster.requests('JoinGroup')).toHaveLength(1);
    expect(cluster.logger.lines).toEqual([]);
    member.onRelease = () => Promise.resolve();
    await cluster.pass(1);
    await cluster.turns();
    expect(cluster.requests('JoinGroup')).toHaveLength(2);
    const late = ['warn: handlers did not end before the rebalance {"group":"readers"}'];
    expect(cluster.logger.lines).toEqual(late);
    await membership.leave();
    await cluster.pass(600_000);
    expect(cluster.logger.lines).toEqual(late);
  });

  it.each([
    [
      'a heartbeat',
      (cluster: ScriptedCluster) => cluster.next('Heartbeat', refused(errorCodes.groupAuthorizationFailed)),
    ],
    [
      'a fetch',
      (cluster: ScriptedCluster) =>
        cluster.next('Fetch', { errorCode: errorCodes.topicAuthorizationFailed, topics: [] }),
    ],
  ])('ends when retries of %s do not help', async (_, arrange) => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    arrange(cluster);
    await cluster.pass(3_000);
    await cluster.turns();
    await cluster.turns();
    expect(member.releases).toEqual([{ evicted: false, within }]);
    expect(member.failures).toMatchObject([
      {
        code: 'not-authorized',
        message: expect.stringContaining(
          'Kafka at kafka:9092 no longer lets group "readers" consume "events"',
        ) as string,
      },
    ]);
    expect(cluster.requests('LeaveGroup')).toHaveLength(1);
    await expect(membership.commit([])).rejects.toMatchObject({ type: 'UNKNOWN_MEMBER_ID' });
    expect(cluster.clock.next).toBeUndefined();
  });
});
