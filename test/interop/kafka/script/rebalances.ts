import type { Dialogue } from '../dialogue.js';
import { assignments, GroupRequests, joinRequest, protocol } from './group-requests.js';
import { createTopic } from './prepare.js';

/** Two members: the responses to each while the other joins, is assigned, and leaves. */
export async function rebalances(to: Dialogue): Promise<void> {
  const { name: topic } = await createTopic(to, 'rebalances', 1);
  const group = new GroupRequests(to, 'rebalances');
  const one = await group.joined('the first');
  await to.ask('JoinGroup', joinRequest(group.id, { memberId: one }));
  await group.sync('sync of the first', one, 1, { assignments: assignments(one) });
  const other = await group.joined('the second');
  await group.heartbeat('heartbeat beside a pending member', one, 1);
  const line = to.connect();
  const joining = group.join('join of a second', { memberId: other }, { on: line });
  await state(to, group, 'PreparingRebalance');
  await group.describe('describe a group that rebalances');
  await group.heartbeat('heartbeat while members join', one, 1);
  await group.commit('commit while members join', one, 1, topic);
  await group.commit('commit while members join, in a past generation', one, 0, topic);
  await group.commit('commit from outside while members join', '', -1, topic);
  await group.sync('sync while members join', one, 1);
  await group.heartbeat('heartbeat of the second while members join', other, 1);
  await group.commit('commit of the second while members join', other, 1, topic);
  await group.delete('delete a group that rebalances');
  const [first] = await Promise.all([group.join('join of the first again', { memberId: one }), joining]);
  to.keep('the generation of the first', first.generationId);
  await awaitingAssignment(to, group, { one, other, topic });
  await departure(to, group, { one, other });
  await differentProtocols(to);
}

interface Pair {
  readonly one: string;
  readonly other: string;
}

async function awaitingAssignment(
  to: Dialogue,
  group: GroupRequests,
  pair: Pair & { topic: string },
): Promise<void> {
  const { one, other, topic } = pair;
  await group.heartbeat('heartbeat while the leader assigns', other, 2);
  await group.commit('commit while the leader assigns', other, 2, topic);
  await group.commit('commit while the leader assigns, in a past generation', other, 1, topic);
  await group.commit('commit from outside while the leader assigns', '', -1, topic);
  await group.join('join of the second again while the leader assigns', { memberId: other });
  const line = to.connect();
  const waiting = group.sync('sync of the follower', other, 2, {}, line);
  await group.sync('sync of the leader', one, 2, { assignments: assignments(one, other) });
  await waiting;
  await group.describe('describe two members');
  await group.join('join of the follower again as it was', { memberId: other });
  await group.heartbeat('heartbeat of the leader after that', one, 2);
  await group.sync('sync of the follower again', other, 2);
}

async function departure(to: Dialogue, group: GroupRequests, { one, other }: Pair): Promise<void> {
  const line = to.connect();
  const rejoining = group.join('join of the leader as it was', { memberId: one }, { on: line });
  await state(to, group, 'PreparingRebalance');
  await group.leave('leave of the second while the leader joins', other);
  await rejoining;
  await group.sync('sync of the one who is left', one, 3, { assignments: assignments(one) });
  const third = await group.joined('the third');
  await group.leave('leave of a pending member', third);
  await group.heartbeat('heartbeat after a pending member left', one, 3);
  await group.leave(
    'leave of the last',
    one,
    null,
    to.versionsOf('LeaveGroup').find((version) => version >= 2),
  );
  await group.describe('describe what is left');
}

/** Selects a protocol that both members support, against their preferences. */
async function differentProtocols(to: Dialogue): Promise<void> {
  const group = new GroupRequests(to, 'protocols');
  const ofOne = [protocol('sticky', 'one'), protocol('range', 'one')];
  const ofOther = [protocol('cooperative', 'other'), protocol('range', 'other')];
  const one = await group.joined('one with two protocols', { protocols: ofOne });
  await to.ask('JoinGroup', joinRequest(group.id, { memberId: one, protocols: ofOne }));
  await group.sync('sync with the favourite', one, 1, {
    protocolName: 'sticky',
    assignments: assignments(one),
  });
  await group.join('join with no protocol in common', { protocols: [protocol('cooperative')] });
  const other = await group.joined('another with two protocols', { protocols: ofOther });
  const line = to.connect();
  const joining = group.join(
    'join with one protocol in common',
    { memberId: other, protocols: ofOther },
    { on: line },
  );
  await state(to, group, 'PreparingRebalance');
  await group.join('join of the first with both', { memberId: one, protocols: ofOne });
  await joining;
}

/** Until the broker has got what was sent on another connection. */
export async function state(to: Dialogue, group: GroupRequests, wanted: string): Promise<void> {
  await to.settle(
    `group ${wanted}`,
    'DescribeGroups',
    { groups: [group.id], includeAuthorizedOperations: false },
    ({ groups: [{ groupState }] }) => groupState === wanted,
  );
}
