import type { Admin, GroupDescription } from 'kafkajs';
import type { Clock } from '../../../base/clock.js';
import { BusbarError, quoted } from '../../../base/errors.js';
import { silentLogger } from '../../../base/logger.js';
import { errorCodes } from '../../../kafka-protocol/error-codes.js';
import type { Partition } from '../../transport.js';
import type { OffsetRange, PartitionOffset } from '../client.js';
import type { KafkaConnectionOptions } from '../connection.js';
import { commitOffsets, findCoordinator, findLeaders, noMember, partitionCount } from '../group/positions.js';
import { fetchRanges, KafkajsConnection, kafkaOf } from './client.js';
import { whereOf } from './config.js';
import { Refused, translated, typeOf } from './errors.js';
import { Sockets } from './sockets.js';

/** Reads and moves the offsets of consumer groups from outside. */
export class GroupPositions extends KafkajsConnection {
  /** Connects. @throws BusbarError `connection-failed`, `not-authorized` */
  static async from(options: KafkaConnectionOptions, clock: Clock): Promise<GroupPositions> {
    const sockets = new Sockets();
    const kafka = kafkaOf(options, silentLogger, sockets);
    const positions = new GroupPositions(kafka, whereOf(options), { clock, logger: silentLogger }, sockets);
    await positions.open();
    return positions;
  }

  /** Returns the members of a group as `client (host)`. */
  async members(groupId: string): Promise<string[]> {
    const { members } = await this.#describe(groupId);
    return members.map(({ clientId, clientHost }) => `${quoted(clientId)} (${clientHost})`);
  }

  /** Whether the group has members or offsets; true if this user may not see it. */
  async isKnown(groupId: string): Promise<boolean> {
    try {
      return (await this.#describe(groupId)).state !== 'Dead';
    } catch (error) {
      if (error instanceof BusbarError && error.code === 'not-authorized') return true;
      throw error;
    }
  }

  /** @throws BusbarError `unknown-topic` */
  ranges(topic: string): Promise<OffsetRange[]> {
    return this.#askOf(topic, (admin) => fetchRanges(admin, topic));
  }

  /** Returns the offset of the first record of that time or later, by partition; the end if there is none. */
  at(topic: string, time: number): Promise<PartitionOffset[]> {
    return this.#askOf(topic, async (admin) => {
      const offsets = await admin.fetchTopicOffsetsByTimestamp(topic, time);
      return offsets.map(({ partition, offset }) => ({ topic, partition, offset: Number(offset) }));
    });
  }

  /** Returns the committed offsets by partition. */
  committed(groupId: string, topic: string): Promise<Map<number, number>> {
    return this.#askOf(topic, async (admin) => {
      const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
      const known = (found?.partitions ?? []).filter(({ offset }) => Number(offset) >= 0);
      return new Map(known.map(({ partition, offset }) => [partition, Number(offset)]));
    });
  }

  /** @throws BusbarError `group-active` when a member has joined meanwhile */
  write(groupId: string, offsets: readonly PartitionOffset[]): Promise<void> {
    return this.#ask(`did not accept offsets of group ${quoted(groupId)}`, async () => {
      try {
        const topics = offsets.slice(0, 1).map(({ topic }) => topic);
        await this.cluster.locate(topics);
        const all = await findLeaders(this.cluster, topics);
        const countOf = (each: Partition) => partitionCount(all, each);
        await commitOffsets(
          await findCoordinator(this.cluster, groupId),
          groupId,
          noMember,
          offsets,
          countOf,
        );
      } catch (error) {
        if (!(error instanceof Refused) || !fenced.has(error.code)) throw error;
        const message = `Group ${quoted(groupId)} has a member now. Stop all of its consumers first.`;
        throw new BusbarError('group-active', message, { cause: error });
      }
    });
  }

  #describe(groupId: string): Promise<GroupDescription> {
    return this.#ask(`did not describe group ${quoted(groupId)}`, async () => {
      // kafkajs does not report why it finds no coordinator.
      await this.cluster.locate([]);
      await findCoordinator(this.cluster, groupId);
      const { groups } = await this.admin.use((admin) => admin.describeGroups([groupId]));
      return groups[0] as GroupDescription;
    });
  }

  #askOf<T>(topic: string, request: (admin: Admin) => Promise<T>): Promise<T> {
    return this.#ask(`did not return the offsets of topic ${quoted(topic)}`, async () => {
      try {
        return await this.admin.use(request);
      } catch (error) {
        if (typeOf(error) !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error;
        throw new BusbarError('unknown-topic', `Kafka has no topic ${quoted(topic)}. Correct the name.`, {
          cause: error,
        });
      }
    });
  }

  async #ask<T>(what: string, request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      throw translated(error, this.where, what);
    }
  }
}

/** The refusals of a commit to a group that has members. */
const fenced: ReadonlySet<number> = new Set([
  errorCodes.unknownMemberId,
  errorCodes.illegalGeneration,
  errorCodes.rebalanceInProgress,
]);
