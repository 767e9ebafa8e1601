import { quoted } from '../../src/base/quoted.js';
import type { BrokerState, GroupDescription } from '../broker/index.js';

/** A partition whose end the group has not committed. */
export interface Behind {
  readonly topic: string;
  readonly partition: number;
  /** Undefined when the group has committed nothing there. */
  readonly committed: number | undefined;
  readonly end: number;
}

/** Where the group has something left to consume. */
export function behindOf(state: BrokerState, groupId: string, topics: readonly string[]): Behind[] {
  const group = groupIn(state, groupId);
  return state.topics
    .filter(({ name }) => topics.includes(name))
    .flatMap(({ name: topic, partitions }) =>
      partitions.map(({ partition, startOffset, endOffset: end }) => {
        const known = group?.offsets.find((each) => each.topic === topic && each.partition === partition);
        return { topic, partition, committed: known?.committed, start: startOffset, end };
      }),
    )
    .filter(({ committed, start, end }) => (committed ?? start) < end);
}

/** In words: where the group is behind, and what its members do. */
export function whyBehind(state: BrokerState, groupId: string, topics: readonly string[]): string {
  const group = groupIn(state, groupId);
  const behind = behindOf(state, groupId, topics);
  const shown = behind.slice(0, mostShown).map((each) => `${where(each)}${holding(each, group)}.`);
  const more = behind.length > mostShown ? [`And ${behind.length - mostShown} more partitions.`] : [];
  return [membership(group), ...shown, ...more].filter((text) => text !== '').join(' ');
}

const mostShown = 3;

function groupIn({ groups }: BrokerState, groupId: string): GroupDescription | undefined {
  return groups.find(({ id }) => id === groupId);
}

/** What keeps the group as a whole; nothing where it is the members' turn. */
function membership(group: GroupDescription | undefined): string {
  if (group?.state === 'Stable') return '';
  if (group?.state === 'PreparingRebalance') return 'It rebalances: it waits for its members to join again.';
  if (group?.state === 'CompletingRebalance') {
    return 'It rebalances: its members wait for what its leader assigns them.';
  }
  const gone = group?.lastDeparture;
  if (gone !== undefined)
    return `It has no members: the last to go was ${quoted(gone.clientId)} (${gone.reason}).`;
  return 'Nobody has joined it: is the service started, with this group id and these brokers?';
}

function where({ topic, partition, committed, end }: Behind): string {
  const so =
    committed === undefined ? `nothing of ${end} is committed` : `${committed} of ${end} is committed`;
  return `Partition ${partition} of ${quoted(topic)}: ${so}`;
}

function holding({ topic, partition, committed }: Behind, group: GroupDescription | undefined): string {
  if (group?.state !== 'Stable') return '';
  const member = group.members.find(({ assignment }) => assignment[topic]?.includes(partition));
  if (member === undefined) return ', and no member holds it: does the service subscribe to the topic?';
  const who = `member ${quoted(member.clientId)} holds it`;
  if (member.sinceFetchMs === undefined) return `; ${who} and has not asked for records yet`;
  const asked = `; ${who} and asked for records ${member.sinceFetchMs} ms ago`;
  if (committed !== undefined) return `${asked}, but has committed no further: does a handler run, or fail?`;
  return `${asked}, but has committed nothing: does it begin at the end (fromBeginning: false), or a handler run?`;
}
