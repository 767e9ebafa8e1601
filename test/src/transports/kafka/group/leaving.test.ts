import { describe, expect, it } from 'vitest';
import { errorCodes } from '../../../../../src/kafka-protocol/error-codes.js';
import { cut, groupOptions, joining, refused, ScriptedCluster, within } from './scripted-cluster.js';

const { none, rebalanceInProgress } = errorCodes;

describe('a member that leaves', () => {
  it('releases its partitions, leaves the group and ends its fetches', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    let respond: (response: object) => void = () => undefined;
    cluster.always('Fetch', () => new Promise((resolve) => void (respond = resolve)));
    await cluster.turns();
    let hasLeft = false;
    const leaving = membership.leave().then(() => {
      hasLeft = true;
    });
    await cluster.turns();
    await cluster.turns();
    expect(member.releases).toEqual([{ evicted: false, within }]);
    expect(cluster.requests('LeaveGroup')).toHaveLength(1);
    expect(hasLeft).toBe(false);
    const fetched = member.fetches;
    respond({ errorCode: none, topics: [] });
    await leaving;
    expect(member.fetches).toBe(fetched);
    expect(member.failures).toEqual([]);
    await expect(membership.commit([])).rejects.toMatchObject({ type: 'UNKNOWN_MEMBER_ID' });
    expect(cluster.clock.next).toBeUndefined();
    await membership.leave();
    expect(cluster.requests('LeaveGroup')).toHaveLength(1);
  });

  it('leaves though the coordinator cannot be reached', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    cluster.always('LeaveGroup', cut);
    await membership.leave();
    expect(member.failures).toEqual([]);
  });

  it('does not wait for the next attempt to join', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    cluster.always('JoinGroup', cut);
    cluster.next('Heartbeat', refused(rebalanceInProgress));
    await cluster.pass(3_000);
    const releases = member.releases.length;
    await membership.leave();
    expect(member.releases).toHaveLength(releases);
    expect(cluster.requests('JoinGroup')).toHaveLength(2);
    expect(member.assignments).toHaveLength(1);
    expect(cluster.clock.next).toBeUndefined();
  });

  it('takes no assignment that arrives meanwhile', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    cluster.next('Heartbeat', refused(rebalanceInProgress));
    const respond = cluster.hold('JoinGroup', (request) => cluster.joined(request));
    await cluster.pass(3_000);
    const leaving = membership.leave();
    respond();
    await leaving;
    expect(member.assignments).toHaveLength(1);
    expect(cluster.requests('LeaveGroup')).toHaveLength(1);
  });

  it('leaves while it is assigned partitions', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    let leaving: Promise<void> | undefined;
    member.assigned = () => {
      leaving = membership.leave();
    };
    cluster.next('Heartbeat', refused(rebalanceInProgress));
    await cluster.pass(3_000);
    await leaving;
    expect(member.releases).toHaveLength(2);
    expect(cluster.requests('JoinGroup')).toHaveLength(2);
    expect(cluster.requests('LeaveGroup')).toHaveLength(1);
  });

  it('reports no failure that arrives meanwhile', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    cluster.next('Heartbeat', refused(rebalanceInProgress));
    const refusal = { ...refused(errorCodes.groupAuthorizationFailed), memberId: '' };
    const respond = cluster.hold('JoinGroup', () => refusal);
    await cluster.pass(3_000);
    const leaving = membership.leave();
    respond();
    await leaving;
    expect(member.failures).toEqual([]);
  });

  it('keeps its membership while handlers end', async () => {
    const cluster = new ScriptedCluster();
    const { joined, member } = joining(cluster);
    const membership = await joined;
    let end: () => void = () => undefined;
    member.onRelease = () => new Promise((resolve) => void (end = resolve));
    const leaving = membership.leave();
    cluster.next('Heartbeat', refused(rebalanceInProgress), cut);
    await cluster.pass(groupOptions.heartbeatInterval);
    await cluster.pass(groupOptions.heartbeatInterval);
    await cluster.pass(2_000);
    expect(cluster.requests('Heartbeat')).toHaveLength(3);
    end();
    await leaving;
    expect(cluster.clock.next).toBeUndefined();
  });
});
