import { describe, expect, it } from 'vitest';
import { broker, Member, rebalance, stable, state, useBroker } from './group-members.js';
import { settle } from './manual-clock.js';
import { WireClient } from './wire-client.js';

const FETCH = 1;
const API_VERSIONS = 18;
const UNKNOWN_MEMBER_ID = 25;
const REBALANCE_IN_PROGRESS = 27;

useBroker();

describe('evict()', () => {
  it('removes members at once, and the others rebalance without them', async () => {
    const [one, two] = await stable('one', 'two');
    expect(broker.evict({ group: 'group', client: 'two' })).toBe(1);
    expect(await two.heartbeat()).toBe(UNKNOWN_MEMBER_ID);
    expect(await one.heartbeat()).toBe(REBALANCE_IN_PROGRESS);
    await one.join();
    expect(one.members.map(({ memberId }) => memberId)).toEqual([one.id]);
    expect(broker.inspect().groups[0]?.lastDeparture).toEqual({ clientId: 'two', reason: 'evicted' });
  });

  it('removes all members, so that the next one waits for none of them', async () => {
    const [one, two] = await stable('one', 'two');
    expect(broker.evict({ group: 'group' })).toBe(2);
    expect(state()).toBe('Empty');
    const three = new Member('three');
    await rebalance([three]);
    expect(state()).toBe('Stable');
    expect(await Promise.all([one.heartbeat(), two.heartbeat()])).toEqual([
      UNKNOWN_MEMBER_ID,
      UNKNOWN_MEMBER_ID,
    ]);
  });

  it('refuses a member that waits to join', async () => {
    const [one] = await stable('one');
    const two = new Member('two');
    const joining = two.join();
    await settle();
    expect(broker.evict({ group: 'group', client: 'two' })).toBe(1);
    await joining;
    expect(two.errorCode).toBe(UNKNOWN_MEMBER_ID);
    await one.join();
    expect(one.errorCode).toBe(0);
  });

  it('forgets ids of clients that have not joined with them', async () => {
    const [one] = await stable('one');
    await new Member('two').tryJoin();
    void one.join();
    await settle();
    expect(state()).toBe('PreparingRebalance');
    broker.evict({ group: 'group', client: 'two' });
    await settle();
    expect(state()).toBe('CompletingRebalance');
  });

  it('names the groups in the error for an unknown one', async () => {
    await stable('one');
    expect(() => broker.evict({ group: 'grup' })).toThrow(/no consumer group "grup"\. Its groups: "group"\./);
    expect(() => broker.evict({ gruop: 'group' } as never)).toThrow(
      /no option "gruop"\. Did you mean "group"/,
    );
  });
});

describe('rebalance()', () => {
  it('makes every member join again', async () => {
    const [one, two] = await stable('one', 'two');
    const { generation } = one;
    expect(broker.rebalance({ group: 'group' })).toBe(2);
    expect(await Promise.all([one.heartbeat(), two.heartbeat()])).toEqual([
      REBALANCE_IN_PROGRESS,
      REBALANCE_IN_PROGRESS,
    ]);
    await Promise.all([one.join(), two.join()]);
    expect([one.generation, two.generation]).toEqual([generation + 1, generation + 1]);
  });

  it('leaves a group without members alone', async () => {
    const [one] = await stable('one');
    await one.leave();
    const generation = broker.inspect().groups[0]?.generation;
    expect(broker.rebalance({ group: 'group' })).toBe(0);
    expect(broker.inspect().groups[0]).toMatchObject({ state: 'Empty', generation });
    expect(() => broker.rebalance({ group: 'other' })).toThrow(/no consumer group "other"/);
  });
});

describe('truncate()', () => {
  const fetchFrom = async (partition: number, fetchOffset: number): Promise<[number, boolean]> => {
    const { client } = new Member('reader');
    const partitions = [{ partition, fetchOffset, partitionMaxBytes: 1000 }];
    const body = {
      ...{ replicaId: -1, maxWaitMs: 0, minBytes: 0, maxBytes: 1000, isolationLevel: 0 },
      topics: [{ topic: 'events', partitions }],
    };
    const response = await client.request(FETCH, 4, body);
    const { errorCode, records } = response.topics[0].partitions[0];
    return [errorCode, records.length > 0];
  };
  const append = (partition: number) => {
    for (const value of ['a', 'b', 'c']) broker.append('events', [{ value, partition }]);
  };

  it('deletes the records before an offset', async () => {
    append(0);
    append(1);
    broker.truncate({ topic: 'events', partition: 0, before: 2 });
    expect(await fetchFrom(0, 1)).toEqual([1, false]);
    expect(await fetchFrom(0, 2)).toEqual([0, true]);
    expect(await fetchFrom(1, 0)).toEqual([0, true]);
  });

  it('deletes all records of a topic', async () => {
    append(0);
    append(1);
    broker.truncate({ topic: 'events' });
    expect([await fetchFrom(0, 2), await fetchFrom(1, 2)]).toEqual([
      [1, false],
      [1, false],
    ]);
    expect(await fetchFrom(0, 3)).toEqual([0, false]);
  });

  it.each([
    [{ topic: 'evnts' }, 'unknown-topic', /no topic "evnts"\./],
    [{ topic: 'events', partition: 2 }, 'unknown-topic', /no topic "events" with a partition 2/],
    [{ topic: 'events', before: 4 }, 'invalid-option', /"before" is 4, but the log ends at 3/],
  ])('refuses %o', (options, code, message) => {
    append(0);
    append(1);
    expect(() => broker.truncate(options)).toThrow(message);
    expect(() => broker.truncate(options)).toThrow(expect.objectContaining({ code }));
    expect(broker.inspect().topics[0]?.partitions.map(({ startOffset }) => startOffset)).toEqual([0, 0]);
  });
});

describe('closeConnections()', () => {
  it('closes those of one client, or all', async () => {
    const connected = async (clientId: string) => {
      const client = WireClient.to(broker);
      await client.request(API_VERSIONS, 0, {}, clientId);
      return client;
    };
    const [one, two] = [await connected('one'), await connected('two')];
    expect(broker.closeConnections({ client: 'one' })).toBe(1);
    await one.closed;
    expect(two.stream.destroyed).toBe(false);
    expect(broker.closeConnections()).toBe(1);
    await two.closed;
    expect(broker.closeConnections()).toBe(0);
  });
});
