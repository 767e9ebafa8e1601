import type { Dialogue } from '../dialogue.js';
import { GroupRequests } from './group-requests.js';
import { createTopic, type Prepared } from './prepare.js';

/** Offsets of groups without members: committed, read back, refused, deleted. */
export async function offsets(to: Dialogue): Promise<void> {
  const topic = await createTopic(to, 'committed', 2);
  const group = new GroupRequests(to, 'offsets');
  const commit = (label: string, changes: Record<string, unknown> = {}, name = topic.name) =>
    group.commit(`commit ${label}`, '', -1, name, changes);
  await to.step('offsets of an unknown group', 'OffsetFetch', request(group.id, topic.name, [0]));
  await to.step('all offsets of an unknown group', 'OffsetFetch', request(group.id, null));
  await group.commit('commit as a member of an unknown group', 'nobody', 3, topic.name);
  await group.commit('commit as a member without generation of an unknown group', 'nobody', -1, topic.name);
  await group.commit('commit in a generation of an unknown group', '', 3, topic.name);
  await to.inEveryVersion('commit', 'OffsetCommit', () => ({
    ...{ groupId: group.id, generationId: -1, memberId: '', groupInstanceId: null, retentionTimeMs: -1 },
    topics: [
      {
        name: topic.name,
        partitions: [
          {
            partition: 0,
            committedOffset: 5,
            committedLeaderEpoch: 0,
            commitTimestamp: -1,
            committedMetadata: 'm',
          },
        ],
      },
    ],
  }));
  await commit('to an unknown partition', { partition: 9 });
  await commit('to a negative partition', { partition: -1 });
  await commit('to an unknown topic', {}, to.named('unknown'));
  await commit('to a bad topic', {}, 'a b');
  await commit('a negative offset', { partition: 1, committedOffset: -5 });
  await commit('beyond the log', { partition: 1, committedOffset: 10_000 });
  await commit('no metadata', { partition: 1, committedMetadata: null });
  await commit('much metadata', { committedMetadata: 'x'.repeat(4096) });
  await commit('too much metadata', { committedMetadata: 'x'.repeat(4097) });
  await commit('as an instance', { groupInstanceId: 'instance' });
  await commit('nothing', { topics: [] });
  await group.commit('commit with a member id', 'nobody', -1, topic.name);
  await group.commit('commit in a generation', '', 3, topic.name);
  await group.commit('commit in generation 0', '', 0, topic.name);
  await group.commit('commit as a member in a generation', 'nobody', 3, topic.name);
  await to.step('commit for no group', 'OffsetCommit', {
    ...{ groupId: '', generationId: -1, memberId: '', groupInstanceId: null, retentionTimeMs: -1 },
    topics: [{ name: topic.name, partitions: [{ partition: 0, committedOffset: 1, committedMetadata: '' }] }],
  });
  await readBack(to, group.id, topic);
  await group.describe('describe a group without members');
  await to.step('groups that are empty', 'ListGroups', { statesFilter: ['Empty'], typesFilter: [] });
  await topicDeleted(to);
  await group.delete('delete a group with offsets');
  await group.delete('delete a group that is gone');
  await to.step('offsets of a group that is gone', 'OffsetFetch', request(group.id, null));
  await to.inEveryVersion('delete an unknown group', 'DeleteGroups', () => ({ groupNames: [group.id] }));
  await to.step('delete no name', 'DeleteGroups', { groupNames: [''] });
  await to.step('delete a group twice', 'DeleteGroups', { groupNames: [group.id, group.id] });
  await to.step('delete no groups', 'DeleteGroups', { groupNames: [] });
}

async function readBack(to: Dialogue, group: string, topic: Prepared): Promise<void> {
  await to.inEveryVersion('offsets', 'OffsetFetch', () => request(group, topic.name, [0, 1]));
  await to.step('all offsets', 'OffsetFetch', request(group, null));
  await to.step('offsets of an unknown topic', 'OffsetFetch', request(group, to.named('unknown'), [0]));
  await to.step('offsets of an unknown partition', 'OffsetFetch', request(group, topic.name, [9]));
  await to.step('offsets of no partitions', 'OffsetFetch', request(group, topic.name, []));
  await to.step('offsets that are stable', 'OffsetFetch', { ...request(group, null), requireStable: true });
  const one = request(group, topic.name, [0]);
  await to.step('offsets of a member', 'OffsetFetch', {
    ...one,
    groups: one.groups.map((each) => ({ ...each, memberId: 'nobody', memberEpoch: 3 })),
  });
  const other = request(to.named('none'), topic.name, [0]);
  await to.step('offsets of two groups', 'OffsetFetch', { ...one, groups: [...one.groups, ...other.groups] });
  await to.step('offsets of no groups', 'OffsetFetch', { ...one, groups: [] });
  await to.step('offsets of no name', 'OffsetFetch', request('', topic.name, [0]));
}

async function topicDeleted(to: Dialogue): Promise<void> {
  const topic = await createTopic(to, 'committed-and-deleted', 1);
  const group = new GroupRequests(to, 'offsets');
  await group.commit('commit to a topic before its end', '', -1, topic.name);
  await to.ask('DeleteTopics', {
    topics: [{ name: null, topicId: topic.id }],
    topicNames: [topic.name],
    timeoutMs: 10_000,
  });
  await to.settle('the topic’s end', 'OffsetFetch', request(group.id, topic.name, [0]), (answer) => {
    const [{ partitions }] = answer.groups?.[0]?.topics ?? answer.topics;
    return partitions[0].committedOffset === -1;
  });
  await to.step('offsets of a deleted topic', 'OffsetFetch', request(group.id, topic.name, [0]));
}

function request(groupId: string, topic: string | null, partitions: readonly number[] = []) {
  const topics = topic === null ? null : [{ name: topic, partitions }];
  return {
    groupId,
    topics,
    groups: [{ groupId, memberId: null, memberEpoch: -1, topics }],
    requireStable: false,
  };
}
