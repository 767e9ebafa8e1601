import type { Broker } from './broker.js';
import type { Departure, Group, GroupState } from './groups/group.js';
import { compile } from './protocol/codec.js';
import { int16, int32, list, listOf, string } from './protocol/fields.js';
import { MalformedMessage, Reader } from './protocol/reader.js';

export interface BrokerState {
  readonly topics: readonly TopicState[];
  readonly groups: readonly GroupDescription[];
}

export interface TopicState {
  readonly name: string;
  readonly partitions: readonly PartitionState[];
}

export interface PartitionState {
  readonly partition: number;
  /** The lowest offset that can be read; above 0 after a cap dropped records. */
  readonly startOffset: number;
  /** The offset of the next record. */
  readonly endOffset: number;
  readonly bytes: number;
}

export interface GroupDescription {
  readonly id: string;
  readonly state: GroupState;
  readonly generation: number;
  readonly protocol: string | null;
  readonly members: readonly MemberDescription[];
  readonly offsets: readonly CommittedState[];
  /** The last member that went; undefined where none has. */
  readonly lastDeparture: Departure | undefined;
}

export interface MemberDescription {
  readonly id: string;
  readonly groupInstanceId: string | null;
  readonly clientId: string;
  readonly clientHost: string;
  /** Partitions by topic; empty when the member has none or its protocol is not the consumers' own. */
  readonly assignment: Readonly<Record<string, readonly number[]>>;
  /** How long ago its client last asked for records, in milliseconds; undefined when it has not yet. */
  readonly sinceFetchMs: number | undefined;
}

export interface CommittedState {
  readonly topic: string;
  readonly partition: number;
  readonly committed: number;
  /** Records between the committed offset and the end of the log. */
  readonly lag: number;
}

const consumerAssignment = compile(
  {
    version: int16(),
    topics: list({
      topic: string(),
      partitions: listOf(int32()),
    }),
  },
  0,
  false,
);

/** A copy of what the broker holds, without records. */
export function inspectBroker(broker: Broker): BrokerState {
  return {
    topics: broker.topics.all().map(({ name, partitions }) => ({
      name,
      partitions: partitions.map(({ startOffset, endOffset, bytes }, partition) => ({
        partition,
        startOffset,
        endOffset,
        bytes,
      })),
    })),
    groups: broker.groups.all().map((group) => describe(broker, group)),
  };
}

function describe(broker: Broker, group: Group): GroupDescription {
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
    offsets: group.offsets.topics().flatMap(({ topic, partitions }) =>
      partitions.map((partition) => {
        const committed = group.offsets.get(topic, partition)?.offset ?? -1;
        const end = broker.topics.get(topic)?.partitions[partition]?.endOffset ?? 0;
        return { topic, partition, committed, lag: Math.max(0, end - committed) };
      }),
    ),
  };
}

/** The consumer protocol's assignment: version, then topics with their partitions; user data follows. */
function partitionsOf(assignment: Buffer): Record<string, number[]> {
  if (assignment.length === 0) return {};
  try {
    const { topics } = consumerAssignment.read(new Reader(assignment));
    return Object.fromEntries(
      (topics as { topic: string; partitions: number[] }[]).map(({ topic, partitions }) => [
        topic,
        partitions,
      ]),
    );
  } catch (error) {
    // Groups are free to use other formats; the bytes are theirs alone.
    if (error instanceof MalformedMessage) return {};
    throw error;
  }
}
