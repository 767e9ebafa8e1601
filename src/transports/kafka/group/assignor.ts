import {
  assignment,
  decodeForMembers,
  encodeForMembers,
  subscription,
} from '../../../kafka-protocol/consumer-protocol.js';
import { NO_BYTES, type Read } from '../../../kafka-protocol/fields.js';
import type { Partition } from '../../transport.js';
import type { GroupOptions } from '../client.js';
import { byTopic, keyOf } from './positions.js';

/** The assignor of kafkajs: its members and those of Busbar form one group. */
const roundRobin = 'RoundRobinAssigner';

/** The assignor of `CooperativeStickyAssignor` in Java, and of librdkafka (KIP-429). */
const cooperativeSticky = 'cooperative-sticky';

export interface Subscriber {
  readonly memberId: string;
  readonly metadata: Buffer;
}

/**
 * Returns the assignors that a member supports, in the order of its preference. Eager members hold nothing when they join,
 * so they can share a group with cooperative ones.
 */
export function protocolsOf(
  { topics, rebalance }: GroupOptions,
  held: readonly Partition[],
  generationId: number,
) {
  // Java before 3.2 reads the generation here.
  const userData = Buffer.alloc(4);
  userData.writeInt32BE(generationId);
  const member = { topics, userData, ownedPartitions: listed(held), generationId };
  const cooperative = { name: cooperativeSticky, metadata: encodeForMembers(subscription, 2, member) };
  if (rebalance === 'cooperative') return [cooperative];
  const metadata = encodeForMembers(subscription, 0, { topics, userData: NO_BYTES });
  return [{ name: roundRobin, metadata }, cooperative];
}

/** Returns the topics that any member subscribes to. */
export function topicsOf(members: readonly Subscriber[]): string[] {
  return [...new Set(members.flatMap(({ metadata }) => decodeForMembers(subscription, metadata).topics))];
}

/** A member during an assignment. */
interface Candidate extends Read<typeof subscription> {
  readonly memberId: string;
  readonly assigned: Set<Partition>;
}

/**
 * Assigns the partitions evenly to the members that subscribe to their topics, in the order of member ids. A member keeps
 * what it holds, if that is even. A partition that moves is assigned once its holder has joined again without it.
 */
export function assign(members: readonly Subscriber[], partitions: readonly Partition[]) {
  const candidates = members
    .map(({ memberId, metadata }): Candidate => {
      return { memberId, assigned: new Set(), ...decodeForMembers(subscription, metadata) };
    })
    .sort((one, other) => (one.memberId < other.memberId ? -1 : 1));
  const holders = holdersAmong(candidates);
  const holderOf = (each: Partition) => holders.get(keyOf(each));
  const isKept = (each: Partition) => holderOf(each)?.topics.includes(each.topic) === true;
  for (const each of partitions) if (isKept(each)) holderOf(each)?.assigned.add(each);
  for (const each of partitions) if (!isKept(each)) leastLoaded(candidates, each)?.assigned.add(each);
  while (moveOne(candidates)) continue;
  return candidates.map((candidate) => {
    const { memberId, assigned } = candidate;
    const free = [...assigned].filter((each) => [undefined, candidate].includes(holderOf(each)));
    const message = { assignedPartitions: listed(free), userData: NO_BYTES };
    return { memberId, assignment: encodeForMembers(assignment, 0, message) };
  });
}

/** Returns who holds a partition, by its key. */
function holdersAmong(candidates: readonly Candidate[]): ReadonlyMap<string, Candidate> {
  const holders = new Map<string, Candidate>();
  // Another may hold by now what a member held in an earlier generation.
  for (const each of candidates.toSorted((one, other) => one.generationId - other.generationId))
    for (const held of partitionsOf(each.ownedPartitions)) holders.set(keyOf(held), each);
  return holders;
}

function leastLoaded(candidates: readonly Candidate[], { topic }: Partition): Candidate | undefined {
  const subscribed = candidates.filter(({ topics }) => topics.includes(topic));
  return subscribed.reduce(
    (least, each) => (least !== undefined && least.assigned.size <= each.assigned.size ? least : each),
    subscribed[0],
  );
}

/** Moves a partition from a member with many to one with few. Returns whether there was one to move. */
function moveOne(candidates: readonly Candidate[]): boolean {
  const byLoad = candidates.toSorted((one, other) => other.assigned.size - one.assigned.size);
  return byLoad.some(({ assigned: from }) =>
    [...from].some((each) => {
      const to = leastLoaded(candidates, each)?.assigned;
      if (to === undefined || to.size + 1 >= from.size) return false;
      to.add(each);
      return from.delete(each);
    }),
  );
}

export function partitionsIn(assigned: Buffer): Partition[] {
  // Empty for a member that gets nothing.
  return assigned.length === 0 ? [] : partitionsOf(decodeForMembers(assignment, assigned).assignedPartitions);
}

function partitionsOf(topics: readonly { readonly topic: string; readonly partitions: readonly number[] }[]) {
  return topics.flatMap(({ topic, partitions }) => partitions.map((partition) => ({ topic, partition })));
}

/** Lists partitions as the messages of members do. */
function listed(partitions: readonly Partition[]) {
  return byTopic(partitions, ({ partition }) => partition).map(({ name: topic, ...rest }) => ({
    topic,
    ...rest,
  }));
}
