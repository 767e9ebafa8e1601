import { quoted } from 'busbar/base';
import type { BrokerState, GroupDescription } from './inspect.js';

type PartitionLag = ReturnType<typeof lagOf>[number];

/** Returns the partitions with records that the group has not committed. */
export function lagOf(state: BrokerState, groupId: string, topics: readonly string[]) {
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

/** Describes the lag of a group and the state of its members. */
export function explainLag(state: BrokerState, groupId: string, topics: readonly string[]): string {
  const group = groupIn(state, groupId);
  const behind = lagOf(state, groupId, topics);
  const shown = behind
    .slice(0, maxShown)
    .map((each) => asSentence(`${progressOf(each)}${ownerOf(each, group)}`));
  const more = behind.length > maxShown ? [`And ${behind.length - maxShown} more partitions.`] : [];
  return [membership(group), ...shown, ...more].filter((text) => text !== '').join(' ');
}

const maxShown = 3;

function asSentence(text: string): string {
  return text.endsWith('?') ? text : `${text}.`;
}

function groupIn({ groups }: BrokerState, groupId: string): GroupDescription | undefined {
  return groups.find(({ id }) => id === groupId);
}

/** Describes a group that isn't stable. */
function membership(group: GroupDescription | undefined): string {
  if (group?.state === 'Stable') return '';
  if (group?.state === 'PreparingRebalance')
    return 'It is rebalancing and waits for its members to join again.';
  if (group?.state === 'CompletingRebalance') {
    return 'It is rebalancing and waits for the assignments of its leader.';
  }
  const last = group?.lastDeparture;
  if (last !== undefined)
    return `It has no members. The last one to leave was ${quoted(last.clientId)} (${last.reason}).`;
  return 'It has no members. Start the service with this group id and these brokers.';
}

function progressOf({ topic, partition, committed, end }: PartitionLag): string {
  return `Partition ${partition} of ${quoted(topic)}: ${committed ?? 'nothing'} of ${end} is committed`;
}

function ownerOf({ topic, partition, committed }: PartitionLag, group: GroupDescription | undefined): string {
  if (group?.state !== 'Stable') return '';
  const member = group.members.find(({ assignment }) => assignment[topic]?.includes(partition));
  if (member === undefined) return ', and it has no member: does the service subscribe to the topic?';
  const owner = `member ${quoted(member.clientId)} has it`;
  if (member.sinceFetchMs === undefined) return `; ${owner} and has not fetched yet`;
  const fetched = `; ${owner} and fetched ${member.sinceFetchMs} ms ago`;
  if (committed !== undefined) return `${fetched}, but has not committed since: does a handler run or fail?`;
  return `${fetched}, but has committed nothing: does it start at the end (fromBeginning: false), or does a handler run?`;
}
