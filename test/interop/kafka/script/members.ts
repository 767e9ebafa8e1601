import type { Dialogue } from '../dialogue.js';
import { assignments, GroupRequests, type Joined, joinRequest, protocol } from './group-requests.js';
import { createTopic } from './prepare.js';
import { state } from './rebalances.js';

/** One dynamic member: joining wrongly and rightly, its assignment, heartbeats, commits, and its end. */
export async function members(to: Dialogue): Promise<void> {
  const { name: topic } = await createTopic(to, 'members', 1);
  await refusedJoins(to);
  const group = new GroupRequests(to, 'members');
  const first = await group.join('join');
  const id: string = first.memberId;
  await state(to, group, 'Empty');
  await group.describe('describe a group with a pending member');
  await group.heartbeat('heartbeat of a pending member', id, 0);
  await group.sync('sync of a pending member', id, 0);
  await group.commit('commit of a pending member', id, 0, topic);
  await group.join('join with the id', { memberId: id });
  await group.describe('describe a group that awaits its assignment');
  await group.heartbeat('heartbeat before the assignment', id, 1);
  await group.commit('commit before the assignment', id, 1, topic);
  await group.join('join again before the assignment', { memberId: id });
  await group.join('join otherwise before the assignment', {
    memberId: id,
    protocols: [protocol('range', 'other')],
  });
  await group.sync('sync in a past generation', id, 1);
  await group.sync('sync as nobody', 'nobody', 2);
  await group.sync('sync with no id', '', 2);
  await group.sync('sync as another kind', id, 2, { protocolType: 'connect' });
  await group.sync('sync with another protocol', id, 2, { protocolName: 'sticky' });
  await group.sync('sync without protocol', id, 2, {
    ...{ protocolType: null, protocolName: null, assignments: assignments(id) },
  });
  await group.sync('sync again', id, 2);
  await stable(to, group, id, topic);
  await to.inEveryVersion('groups that are stable', 'ListGroups', () => ({
    statesFilter: ['Stable'],
    typesFilter: [],
  }));
  await group.delete('delete a group with a member');
  await group.leave('leave as nobody', 'nobody');
  await group.leave('leave with no id', '');
  await group.leave('leave as an instance', '', 'instance');
  await group.leave('leave as an instance with an id', id, 'instance');
  await group.leave('leave', id);
  await group.leave('leave again', id);
  await group.heartbeat('heartbeat after leaving', id, 2);
  await group.commit('commit after leaving', id, 2, topic);
  await group.sync('sync after leaving', id, 2);
  await group.join('join after leaving', { memberId: id });
  await group.describe('describe a group after its members');
  await group.commit('commit from outside after the members', '', -1, topic);
  await group.delete('delete a group after its members');
  await group.heartbeat('heartbeat in a deleted group', id, 2);
  await group.leave('leave a deleted group', id);
  await everyVersion(to);
}

async function stable(to: Dialogue, group: GroupRequests, id: string, topic: string): Promise<void> {
  await group.describe('describe a stable group');
  await to.step('describe a group with its operations', 'DescribeGroups', {
    groups: [group.id],
    includeAuthorizedOperations: true,
  });
  await group.heartbeat('heartbeat', id, 2);
  await group.heartbeat('heartbeat in a past generation', id, 1);
  await group.heartbeat('heartbeat in a generation to come', id, 3);
  await group.heartbeat('heartbeat as nobody', 'nobody', 2);
  await group.heartbeat('heartbeat with no id', '', 2);
  await group.heartbeat('heartbeat as an instance', id, 2, { groupInstanceId: 'instance' });
  await group.heartbeat('heartbeat for no group', id, 2, { groupId: '' });
  await group.heartbeat('heartbeat for an unknown group', id, 2, { groupId: to.named('unknown') });
  await group.commit('commit as a member', id, 2, topic);
  await group.commit('commit in a past generation', id, 1, topic);
  await group.commit('commit in no generation', id, -1, topic);
  await group.commit('commit as nobody', 'nobody', 2, topic);
  await group.commit('commit with no id', '', 2, topic);
  await group.commit('commit from outside', '', -1, topic);
  await group.commit('commit from outside with an id', 'nobody', -1, topic);
  await group.commit('commit as an unknown instance', id, 2, topic, { groupInstanceId: 'instance' });
  await group.join('join again as it was', { memberId: id, protocols: [protocol('range', 'other')] });
  await group.sync('sync after joining again', id, 3, { assignments: assignments(id) });
  await group.join('join as nobody', { memberId: 'nobody' });
  await group.join('join as another kind', { protocolType: 'connect' });
  await group.join('join with another protocol', { protocols: [protocol('sticky')] });
  await group.join('join as another kind with the id', { memberId: id, protocolType: 'connect' });
  // So that what follows is in generation 2 plus two, whichever way the join above went.
  await group.join('join with the id as the only member with another protocol', {
    memberId: id,
    protocols: [protocol('sticky')],
  });
  await group.sync('sync with the other protocol', id, 4, {
    protocolName: 'sticky',
    assignments: assignments(id),
  });
}

async function refusedJoins(to: Dialogue): Promise<void> {
  const group = new GroupRequests(to, 'refused');
  await group.join('join no group', { groupId: '' });
  await group.join('join with a short session', { sessionTimeoutMs: 5999 });
  await group.join('join with a long session', { sessionTimeoutMs: 1_800_001 });
  await group.join('join a new group as nobody', { memberId: 'nobody' });
  await group.join('join without protocols', { protocols: [] });
  await group.join('join without kind', { protocolType: '' });
  await group.join('join a new group as nobody, as an instance', {
    memberId: 'nobody',
    groupInstanceId: 'instance',
  });
  await group.join('join as an instance without name', { groupInstanceId: '' });
  await group.describe('describe a group that was never joined');
  await to.step('describe no name', 'DescribeGroups', { groups: [''], includeAuthorizedOperations: false });
  await to.inEveryVersion('describe an unknown group', 'DescribeGroups', () => ({
    groups: [to.named('unknown')],
    includeAuthorizedOperations: false,
  }));
  await group.sync('sync in no group', 'a', 1, { groupId: '' });
  await group.sync('sync in an unknown group', 'a', 1, { groupId: to.named('unknown') });
  await to.step('leave no group', 'LeaveGroup', {
    ...{ groupId: '', memberId: 'a', members: [{ memberId: 'a', groupInstanceId: null, reason: null }] },
  });
  await to.step('leave an unknown group', 'LeaveGroup', {
    groupId: to.named('unknown'),
    memberId: 'a',
    members: [{ memberId: 'a', groupInstanceId: null, reason: null }],
  });
  await to.step('leave as no member', 'LeaveGroup', {
    groupId: to.named('unknown'),
    memberId: '',
    members: [],
  });
}

/** The life of a member in each version of JoinGroup, with the versions of the others going along. */
async function everyVersion(to: Dialogue): Promise<void> {
  const at = (api: string, version: number) => {
    const versions = to.versionsOf(api);
    return versions.filter((one) => one <= version).at(-1) ?? versions[0] ?? 0;
  };
  for (const version of to.versionsOf('JoinGroup')) {
    const groupId = to.named(`version-${version}`);
    to.begin();
    const step = (label: string, api: string, body: Record<string, unknown>) =>
      to.step(`${label}, with JoinGroup v${version}`, api, body, {
        version: at(api, version),
      }) as Promise<Joined>;
    let joined = await step('join', 'JoinGroup', joinRequest(groupId));
    if (joined.errorCode !== 0) {
      joined = await step(
        'join with the id',
        'JoinGroup',
        joinRequest(groupId, { memberId: joined.memberId }),
      );
    }
    const { memberId } = joined;
    const member = { groupId, memberId, generationId: 1, groupInstanceId: null };
    await step('sync', 'SyncGroup', {
      ...{ ...member, protocolType: 'consumer', protocolName: 'range', assignments: assignments(memberId) },
    });
    await step('heartbeat', 'Heartbeat', member);
    await step('describe', 'DescribeGroups', { groups: [groupId], includeAuthorizedOperations: false });
    await step('leave', 'LeaveGroup', {
      ...member,
      members: [{ memberId, groupInstanceId: null, reason: null }],
    });
  }
}
