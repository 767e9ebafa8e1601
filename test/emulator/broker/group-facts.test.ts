import { describe, expect, it } from 'vitest';
import {
  broker,
  clock,
  Member,
  rebalance,
  REBALANCE_MS,
  SESSION_MS,
  stable,
  useBroker,
} from './group-members.js';
import { settle } from './manual-clock.js';

const FETCH = 1;
const DESCRIBE = 15;
const DELETE = 42;

useBroker();

describe('inspect() and onCommit()', () => {
  const lastDeparture = () => broker.inspect().groups[0]?.lastDeparture;

  it('return the last departure of a member', async () => {
    const [one, two] = await stable('one', 'two');
    expect(lastDeparture()).toBeUndefined();
    await two.leave();
    expect(lastDeparture()).toEqual({ clientId: 'two', reason: 'left' });
    await rebalance([one]);
    await clock.advance(SESSION_MS);
    expect(broker.inspect().groups[0]).toMatchObject({
      state: 'Empty',
      lastDeparture: { clientId: 'one', reason: 'session expired' },
    });
  });

  it('return that a member did not join again in time', async () => {
    const [one, two] = await stable('one', 'two');
    const joining = one.join({ metadata: 'other topics' });
    for (let waited = 0; waited < REBALANCE_MS; waited += 5000) {
      await two.heartbeat();
      await clock.advance(5000);
    }
    await joining;
    expect(lastDeparture()).toEqual({ clientId: 'two', reason: 'did not join again in time' });
  });

  it('return the time since the last fetch of each member', async () => {
    const [one] = await stable('one', 'two');
    const body = { replicaId: -1, maxWaitMs: 0, minBytes: 0, topics: [] };
    await one.client.request(FETCH, 11, body, 'one');
    await clock.advance(700);
    expect(
      broker.inspect().groups[0]?.members.map(({ clientId, sinceFetchMs }) => [clientId, sinceFetchMs]),
    ).toEqual([
      ['one', 700],
      ['two', undefined],
    ]);
  });

  it('report when the only group of a client first fetched a record', async () => {
    const [one] = await stable('one');
    const append = (count: number) =>
      broker.append(
        'events',
        Array.from({ length: count }, () => ({ partition: 0, value: 'event' })),
      );
    const fetch = (fetchOffset: number) => {
      const partitions = [{ partition: 0, fetchOffset, partitionMaxBytes: 1_000 }];
      const body = { replicaId: -1, maxWaitMs: 0, minBytes: 0, maxBytes: 1_000 };
      return one.client.request(FETCH, 11, { ...body, topics: [{ topic: 'events', partitions }] }, 'one');
    };
    const times = () =>
      [0, 1, 2, 3].map((offset) => broker.fetchedAt('group', { topic: 'events', partition: 0, offset }));
    append(2);
    append(1);
    const begin = clock.now();
    await fetch(0);
    await clock.advance(700);
    await fetch(0);
    append(1);
    await fetch(4);
    expect(times()).toEqual([begin, begin, begin, undefined]);
    await fetch(3);
    expect(times()).toEqual([begin, begin, begin, begin + 700]);
    const other = new Member('one', { group: 'other' });
    await other.join();
    append(1);
    await fetch(4);
    expect(broker.fetchedAt('group', { topic: 'events', partition: 0, offset: 4 })).toBeUndefined();
  });

  it('report each commit until the listener is removed', async () => {
    const [one] = await stable('one');
    const seen: (number | undefined)[] = [];
    const end = broker.onCommit((groupId) =>
      seen.push(broker.inspect().groups.find(({ id }) => id === groupId)?.offsets[0]?.committed),
    );
    await one.commit(1);
    await one.commit(7, { generation: 99 });
    await one.commit(2);
    end();
    await one.commit(3);
    expect(seen).toEqual([1, 2]);
  });
});

describe('DeleteGroups and DescribeGroups', () => {
  it('delete only groups without members', async () => {
    const [one] = await stable('one');
    const remove = async (...groupNames: string[]) => {
      const { results } = await one.client.request(DELETE, 2, { groupNames });
      return (results as { errorCode: number }[]).map(({ errorCode }) => errorCode);
    };
    expect(await remove('group', 'none', '')).toEqual([68, 69, 69]);
    await one.leave();
    expect(await remove('group')).toEqual([0]);
    expect(broker.inspect().groups).toEqual([]);
    one.client.close();
    await settle();
    expect(clock.pending).toBe(0);
  });

  it('describe members with their assignment, and an unknown group as Dead', async () => {
    const [one] = await stable('one');
    const { groups } = await one.client.request(DESCRIBE, 5, { groups: ['group', 'none'] });
    expect(groups).toMatchObject([
      {
        errorCode: 0,
        groupState: 'Stable',
        protocolType: 'consumer',
        protocolData: 'range',
        members: [
          {
            memberId: one.id,
            clientId: 'one',
            clientHost: '/test',
            memberAssignment: Buffer.from('of one'),
          },
        ],
      },
      { errorCode: 0, groupId: 'none', groupState: 'Dead', members: [] },
    ]);
  });

  it('leave no timer behind when the broker stops', async () => {
    await stable('one', 'two');
    void new Member('three').join();
    await settle();
    await broker.stop();
    expect(clock.pending).toBe(0);
  });
});
