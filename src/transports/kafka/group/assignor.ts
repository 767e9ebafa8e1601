import kafkajs from 'kafkajs';
import type { Partition } from '../../transport.js';
import { byTopic } from './positions.js';

const { MemberAssignment, MemberMetadata } = kafkajs.AssignerProtocol;
const version = 0;
const userData = Buffer.alloc(0);

/** The assignor of kafkajs: its members and those of Busbar form one group. */
export const assignorName = 'RoundRobinAssigner';

export interface Subscriber {
  readonly memberId: string;
  readonly metadata: Buffer;
}

export function subscriptionTo(topics: readonly string[]): Buffer {
  return MemberMetadata.encode({ version, topics: [...topics], userData });
}

/** Returns the topics that any member subscribes to. */
export function topicsOf(members: readonly Subscriber[]): string[] {
  return [...new Set(members.flatMap(subscribed))];
}

/** Assigns partitions in turn to the members that subscribe to their topics, in the order of member ids. */
export function assign(members: readonly Subscriber[], partitions: readonly Partition[]) {
  const sorted = members
    .map((member) => ({ member, topics: new Set(subscribed(member)), assigned: [] as Partition[] }))
    .sort((one, other) => (one.member.memberId < other.member.memberId ? -1 : 1));
  for (const [turn, each] of partitions.entries()) {
    const candidates = sorted.filter(({ topics }) => topics.has(each.topic));
    candidates[turn % candidates.length]?.assigned.push(each);
  }
  return sorted.map(({ member: { memberId }, assigned }) => {
    const topics = byTopic(assigned, ({ partition }) => partition);
    const assignment = Object.fromEntries(topics.map(({ name, partitions: ofTopic }) => [name, ofTopic]));
    return { memberId, assignment: MemberAssignment.encode({ version, assignment, userData }) };
  });
}

export function partitionsIn(assignment: Buffer): Partition[] {
  const topics = Object.entries(MemberAssignment.decode(assignment)?.assignment ?? {});
  return topics.flatMap(([topic, partitions]) => partitions.map((partition) => ({ topic, partition })));
}

function subscribed({ metadata }: Subscriber): string[] {
  return MemberMetadata.decode(metadata)?.topics ?? [];
}
