import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../../../../src/kafka-protocol/error-codes.js';
import { NO_BYTES } from '../../../../../src/kafka-protocol/fields.js';
import { partitionsIn } from '../../../../../src/transports/kafka/group/assignor.js';
import { cut, joining, refused, ScriptedCluster } from './scripted-cluster.js';

const { none, rebalanceInProgress, unknownMemberId, illegalGeneration } = errorCodes;

describe('a member that joins', () => {
  it('sends its subscription, and the assignment of the group that it leads', async () => {
    const cluster = new ScriptedCluster();
    const { member, joined } = joining(cluster);
    const membership = await joined;
    expect(cluster.requests('FindCoordinator')).toMatchObject([
      { node: undefined, request: { key: 'readers', coordinatorKeys: [] } },
    ]);
    expect(cluster.requests('JoinGroup')).toMatchObject([
      {
        api: 'JoinGroup',
        node: 1,
        request: {
          groupId: 'readers',
          groupInstanceId: null,
          memberId: '',
          sessionTimeoutMs: 30_000,
          rebalanceTimeoutMs: 60_000,
          protocolType: 'consumer',
          protocols: ['RoundRobinAssigner', 'cooperative-sticky'].map((name) => ({
            name,
            metadata: expect.any(Buffer) as Buffer,
          })),
          reason: null,
        },
        timeout: 65_000,
      },
    ]);
    const { assignments, ...rest } = cluster.requests('SyncGroup')[0]!.request;
    expect(rest).toEqual({
      groupId: 'readers',
      groupInstanceId: null,
      memberId: 'me',
      generationId: 1,
      protocolType: 'consumer',
      protocolName: 'RoundRobinAssigner',
    });
    expect(assignments.map(({ memberId, assignment }) => [memberId, partitionsIn(assignment)])).toEqual([
      ['me', [0, 1].map((partition) => ({ topic: 'events', partition }))],
    ]);
    expect(member.assignments).toEqual([
      [
        { topic: 'events', partition: 0, position: 5 },
        { topic: 'events', partition: 1, position: 7 },
      ],
    ]);
    await membership.leave();
  });

  it('looks for partitions and assigns them only as the leader', async () => {
    const cluster = new ScriptedCluster();
    cluster.leader = 'other';
    cluster.next('SyncGroup', () => ({ errorCode: none, assignment: NO_BYTES }));
    const { member, joined } = joining(cluster);
    const membership = await joined;
    expect(cluster.requests('SyncGroup')[0]!.request.assignments).toEqual([]);
    await cluster.pass(3_000_000);
    expect(cluster.requests('Metadata')).toEqual([]);
    expect(cluster.requests('OffsetFetch')).toEqual([]);
    expect(member).toMatchObject({ assignments: [[]], failures: [] });
    await membership.leave();
  });

  it('uses the member id that the coordinator gives it, at once', async () => {
    const cluster = new ScriptedCluster();
    cluster.next('JoinGroup', { errorCode: errorCodes.memberIdRequired, memberId: 'given' });
    const { joined } = joining(cluster);
    const membership = await joined;
    expect(cluster.requests('JoinGroup').map(({ request }) => request.memberId)).toEqual(['', 'given']);
    expect(cluster.clock.now()).toBe(0);
    await membership.leave();
  });

  it('joins again at once when the group rebalances before it is assigned', async () => {
    const cluster = new ScriptedCluster();
    cluster.next('SyncGroup', refused(rebalanceInProgress));
    const { joined, member } = joining(cluster);
    const membership = await joined;
    expect(cluster.requests('JoinGroup').map(({ request }) => request.memberId)).toEqual(['', 'me']);
    expect(member.assignments).toHaveLength(1);
    await membership.leave();
  });

  it('joins as a new member when the group does not know it', async () => {
    const cluster = new ScriptedCluster();
    cluster.next('SyncGroup', ...[unknownMemberId, illegalGeneration].map(refused));
    const { joined, member } = joining(cluster);
    for (const delay of [100, 200]) await cluster.pass(delay);
    const membership = await joined;
    expect(cluster.requests('JoinGroup').map(({ request }) => request.memberId)).toEqual(['', '', '']);
    expect(member.interruptions).toEqual([]);
    await membership.leave();
  });

  it('tries again after 100 ms, and doubles the delay up to two seconds', async () => {
    const cluster = new ScriptedCluster();
    cluster.always('JoinGroup', cut);
    const { joined, member } = joining(cluster);
    const attempts: number[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      await cluster.turns();
      attempts.push(cluster.clock.now());
      expect(cluster.requests('JoinGroup')).toHaveLength(attempt + 1);
      // The outage has a timer, too.
      while (cluster.requests('JoinGroup').length === attempt + 1) {
        cluster.clock.advanceToNext();
        await cluster.turns();
      }
    }
    expect(attempts).toEqual([0, 100, 300, 700, 1_500, 3_100, 5_100, 7_100]);
    expect(member.interruptions[0]).toMatchObject({ message: 'Connection closed' });
    cluster.always('JoinGroup');
    await cluster.pass(2_000);
    const membership = await joined;
    expect(member.restorations).toBe(1);
    await membership.leave();
  });

  it.each([
    ['did not answer', cut, 2],
    ['was not found', () => Promise.resolve({ errorCode: errorCodes.coordinatorLoadInProgress }), 1],
  ])('looks for the coordinator again when it %s', async (_, response, count) => {
    const cluster = new ScriptedCluster();
    cluster.next(count === 2 ? 'JoinGroup' : 'FindCoordinator', response);
    const { joined } = joining(cluster);
    await cluster.pass(100);
    const membership = await joined;
    expect(cluster.requests('FindCoordinator')).toHaveLength(2);
    expect(cluster.requests('JoinGroup')).toHaveLength(count);
    await membership.leave();
  });

  it.each([
    ['Connection closed', cut],
    ['COORDINATOR_LOAD_IN_PROGRESS', { errorCode: errorCodes.coordinatorLoadInProgress }],
  ])('reports that it finds no coordinator: %s', async (message, response) => {
    const cluster = new ScriptedCluster();
    cluster.always('FindCoordinator', response);
    const { joined, member } = joining(cluster);
    for (const delay of [100, 200, 400, 800, 1_600]) await cluster.pass(delay);
    expect(member.interruptions[0]).toMatchObject({ message });
    cluster.always('FindCoordinator');
    await cluster.pass(2_000);
    expect(member.restorations).toBe(1);
    await (await joined).leave();
  });

  it.each([
    ['NOT_COORDINATOR', errorCodes.notCoordinator],
    ['COORDINATOR_NOT_AVAILABLE', errorCodes.coordinatorNotAvailable],
  ])('asks the next coordinator at once after %s, and once only', async (_, code) => {
    const cluster = new ScriptedCluster();
    cluster.next('FindCoordinator', { errorCode: none, nodeId: 3 }, { errorCode: none, nodeId: 4 });
    cluster.next('JoinGroup', { ...refused(code), memberId: '' }, { ...refused(code), memberId: '' });
    const { joined } = joining(cluster);
    await cluster.turns();
    expect(cluster.requests('JoinGroup').map(({ node }) => node)).toEqual([3, 4]);
    await cluster.pass(100);
    const membership = await joined;
    expect(cluster.requests('JoinGroup').map(({ node }) => node)).toEqual([3, 4, 1]);
    await membership.leave();
  });

  it('asks the same coordinator again after another refusal', async () => {
    const cluster = new ScriptedCluster();
    cluster.next('JoinGroup', { ...refused(errorCodes.coordinatorLoadInProgress), memberId: '' });
    const { joined } = joining(cluster);
    await cluster.pass(100);
    const membership = await joined;
    expect(cluster.requests('FindCoordinator')).toHaveLength(1);
    await membership.leave();
  });

  it('rejects when retries do not help, and leaves the group', async () => {
    const cluster = new ScriptedCluster();
    cluster.next('OffsetFetch', { ...refused(errorCodes.groupAuthorizationFailed), topics: [] });
    const { joined, member } = joining(cluster, { topics: ['events', 'other'] });
    await expect(joined).rejects.toMatchObject({
      code: 'not-authorized',
      message: expect.stringContaining(
        'Kafka at kafka:9092 did not let group "readers" consume "events", "other" (GROUP_AUTHORIZATION_FAILED)',
      ) as string,
    });
    expect(cluster.requests('LeaveGroup')).toMatchObject([
      {
        node: 1,
        request: {
          groupId: 'readers',
          memberId: 'me',
          members: [{ memberId: 'me', groupInstanceId: null, reason: null }],
        },
      },
    ]);
    expect(member).toMatchObject({ assignments: [], releases: [], failures: [] });
    expect(cluster.clock.next).toBeUndefined();
  });

  it('leaves the group when its signal aborts before it is assigned', async () => {
    const cluster = new ScriptedCluster();
    const respond = cluster.hold('SyncGroup', () => refused(rebalanceInProgress));
    const aborting = new AbortController();
    const { joined, member } = joining(cluster, {}, aborting.signal);
    await cluster.turns();
    aborting.abort(new Error('enough'));
    respond();
    await expect(joined).rejects.toThrow('enough');
    expect(cluster.requests('LeaveGroup')).toHaveLength(1);
    expect(member.assignments).toEqual([]);
  });

  it('sends nothing to a group in which it never was', async () => {
    const cluster = new ScriptedCluster();
    cluster.next('JoinGroup', { ...refused(errorCodes.groupAuthorizationFailed), memberId: '' });
    await expect(joining(cluster).joined).rejects.toMatchObject({ code: 'not-authorized' });
    expect(cluster.requests('LeaveGroup')).toEqual([]);
  });
});
