import { describe, expect, it } from 'vitest';
import {
  broker,
  clock,
  Member,
  rebalance,
  REBALANCE_MS,
  SESSION_MS,
  stable,
  state,
  useBroker,
} from './group-members.js';
import { settle } from './manual-clock.js';
import { WireClient } from './wire-client.js';

const FETCH = 1;
const LEAVE = 13;

useBroker();

describe('JoinGroup', () => {
  it('returns a member id first from version 4, and admits older clients directly', async () => {
    const modern = new Member('modern');
    expect(await modern.tryJoin({ version: 4 })).toMatchObject({
      errorCode: 79,
      memberId: expect.stringMatching(/^modern-/),
    });
    expect(broker.inspect().groups[0]).toMatchObject({ state: 'Empty', members: [] });
    const old = new Member('old', { group: 'other' });
    expect(await old.tryJoin({ version: 3 })).toMatchObject({ errorCode: 0, generationId: 1 });
  });

  it('forms a group of one without an initial delay', async () => {
    const one = new Member('one');
    await one.join();
    expect(one).toMatchObject({ generation: 1, leader: true, errorCode: 0 });
    expect(await one.sync({ [one.id]: 'all' })).toMatchObject({
      errorCode: 0,
      assignment: Buffer.from('all'),
    });
    expect(state()).toBe('Stable');
  });

  it.each([
    ['without a group id', { group: '' }, 24],
    ['with a session timeout below the range', { sessionMs: 5999 }, 26],
    ['with a session timeout above the range', { sessionMs: 1_800_001 }, 26],
    ['with an unknown member id', { memberId: 'invented' }, 25],
    ['without a protocol', { protocols: [] }, 23],
  ])('refuses a request %s', async (_, options, errorCode) => {
    expect(await new Member('x').tryJoin(options)).toMatchObject({ errorCode });
  });

  it('refuses a client without a protocol in common with the members', async () => {
    await stable('one');
    expect(await new Member('x').tryJoin({ protocols: ['other'] })).toMatchObject({ errorCode: 23 });
    expect(state()).toBe('Stable');
  });

  it('drops a pending member id after the session timeout', async () => {
    const slow = new Member('slow');
    const { memberId } = await slow.tryJoin();
    await clock.advance(SESSION_MS);
    expect(await slow.tryJoin({ memberId })).toMatchObject({ errorCode: 25 });
  });
});

describe('a rebalance', () => {
  it('moves all members to the next generation, and returns them to the leader', async () => {
    const [one] = await stable('one');
    const two = new Member('two');
    const joining = two.join();
    await settle();
    expect(await one.heartbeat()).toBe(27);
    await Promise.all([one.join(), joining]);
    expect([one.generation, two.generation]).toEqual([2, 2]);
    expect([one.leader, two.leader]).toEqual([true, false]);
    expect(one.members.map(({ memberId }) => memberId).sort()).toEqual([one.id, two.id].sort());
    expect(two.members).toEqual([]);

    const waiting = two.sync();
    const [first, second] = await Promise.all([one.sync({ [one.id]: 'a', [two.id]: 'b' }), waiting]);
    expect([String(first.assignment), String(second.assignment)]).toEqual(['a', 'b']);
    expect(state()).toBe('Stable');
    expect(await one.heartbeat()).toBe(0);
  });

  it('continues without a member that does not rejoin within the rebalance timeout', async () => {
    const [one, two] = await stable('one', 'two');
    const three = new Member('three');
    const joins = Promise.all([one.join(), three.join()]);
    // It sends heartbeats without joining.
    for (let waited = 0; waited < REBALANCE_MS; waited += 5000) {
      await clock.advance(5000);
      if (waited < REBALANCE_MS - 5000) expect(await two.heartbeat()).toBe(27);
    }
    await joins;
    expect(
      broker
        .inspect()
        .groups[0]?.members.map(({ id }) => id)
        .sort(),
    ).toEqual([one.id, three.id].sort());
    expect(await two.heartbeat()).toBe(25);
  });

  it('removes a member whose session expires and assigns its partitions to others', async () => {
    const [one, two] = await stable('one', 'two');
    await clock.advance(SESSION_MS - 1000);
    expect(await one.heartbeat()).toBe(0);
    await clock.advance(1000);
    expect(await one.heartbeat()).toBe(27);
    await one.join();
    expect(one.members.map(({ memberId }) => memberId)).toEqual([one.id]);
    expect(await two.heartbeat()).toBe(25);
  });

  it('chooses another leader when the leader leaves', async () => {
    const [one, two] = await stable('one', 'two');
    expect(one.leader).toBe(true);
    expect(await one.leave()).toBe(0);
    await two.join();
    expect(two.leader).toBe(true);
  });

  it('chooses the common protocol that most members prefer', async () => {
    const one = new Member('one', { protocols: ['range', 'roundrobin'] });
    await one.join();
    const two = new Member('two', { protocols: ['roundrobin', 'range'] });
    const three = new Member('three', { protocols: ['roundrobin', 'sticky', 'range'] });
    const joins = Promise.all([two.join(), three.join()]);
    await settle();
    await Promise.all([one.join(), joins]);
    expect(one.protocol).toBe('roundrobin');
  });

  it('restarts for a changed subscription, but not for a repeated request', async () => {
    const [one, two] = await stable('one', 'two');
    expect(await two.tryJoin({ memberId: two.id })).toMatchObject({
      errorCode: 0,
      generationId: one.generation,
    });
    expect(state()).toBe('Stable');
    void two.tryJoin({ memberId: two.id, metadata: 'other topics' });
    await settle();
    expect(state()).toBe('PreparingRebalance');
  });

  it('removes members that join without syncing', async () => {
    const [one, two] = await stable('one', 'two');
    const again = one.join({ metadata: 'new' });
    await settle();
    await Promise.all([again, two.join()]);
    const syncing = one.sync({ [one.id]: 'a' });
    expect(await syncing).toMatchObject({ errorCode: 0 });
    for (let waited = 0; waited < REBALANCE_MS; waited += 5000) {
      await two.heartbeat();
      await one.heartbeat();
      await clock.advance(5000);
    }
    expect(broker.inspect().groups[0]?.members.map(({ id }) => id)).toEqual([one.id]);
  });

  it.each([0, 1])('gives a member with a rebalance timeout of %i ms time to sync', async (rebalanceMs) => {
    const one = new Member('one');
    await one.join({ rebalanceMs });
    await clock.advance(900);
    expect(await one.sync({ [one.id]: 'all' })).toMatchObject({ errorCode: 0 });
    expect(await one.heartbeat()).toBe(0);
  });

  it('gives members with a rebalance timeout of 0 time to rejoin', async () => {
    const one = new Member('one');
    await one.join({ rebalanceMs: 0 });
    await one.sync({ [one.id]: 'all' });
    const two = new Member('two');
    const joining = two.join({ rebalanceMs: 0 });
    await clock.advance(900);
    await Promise.all([one.join({ rebalanceMs: 0 }), joining]);
    expect([one.errorCode, one.generation, two.generation]).toEqual([0, 2, 2]);
  });

  it('ends a waiting SyncGroup with REBALANCE_IN_PROGRESS when it restarts', async () => {
    const [one, two] = await stable('one', 'two');
    const joining = one.join({ metadata: 'new' });
    // A follower that joined first would get the current generation, and the rebalance would not wait for it.
    await settle();
    await Promise.all([joining, two.join()]);
    const waiting = two.sync();
    await settle();
    void new Member('three').join();
    expect((await waiting).errorCode).toBe(27);
  });

  it('ends the long poll of a member on another connection of the same client', async () => {
    const [one] = await stable('one');
    const poller = WireClient.to(broker);
    let ended = false;
    const topics = [
      { topic: 'events', partitions: [{ partition: 0, fetchOffset: 0, partitionMaxBytes: 1000 }] },
    ];
    const body = { replicaId: -1, maxWaitMs: 60_000, minBytes: 1, topics };
    const polling = poller.request(FETCH, 11, body, 'one').then(() => (ended = true));
    await settle();
    expect(ended).toBe(false);
    void new Member('two').join();
    await polling;
    // Until it has rejoined, its polls are short: it sends heartbeats only between them.
    const next = poller.request(FETCH, 11, body, 'one');
    await clock.advance(100);
    await next;
    expect(one.errorCode).toBe(0);
  });
});

describe('static members (KIP-345)', () => {
  it('return under their instance id without a rebalance, with their old assignment', async () => {
    const [one] = await stable('one');
    const fixed = new Member('fixed', { instance: 'node-1' });
    await rebalance([one, fixed], { fixed: 'mine' });
    const generation = fixed.generation;
    const restarted = new Member('fixed', { instance: 'node-1' });
    await restarted.join();
    expect(restarted).toMatchObject({ errorCode: 0, generation, leader: false });
    expect(restarted.id).not.toBe(fixed.id);
    expect(String((await restarted.sync()).assignment)).toBe('mine');
    expect(state()).toBe('Stable');
    expect(await fixed.heartbeat()).toBe(82);
    expect(await restarted.heartbeat()).toBe(0);
  });

  it('stay members through a rebalance that they miss, until their session expires', async () => {
    const [one] = await stable('one');
    const fixed = new Member('fixed', { instance: 'node-1' });
    await rebalance([one, fixed], { fixed: 'mine' });
    await clock.advance(SESSION_MS - 1000);
    await one.heartbeat();
    await clock.advance(1000);
    expect(broker.inspect().groups[0]?.members).toHaveLength(1);
  });

  it('stay members in a rebalance that they miss, but do not lead it', async () => {
    const fixed = new Member('fixed', { instance: 'node-1' });
    await fixed.join();
    await fixed.sync({ [fixed.id]: 'mine' });
    const two = new Member('two');
    const joining = two.join();
    for (let waited = 0; waited < REBALANCE_MS; waited += 5000) {
      await clock.advance(5000);
      await fixed.heartbeat();
    }
    await joining;
    expect(two.leader).toBe(true);
    expect(two.members.map(({ memberId }) => memberId).sort()).toEqual([fixed.id, two.id].sort());
  });

  it('lead again without a new assignment from version 9', async () => {
    const fixed = new Member('fixed', { instance: 'node-1' });
    await fixed.join();
    await fixed.sync({ [fixed.id]: 'mine' });
    const restarted = new Member('fixed', { instance: 'node-1' });
    expect(await restarted.tryJoin({ version: 9 })).toMatchObject({ errorCode: 0, skipAssignment: true });
    const older = new Member('fixed', { instance: 'node-1' });
    const response = await older.tryJoin({ version: 7 });
    expect(response).toMatchObject({ errorCode: 0, members: [] });
    expect(response.leader).not.toBe(response.memberId);
  });

  it('leave when an admin client removes them by instance id', async () => {
    const fixed = new Member('fixed', { instance: 'node-1' });
    await fixed.join();
    await fixed.sync({ [fixed.id]: 'mine' });
    const response = await WireClient.to(broker).request(LEAVE, 4, {
      groupId: 'group',
      members: [
        { memberId: '', groupInstanceId: 'node-1' },
        { memberId: '', groupInstanceId: 'node-2' },
      ],
    });
    expect(response.members).toMatchObject([{ errorCode: 0 }, { errorCode: 25 }]);
    expect(state()).toBe('Empty');
  });
});
