import kafkajs, { type Admin, type GroupDescriptions, type Kafka } from 'kafkajs';
import type { Clock } from '../../../base/clock.js';
import { BusbarError } from '../../../base/errors.js';
import { silentLogger } from '../../../base/logger.js';
import { quoted } from '../../../base/quoted.js';
import type { OffsetRange, PartitionOffset } from '../client.js';
import type { KafkaConnectionOptions } from '../connection.js';
import { configOf, whereOf } from './config.js';
import { connectAdmin } from './connect-admin.js';
import { isFenced, translated, typeOf } from './errors.js';
import { hiddenCluster } from './hidden-cluster.js';
import { quietLog } from './log.js';
import { type AskableCluster, refusalOf } from './refused-coordinator.js';

/** What of kafkajs' internals is used here. */
interface Cluster {
  findGroupCoordinator(request: {
    groupId: string;
  }): Promise<{ offsetCommit(request: object): Promise<unknown> }>;
}

/** Where consumer groups go on, read and set from outside of them. */
export class GroupPositions {
  readonly #kafka: Kafka;
  readonly #admin: Admin;
  readonly #where: string;

  private constructor(kafka: Kafka, where: string) {
    this.#kafka = kafka;
    this.#admin = kafka.admin();
    this.#where = where;
  }

  /** @throws BusbarError `connection-failed`, `not-authorized` */
  static async open(options: KafkaConnectionOptions, clock: Clock): Promise<GroupPositions> {
    const kafka = new kafkajs.Kafka({
      ...configOf(options),
      logLevel: kafkajs.logLevel.WARN,
      logCreator: quietLog(silentLogger),
      retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 5_000 },
    });
    const positions = new GroupPositions(kafka, whereOf(options));
    await connectAdmin(positions.#admin, positions.#where, clock);
    return positions;
  }

  /** The members that a group has now: `client (host)`. */
  members(groupId: string): Promise<string[]> {
    return this.#ask(`did not describe group ${quoted(groupId)}`, async () => {
      const { groups } = await this.#describe(groupId);
      return (groups[0]?.members ?? []).map(
        ({ clientId, clientHost }) => `${quoted(clientId)} (${clientHost})`,
      );
    });
  }

  /** Whether there is that group, with members or positions; true where this user may not see it. */
  async isKnown(groupId: string): Promise<boolean> {
    try {
      return await this.#ask(`did not describe group ${quoted(groupId)}`, async () => {
        const { groups } = await this.#describe(groupId);
        return groups[0]?.state !== 'Dead';
      });
    } catch (error) {
      if (error instanceof BusbarError && error.code === 'not-authorized') return true;
      throw error;
    }
  }

  /** @throws BusbarError `unknown-topic` */
  ranges(topic: string): Promise<OffsetRange[]> {
    return this.#askOf(topic, async () => {
      const offsets = await this.#admin.fetchTopicOffsets(topic);
      return offsets
        .map(({ partition, low, high }) => ({ topic, partition, first: Number(low), end: Number(high) }))
        .sort((one, other) => one.partition - other.partition);
    });
  }

  /** The first record of that time or later, by partition; the end where there is none. */
  at(topic: string, time: number): Promise<PartitionOffset[]> {
    return this.#askOf(topic, async () => {
      const offsets = await this.#admin.fetchTopicOffsetsByTimestamp(topic, time);
      return offsets.map(({ partition, offset }) => ({ topic, partition, offset: Number(offset) }));
    });
  }

  /** By partition; those that the group has no position for are left out. */
  committed(groupId: string, topic: string): Promise<Map<number, number>> {
    return this.#askOf(topic, async () => {
      const [found] = await this.#admin.fetchOffsets({ groupId, topics: [topic] });
      const known = (found?.partitions ?? []).filter(({ offset }) => Number(offset) >= 0);
      return new Map(known.map(({ partition, offset }) => [partition, Number(offset)]));
    });
  }

  /** @throws BusbarError `group-active` when somebody has joined meanwhile */
  async write(
    groupId: string,
    topic: string,
    offsets: readonly Omit<PartitionOffset, 'topic'>[],
  ): Promise<void> {
    const partitions = offsets.map(({ partition, offset }) => ({
      partition,
      offset: String(offset),
      metadata: 'busbar',
    }));
    const hidden = await this.#ask('could not be reached', () => hiddenCluster<Cluster>(this.#kafka));
    try {
      const coordinator = await hidden.cluster.findGroupCoordinator({ groupId });
      // As nobody's member: the group takes it only while it has none. kafkajs' own way is to join.
      await coordinator.offsetCommit({
        groupId,
        groupGenerationId: -1,
        memberId: '',
        topics: [{ topic, partitions }],
      });
    } catch (error) {
      if (isFenced(error)) {
        const message = `Group ${quoted(groupId)} has got a member meanwhile. Stop all of its consumers first.`;
        throw new BusbarError('group-active', message, { cause: error });
      }
      throw translated(error, this.#where, `did not take positions of group ${quoted(groupId)}`);
    } finally {
      await hidden.close();
    }
  }

  close(): Promise<void> {
    return this.#admin.disconnect();
  }

  async #describe(groupId: string): Promise<GroupDescriptions> {
    try {
      return await this.#admin.describeGroups([groupId]);
    } catch (error) {
      const hidden = await hiddenCluster<AskableCluster>(this.#kafka);
      throw await refusalOf(error as Error, hidden.cluster, groupId).finally(() => hidden.close());
    }
  }

  async #askOf<T>(topic: string, request: () => Promise<T>): Promise<T> {
    return this.#ask(`did not tell the offsets of topic ${quoted(topic)}`, async () => {
      try {
        return await request();
      } catch (error) {
        if (typeOf(error) !== 'UNKNOWN_TOPIC_OR_PARTITION') throw error;
        throw new BusbarError('unknown-topic', `Kafka has no topic ${quoted(topic)}.`, { cause: error });
      }
    });
  }

  async #ask<T>(what: string, request: () => Promise<T>): Promise<T> {
    try {
      return await request();
    } catch (error) {
      throw translated(error, this.#where, what);
    }
  }
}
