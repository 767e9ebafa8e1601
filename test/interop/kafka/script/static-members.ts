import type { Dialogue } from '../dialogue.js';
import { assignments, GroupRequests, type Joined, joinRequest, protocol } from './group-requests.js';
import { createTopic } from './prepare.js';
import { state } from './rebalances.js';

/** Members with an instance id (KIP-345): restarts, the process before, removal by name. */
export async function staticMembers(to: Dialogue): Promise<void> {
  const { name: topic } = await createTopic(to, 'static', 1);
  const group = new GroupRequests(to, 'static');
  const i = { groupInstanceId: 'i' };
  const { memberId: before } = await group.join('join as an instance', i);
  await group.sync('sync as an instance', before, 1, { ...i, assignments: assignments(before) });
  await group.describe('describe an instance');
  await group.heartbeat('heartbeat of an instance', before, 1, i);
  await group.heartbeat('heartbeat of an instance without its name', before, 1);
  await group.commit('commit of an instance', before, 1, topic, i);
  await group.commit('commit of an instance without its name', before, 1, topic);
  await restarts(to, group, before, topic);
  await removal(to, group);
  await follower(to);
}

async function restarts(to: Dialogue, group: GroupRequests, before: string, topic: string): Promise<void> {
  const i = { groupInstanceId: 'i' };
  const { memberId: after } = await group.join('join of an instance after its restart', i);
  await group.sync('sync after the restart', after, 1, i);
  await group.heartbeat('heartbeat after the restart', after, 1, i);
  await group.heartbeat('heartbeat of the process before', before, 1, i);
  await group.heartbeat('heartbeat of the process before without its name', before, 1);
  await group.commit('commit of the process before', before, 1, topic, i);
  await group.commit('commit of the process before in no generation', before, -1, topic, i);
  await group.sync('sync of the process before', before, 1, i);
  await group.join('join of the process before', { ...i, memberId: before });
  await group.leave('leave of the process before', before, 'i');
  await group.heartbeat('heartbeat of an unknown instance', after, 1, { groupInstanceId: 'j' });
  await group.commit('commit of an unknown instance', after, 1, topic, { groupInstanceId: 'j' });
  await group.sync('sync of an unknown instance', after, 1, { groupInstanceId: 'j' });
  await group.join('join of an unknown instance with an id', { groupInstanceId: 'j', memberId: after });
  for (const version of to.versionsOf('JoinGroup').filter((one) => one >= 5)) {
    await group.join('join of an instance after another restart', i, { version });
  }
  const changed = { ...i, protocols: [protocol('range', 'another subscription')] };
  const { memberId, generationId } = await group.join(
    'join of an instance with another subscription',
    changed,
  );
  await group.sync('sync with another subscription', memberId, generationId, {
    ...{ ...i, assignments: assignments(memberId) },
  });
  await group.join('join again with id and instance', { ...changed, memberId });
}

async function removal(to: Dialogue, group: GroupRequests): Promise<void> {
  await group.leave('leave of an unknown instance', '', 'j');
  await group.leave('leave of an instance with a wrong id', 'nobody', 'i');
  await group.leave('leave of an instance by name', '', 'i');
  await group.leave('leave of an instance that is gone', '', 'i');
  await group.describe('describe after the instance');
  await to.step('leave of two', 'LeaveGroup', {
    groupId: group.id,
    memberId: 'a',
    members: [
      { memberId: 'a', groupInstanceId: null, reason: null },
      { memberId: '', groupInstanceId: 'i', reason: 'by hand' },
    ],
  });
}

/** A follower restarts next to its leader: the generation stays, and no member must join again. */
async function follower(to: Dialogue): Promise<void> {
  const group = new GroupRequests(to, 'static-follower');
  const [l, f] = [{ groupInstanceId: 'l' }, { groupInstanceId: 'f' }];
  const { memberId: leader } = (await to.ask('JoinGroup', joinRequest(group.id, l))) as Joined;
  await to.ask('SyncGroup', {
    ...{ groupId: group.id, generationId: 1, memberId: leader, ...l },
    ...{ protocolType: 'consumer', protocolName: 'range', assignments: assignments(leader) },
  });
  const line = to.connect();
  const joining = group.join('join of a second instance', f, { on: line });
  await state(to, group, 'PreparingRebalance');
  await group.join('join of the leading instance', { ...l, memberId: leader });
  const { memberId: before } = await joining;
  const waiting = group.sync('sync of the second instance', before, 2, f, line);
  await group.sync('sync of the leading instance', leader, 2, {
    ...l,
    assignments: assignments(leader, before),
  });
  await waiting;
  const { memberId: after } = await group.join('join of the second instance after its restart', f);
  await group.sync('sync of the second instance after its restart', after, 2, f);
  await group.heartbeat('heartbeat of the leading instance after that', leader, 2, l);
  await group.join('join of the leading instance after its restart', l);
  await group.heartbeat('heartbeat of the second instance after that', after, 2, f);
  await group.describe('describe both instances');
}
