import kafkajs, { type Admin, type Kafka, type Producer } from 'kafkajs';
import type { Clock } from '../../../base/clock.js';
import type { Logger } from '../../../base/logger.js';
import { quoted } from '../../../base/quoted.js';
import type { ConsumerRecord } from '../../transport.js';
import type {
  GroupMember,
  GroupOptions,
  KafkaClient,
  KafkaConnection,
  OffsetRange,
  OutgoingRecord,
  PartitionOffset,
  TopicDescription,
} from '../client.js';
import type { KafkaConnectionOptions } from '../connection.js';
import { configOf, whereOf } from './config.js';
import { connectAdmin } from './connect-admin.js';
import { translated, typeOf } from './errors.js';
import { joinGroup } from './group.js';
import { quietLog } from './log.js';
import { headersOf } from './records.js';
import { patchRequestQueue } from './request-queue.js';
import { TopicReader } from './topic-reader.js';

/** What of a ready `Kafka` of kafkajs is used: it names no type of kafkajs, and every `Kafka` of 2.2.4 fits. */
export interface ReadyKafkajs {
  admin(config?: never): object;
  producer(config?: never): object;
  consumer(config: never): object;
}

/**
 * Puts a ready `new Kafka(...)` of kafkajs 2.2.4 behind the option `client` of `kafka()`, for what `kafka(...)` has no options for.
 * Give each consumer a `Kafka` of its own: kafkajs shares committed offsets among those of one.
 */
export function kafkajsClient(kafka: ReadyKafkajs): KafkaClient {
  return {
    connect: ({ clock, logger }) => connect(kafka as unknown as Kafka, 'the ready client', clock, logger),
  };
}

/** A client that makes a `Kafka` for each run. */
export function kafkajsClientOf(options: KafkaConnectionOptions): KafkaClient {
  const { patchIdleTimers = true } = options;
  return {
    async connect({ clock, logger }) {
      if (patchIdleTimers) patchRequestQueue();
      const kafka = new kafkajs.Kafka({
        ...configOf(options),
        logLevel: kafkajs.logLevel.WARN,
        logCreator: quietLog(logger),
        // The first connection; a membership has retries of its own.
        retry: { retries: 2, initialRetryTime: 100, maxRetryTime: 5_000 },
      });
      return connect(kafka, whereOf(options), clock, logger);
    },
  };
}

async function connect(kafka: Kafka, where: string, clock: Clock, logger: Logger): Promise<KafkaConnection> {
  const connection = new KafkajsConnection(kafka, where, clock, logger);
  await connection.open();
  return connection;
}

class KafkajsConnection implements KafkaConnection {
  readonly #kafka: Kafka;
  readonly #where: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #admin: Admin;
  #producer: Promise<Producer> | undefined;
  #reader: TopicReader | undefined;

  constructor(kafka: Kafka, where: string, clock: Clock, logger: Logger) {
    this.#kafka = kafka;
    this.#where = where;
    this.#clock = clock;
    this.#logger = logger;
    this.#admin = kafka.admin();
  }

  open(): Promise<void> {
    return connectAdmin(this.#admin, this.#where, this.#clock);
  }

  async describeTopic(name: string): Promise<TopicDescription | undefined> {
    try {
      const { topics } = await this.#admin.fetchTopicMetadata({ topics: [name] });
      return {
        name,
        partitions: topics[0]?.partitions.length ?? 0,
        ...(await this.#settingsOf(name)),
      };
    } catch (error) {
      if (typeOf(error) === 'UNKNOWN_TOPIC_OR_PARTITION') return undefined;
      throw translated(error, this.#where, `did not describe topic ${quoted(name)}`);
    }
  }

  async createTopic({ name, partitions, maxMessageBytes, cleanupPolicy }: TopicDescription): Promise<void> {
    const configEntries = [
      ...(maxMessageBytes === undefined
        ? []
        : [{ name: 'max.message.bytes', value: String(maxMessageBytes) }]),
      ...(cleanupPolicy === undefined ? [] : [{ name: 'cleanup.policy', value: cleanupPolicy }]),
    ];
    try {
      // Answers false when somebody else was faster.
      await this.#admin.createTopics({ topics: [{ topic: name, numPartitions: partitions, configEntries }] });
    } catch (error) {
      throw translated(error, this.#where, `did not create topic ${quoted(name)}`);
    }
  }

  async produce({ topic, partition, key, value, headers }: OutgoingRecord): Promise<PartitionOffset> {
    const message = {
      key: key === null ? null : Buffer.from(key),
      value: value === null ? null : Buffer.from(value),
      headers: headersOf(headers),
      ...(partition === undefined ? {} : { partition }),
    };
    try {
      const producer = await this.#connectedProducer();
      const [written] = await producer.send({ topic, acks: -1, messages: [message] });
      return { topic, partition: written?.partition ?? -1, offset: Number(written?.baseOffset ?? -1) };
    } catch (error) {
      throw translated(error, this.#where, `did not take a record for topic ${quoted(topic)}`);
    }
  }

  async rangesOf(topic: string): Promise<readonly OffsetRange[] | undefined> {
    try {
      const offsets = await this.#admin.fetchTopicOffsets(topic);
      return offsets
        .map(({ partition, low, high }) => ({ topic, partition, first: Number(low), end: Number(high) }))
        .sort((one, other) => one.partition - other.partition);
    } catch (error) {
      if (typeOf(error) === 'UNKNOWN_TOPIC_OR_PARTITION') return undefined;
      throw translated(error, this.#where, `did not tell the offsets of topic ${quoted(topic)}`);
    }
  }

  async *read(range: OffsetRange): AsyncIterable<ConsumerRecord> {
    try {
      this.#reader ??= new TopicReader(this.#kafka);
      yield* this.#reader.read(range);
    } catch (error) {
      throw translated(error, this.#where, `did not let topic ${quoted(range.topic)} be read`);
    }
  }

  join(options: GroupOptions, member: GroupMember) {
    const context = { kafka: this.#kafka, where: this.#where, clock: this.#clock, logger: this.#logger };
    return joinGroup(context, options, member);
  }

  async close(): Promise<void> {
    const producer = await this.#producer?.catch(() => undefined);
    await Promise.all([producer?.disconnect(), this.#reader?.close(), this.#admin.disconnect()]);
  }

  #connectedProducer(): Promise<Producer> {
    this.#producer ??= this.#connectProducer().catch((error: unknown) => {
      this.#producer = undefined;
      throw error;
    });
    return this.#producer;
  }

  async #connectProducer(): Promise<Producer> {
    // Not idempotent: after a failure kafkajs may go on with a sequence that the broker refuses for ever.
    const producer = this.#kafka.producer({
      createPartitioner: kafkajs.Partitioners.DefaultPartitioner,
      allowAutoTopicCreation: false,
      retry: { retries: 1, initialRetryTime: 100 },
    });
    await producer.connect();
    return producer;
  }

  async #settingsOf(topic: string): Promise<Pick<TopicDescription, 'maxMessageBytes' | 'cleanupPolicy'>> {
    const configNames = ['max.message.bytes', 'cleanup.policy'];
    try {
      const { resources } = await this.#admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configNames }],
      });
      const entries = resources[0]?.configEntries ?? [];
      const [limit, policy] = configNames.map(
        (name) => entries.find(({ configName }) => configName === name)?.configValue,
      );
      return {
        ...(Number.isFinite(Number(limit ?? Number.NaN)) ? { maxMessageBytes: Number(limit) } : {}),
        ...(policy === undefined ? {} : { cleanupPolicy: policy }),
      };
    } catch (error) {
      this.#logger.debug(`The settings of topic ${quoted(topic)} could not be read.`, {
        reason: typeOf(error),
      });
      return {};
    }
  }
}
