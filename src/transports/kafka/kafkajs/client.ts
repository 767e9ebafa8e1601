import type { logCreator, LogEntry } from 'kafkajs';
import type { Logger } from '../../../base/logger.js';
import kafkajs, { type Admin, type IHeaders, type Kafka, type Producer } from 'kafkajs';
import { type Clock, untilAborted } from '../../../base/clock.js';
import { defined } from '../../../base/defined.js';
import { checkOptions, objectWith } from '../../../base/options.js';
import { quoted } from '../../../base/errors.js';
import type { ConsumerRecord, OpenOptions } from '../../transport.js';
import type {
  GroupMember,
  GroupMembership,
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
import { consumption, joinGroup } from '../group/membership.js';
import { readRange } from '../group/read-range.js';
import { type Cluster, clusterOf } from './bridge.js';
import { connectAdmin, OnDemand } from './on-demand.js';
import { translated, typeOf } from './errors.js';
import { partitioner } from './partitioner.js';
import { Sockets } from './sockets.js';

/** The part of a `Kafka` of kafkajs that Busbar uses, without types of kafkajs. */
export interface ReadyKafkajs {
  admin(config?: never): object;
  producer(config?: never): object;
  consumer(config: never): object;
}

/** Time in milliseconds after which a broker that does not respond is lost: a third of the default session. */
const requestTimeout = 10_000;

const aKafka = objectWith('a Kafka of kafkajs', 'admin', 'producer', 'consumer');

/**
 * Returns a value for the option `client` of `kafka()` from a ready `new Kafka(...)` of kafkajs 2.2.4.
 * @throws BusbarError `invalid-option`
 */
export function kafkajsClient(kafka: ReadyKafkajs): KafkaClient {
  checkOptions('kafkajsClient()', { kafka: { type: aKafka, isRequired: true } }, { kafka });
  return {
    connect: (options) => connect(kafka as unknown as Kafka, 'the ready client', options),
  };
}

/** A client that makes a `Kafka` for each run. */
export function kafkajsClientOf(options: KafkaConnectionOptions): KafkaClient {
  return {
    connect(opening) {
      const sockets = new Sockets();
      return connect(kafkaOf(options, opening.logger, sockets), whereOf(options), opening, sockets);
    },
  };
}

/** Makes a `Kafka` that retries little: a membership has retries of its own. */
export function kafkaOf(options: KafkaConnectionOptions, logger: Logger, sockets: Sockets): Kafka {
  return new kafkajs.Kafka({
    ...configOf(options),
    socketFactory: sockets.factory,
    requestTimeout,
    logLevel: kafkajs.logLevel.WARN,
    logCreator: debugOnlyLog(logger),
    retry: { retries: 2, initialRetryTime: 100 },
  });
}

async function connect(
  kafka: Kafka,
  where: string,
  options: OpenOptions,
  sockets = new Sockets(),
): Promise<KafkaConnection> {
  const connection = new KafkajsConnection(kafka, where, options, sockets);
  await connection.open(options.signal);
  return connection;
}

/** A connection by kafkajs. Each of its clients connects when it is used. */
export class KafkajsConnection implements KafkaConnection {
  protected readonly where: string;
  protected readonly clock: Clock;
  protected readonly admin: OnDemand<Admin>;
  protected readonly cluster: Cluster;
  readonly #logger: Logger;
  readonly #producer: OnDemand<Producer>;
  readonly #sockets: Sockets;

  constructor(kafka: Kafka, where: string, { clock, logger }: OpenOptions, sockets: Sockets) {
    this.#sockets = sockets;
    this.where = where;
    this.clock = clock;
    this.#logger = logger;
    this.admin = new OnDemand(() => kafka.admin(), clock);
    this.#producer = new OnDemand(() => makeProducer(kafka), clock);
    this.cluster = clusterOf(kafka);
  }

  open(signal?: AbortSignal): Promise<void> {
    return connectAdmin(this.admin, this.where, this.clock, { signal, sockets: this.#sockets });
  }

  async describeTopic(name: string): Promise<TopicDescription | undefined> {
    try {
      const { topics } = await this.admin.use((admin) => admin.fetchTopicMetadata({ topics: [name] }));
      return {
        name,
        partitions: topics[0]?.partitions.length ?? 0,
        ...(await this.#settingsOf(name)),
      };
    } catch (error) {
      if (absent.has(typeOf(error))) return undefined;
      throw translated(error, this.where, `did not describe topic ${quoted(name)}`);
    }
  }

  async createTopic({ name, partitions, maxMessageBytes, cleanupPolicy }: TopicDescription): Promise<void> {
    const settings = { 'max.message.bytes': maxMessageBytes?.toString(), 'cleanup.policy': cleanupPolicy };
    const configEntries = Object.entries(defined(settings)).map(([name, value]) => ({ name, value }));
    try {
      const topics = [{ topic: name, numPartitions: partitions, configEntries }];
      // Resolves with false when the topic exists already.
      await this.admin.use((admin) => admin.createTopics({ topics }));
    } catch (error) {
      throw translated(error, this.where, `did not create topic ${quoted(name)}`);
    }
  }

  async produce({ topic, partition, key, value, headers }: OutgoingRecord): Promise<PartitionOffset> {
    const message = {
      key: key === null ? null : Buffer.from(key),
      value: value === null ? null : Buffer.from(value),
      headers: headersOf(headers),
      ...defined({ partition }),
    };
    const send = (compression = kafkajs.CompressionTypes.None) =>
      this.#producer.use((producer) => producer.send({ topic, acks: -1, compression, messages: [message] }));
    try {
      const [written] = await send().catch((error: unknown) => {
        // The limit of a topic is for batches as they are sent, and the record may have come in a compressed one.
        if (typeOf(error) !== 'MESSAGE_TOO_LARGE') throw error;
        return send(kafkajs.CompressionTypes.GZIP);
      });
      return { topic, partition: written?.partition ?? -1, offset: Number(written?.baseOffset ?? -1) };
    } catch (error) {
      throw translated(error, this.where, `did not accept a record for topic ${quoted(topic)}`);
    }
  }

  async rangesOf(topic: string): Promise<readonly OffsetRange[] | undefined> {
    try {
      return await this.admin.use(async (admin) => {
        // kafkajs asks three times for the offsets of a topic that does not exist.
        await admin.fetchTopicMetadata({ topics: [topic] });
        return fetchRanges(admin, topic);
      });
    } catch (error) {
      if (typeOf(error) === 'UNKNOWN_TOPIC_OR_PARTITION') return undefined;
      throw translated(error, this.where, `did not return the offsets of topic ${quoted(topic)}`);
    }
  }

  async *read(range: OffsetRange): AsyncIterable<ConsumerRecord> {
    try {
      await this.cluster.locate([range.topic]);
      yield* readRange(this.cluster, range, this.clock);
    } catch (error) {
      throw translated(error, this.where, `did not allow reads of topic ${quoted(range.topic)}`);
    }
  }

  async join(options: GroupOptions, member: GroupMember, signal?: AbortSignal): Promise<GroupMembership> {
    const cluster = this.cluster;
    try {
      await untilAborted(cluster.locate(options.topics), signal);
      const context = { cluster, where: this.where, clock: this.clock, logger: this.#logger };
      return await joinGroup(context, options, member, signal);
    } catch (error) {
      signal?.throwIfAborted();
      throw translated(error, this.where, `did not let ${consumption(options)}`);
    }
  }

  async close(): Promise<void> {
    const closed = Promise.all([this.#producer.close(), this.cluster.close(), this.admin.close()]);
    await this.#sockets.closeAfter(closed, this.clock);
  }

  async #settingsOf(topic: string): Promise<Pick<TopicDescription, 'maxMessageBytes' | 'cleanupPolicy'>> {
    const configNames = ['max.message.bytes', 'cleanup.policy'];
    try {
      const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configNames };
      const { resources } = await this.admin.use((admin) =>
        admin.describeConfigs({ includeSynonyms: false, resources: [resource] }),
      );
      const entries = resources[0]?.configEntries ?? [];
      const [limit, policy] = configNames.map(
        (name) => entries.find(({ configName }) => configName === name)?.configValue,
      );
      return defined({ maxMessageBytes: limit ? Number(limit) : undefined, cleanupPolicy: policy });
    } catch (error) {
      this.#logger.debug('topic settings could not be read', { topic, reason: typeOf(error) });
      return {};
    }
  }
}

/** The errors of a topic that does not exist, or cannot exist under its name. */
const absent: ReadonlySet<unknown> = new Set(['UNKNOWN_TOPIC_OR_PARTITION', 'INVALID_TOPIC_EXCEPTION']);

/** Returns the offsets of a topic by partition. */
export async function fetchRanges(admin: Admin, topic: string): Promise<OffsetRange[]> {
  const offsets = await admin.fetchTopicOffsets(topic);
  return offsets
    .map(({ partition, low, high }) => ({ topic, partition, first: Number(low), end: Number(high) }))
    .sort((one, other) => one.partition - other.partition);
}

function makeProducer(kafka: Kafka): Producer {
  // Not idempotent: after a failure kafkajs may continue with a sequence that the broker always rejects.
  return kafka.producer({
    createPartitioner: partitioner,
    allowAutoTopicCreation: false,
    retry: { retries: 1, initialRetryTime: 100 },
  });
}

/** kafkajs keeps the values of one name in order, at the place of the first. */
function headersOf(pairs: OutgoingRecord['headers']): IHeaders {
  const headers = Object.create(null) as Record<string, Buffer[]>;
  for (const [name, value] of pairs) (headers[name] ??= []).push(Buffer.from(value));
  return headers;
}

/**
 * Logs the warnings and errors of kafkajs as `debug`. kafkajs logs each attempt of each connection; Busbar reports an
 * outage itself. Never ask kafkajs for its own debug level, which prints whole requests.
 */
function debugOnlyLog(logger: Logger): logCreator {
  return () =>
    ({ namespace, log }: LogEntry) =>
      logger.debug('kafkajs reported a problem', {
        problem: log.message,
        namespace,
        broker: log['broker'] as unknown,
      });
}
