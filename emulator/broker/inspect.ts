import {
  compile,
  int16,
  int32,
  list,
  listOf,
  MalformedMessage,
  Reader,
  string,
} from 'busbar/internal/kafka-protocol';
import type { BrokerCore } from './core.js';
import type { Departure, Group, GroupState } from './groups/group.js';

/** The topics and consumer groups of a broker, without records. */
export interface BrokerState {
  readonly topics: readonly TopicState[];
  readonly groups: readonly GroupDescription[];
}

/** A topic and the offsets of its partitions. */
export interface TopicState {
  readonly name: string;
  readonly partitions: readonly PartitionState[];
}

/** The offsets and size of a partition. */
export interface PartitionState {
  readonly partition: number;
  /** The lowest readable offset; above 0 after the broker has dropped or deleted records. */
  readonly startOffset: number;
  /** The offset of the next record. */
  readonly endOffset: number;
  /** The size of the stored batches. */
  readonly bytes: number;
  /** The offset that the last fetch of any client asked for; -1 before the first. */
  readonly lastFetchOffset: number;
}

/** A consumer group, its members and its committed offsets. */
export interface GroupDescription {
  readonly id: string;
  readonly state: GroupState;
  readonly generation: number;
  /** The assignment protocol that the members share; null before they have chosen one. */
  readonly protocol: string | null;
  readonly members: readonly MemberDescription[];
  readonly offsets: readonly CommittedState[];
  /** The member that left last; undefined if none has left. */
  readonly lastDeparture: Departure | undefined;
}

/** A member of a consumer group and its partitions. */
export interface MemberDescription {
  readonly id: string;
  /** The instance id of a static member (KIP-345), else null. */
  readonly groupInstanceId: string | null;
  readonly clientId: string;
  readonly clientHost: string;
  /** Partitions by topic; empty if the group does not use the consumer protocol. */
  readonly assignment: Readonly<Record<string, readonly number[]>>;
  /** Milliseconds since the client's last fetch; undefined before the first. */
  readonly sinceFetchMs: number | undefined;
}

/** The committed offset and lag of a group in one partition. */
export interface CommittedState {
  readonly topic: string;
  readonly partition: number;
  readonly committed: number;
  /** Records between the committed offset and the end of the log. */
  readonly lag: number;
  /** Time of the commit, in milliseconds since 1970. */
  readonly at: number;
}

const consumerAssignment = compile(
  { version: int16(), topics: list({ topic: string(), partitions: listOf(int32()) }) },
  0,
  false,
);

/** Returns a copy of the broker's state. */
export function inspectBroker(broker: BrokerCore): BrokerState {
  return {
    topics: broker.topics.all().map(({ name, partitions }) => ({
      name,
      partitions: partitions.map(({ startOffset, endOffset, bytes, lastFetchOffset }, partition) => ({
        partition,
        startOffset,
        endOffset,
        bytes,
        lastFetchOffset,
      })),
    })),
    groups: broker.groups.all().map((group) => describe(broker, group)),
  };
}

function describe(broker: BrokerCore, group: Group): GroupDescription {
  return {
    id: group.id,
    state: group.state,
    generation: group.generation,
    protocol: group.protocolName,
    lastDeparture: group.lastDeparture,
    members: [...group.members.values()].map((member) => ({
      id: member.id,
      groupInstanceId: member.groupInstanceId,
      clientId: member.clientId,
      clientHost: member.clientHost,
      assignment: group.protocolType === 'consumer' ? partitionsOf(member.assignment) : {},
      sinceFetchMs: member.fetchedAt === undefined ? undefined : broker.clock.now() - member.fetchedAt,
    })),
    offsets: group.offsets.all().map(({ topic, partition, offset: committed, at }) => {
      const end = broker.topics.get(topic)?.partitions[partition]?.endOffset ?? 0;
      return { topic, partition, committed, lag: Math.max(0, end - committed), at };
    }),
  };
}

/** Decodes an assignment of the consumer protocol: version, topics with their partitions, user data. */
function partitionsOf(assignment: Buffer): Record<string, number[]> {
  if (assignment.length === 0) return {};
  try {
    const { topics } = consumerAssignment.read(new Reader(assignment));
    return Object.fromEntries(topics.map(({ topic, partitions }) => [topic, partitions]));
  } catch (error) {
    // A group may use another format.
    if (error instanceof MalformedMessage) return {};
    throw error;
  }
}
