import { describe, expect, it } from 'vitest';
import { broker, Member, stable, state, useBroker } from './group-members.js';
import { settle } from './manual-clock.js';

const OFFSET_FETCH = 9;

useBroker();

describe('OffsetCommit', () => {
  it('stores offsets with metadata; OffsetFetch returns -1 before the first commit', async () => {
    const [one] = await stable('one');
    expect(await one.commit(5, { metadata: 'note' })).toBe(0);
    for (const version of [1, 2, 5, 7]) {
      const body = { groupId: 'group', topics: [{ name: 'events', partitions: [0, 1] }] };
      const response = await one.client.request(OFFSET_FETCH, version, body);
      expect(response.topics[0].partitions).toMatchObject([
        { partition: 0, committedOffset: 5, metadata: 'note', errorCode: 0 },
        { partition: 1, committedOffset: -1, metadata: '', errorCode: 0 },
      ]);
    }
    const body = {
      groups: [
        { groupId: 'group', topics: null },
        { groupId: 'nobody', topics: null },
      ],
    };
    const several = await one.client.request(OFFSET_FETCH, 8, body);
    expect(several.groups[0].topics[0].partitions).toMatchObject([{ partition: 0, committedOffset: 5 }]);
    expect(several.groups[1]).toMatchObject({ groupId: 'nobody', topics: [], errorCode: 0 });
  });

  it('accepts commits in all versions', async () => {
    const [one] = await stable('one');
    for (const version of [1, 2, 3, 4, 5, 6, 7, 8, 9]) expect(await one.commit(version, { version })).toBe(0);
    expect(broker.inspect().groups[0]?.offsets).toMatchObject([
      { topic: 'events', partition: 0, committed: 9 },
    ]);
  });

  it('accepts commits while members join, but not while a rebalance completes', async () => {
    const [one] = await stable('one');
    const joining = new Member('two').join();
    await settle();
    expect(state()).toBe('PreparingRebalance');
    expect(await one.commit(1)).toBe(0);
    await Promise.all([one.join(), joining]);
    expect(state()).toBe('CompletingRebalance');
    expect(await one.commit(2)).toBe(27);
    expect(broker.inspect().groups[0]?.offsets[0]?.committed).toBe(1);
  });

  it('refuses commits of strangers and of other generations', async () => {
    const [one] = await stable('one');
    expect(await one.commit(1, { generation: 7 })).toBe(22);
    expect(await one.commit(1, { memberId: 'stranger' })).toBe(25);
    expect(await one.commit(1, { memberId: '', generation: -1 })).toBe(25);
    expect(await new Member('x', { group: 'none' }).commit(1, { generation: 3 })).toBe(22);
  });

  it('accepts commits without a group protocol while the group has no members', async () => {
    const alone = new Member('alone', { group: 'manual' });
    expect(await alone.commit(3, { memberId: '', generation: -1 })).toBe(0);
    expect(broker.inspect().groups[0]).toMatchObject({ id: 'manual', state: 'Empty' });
  });

  it('refuses unknown partitions and too long metadata', async () => {
    const [one] = await stable('one');
    expect(await one.commit(1, { partition: 9 })).toBe(3);
    expect(await one.commit(1, { metadata: 'x'.repeat(4097) })).toBe(12);
  });

  it('loses offsets when the topic is deleted', async () => {
    const [one] = await stable('one');
    await one.commit(1);
    await one.client.request(20, 3, { topicNames: ['events'], timeoutMs: 0 });
    expect(broker.inspect().groups[0]?.offsets).toEqual([]);
  });
});
