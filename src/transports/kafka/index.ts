import { maxTimer, untilAborted } from '../../base/clock.js';
import {
  boolean,
  callback,
  checkOptions,
  choice,
  listOf,
  matching,
  nonEmptyText,
  objectWith,
  type OptionTable,
  whole,
  withDefaults,
} from '../../base/options.js';
import { defined } from '../../base/defined.js';
import { BusbarError, quoted } from '../../base/errors.js';
import type { Transport } from '../transport.js';
import type { KafkaClient } from './client.js';
import { checkSasl, connectionOptions, type KafkaConnectionOptions } from './connection.js';
import { DeadLetters } from './dead-letters.js';
import { kafkajsClientOf } from './kafkajs/client.js';
import { deadLetterTopicOf } from './dead-letter-topic.js';
import { KafkaRun } from './run.js';

export type { KafkaConnectionOptions, KafkaSasl, KafkaSsl } from './connection.js';
export { kafkajsClient, type ReadyKafkajs } from './kafkajs/client.js';

/** Consumer group, topics and dead letters of {@link kafka}. Times in milliseconds. */
export interface KafkaConsumeOptions {
  /** Consumer group. Its members share the partitions, and its offsets outlive them. */
  readonly groupId: string;
  /**
   * Name of this process in the group, the same after a restart and unique in the group, for example that of the pod. A
   * process that is back within `sessionTimeout` keeps its partitions, without a rebalance (KIP-345; Kafka 2.3).
   * Meanwhile they wait. Default: none; the member leaves the group when it stops.
   */
  readonly groupInstanceId?: string;
  /**
   * Rack or availability zone of this process, as `broker.rack` names it: partitions are read from a replica there, if the
   * brokers have a `replica.selector.class` (KIP-392; Kafka 2.4). Default: none; leaders are read.
   */
  readonly rackId?: string;
  /** Topics to consume. */
  readonly topics: readonly string[];
  /** Whether a group without offsets begins at the first record instead of the next one. Default false. */
  readonly fromBeginning?: boolean;
  /**
   * Partitions that a member drains and releases when the group rebalances. `eager`: all. `cooperative`: only those that
   * move to other members; handlers of the others continue (KIP-429; Kafka 2.4). Eager and cooperative members can form one
   * group, so that a rolling deployment changes it. Members of kafkajs cannot join cooperative ones. Default `eager`.
   */
  readonly rebalance?: 'eager' | 'cooperative';
  /** Time without a heartbeat after which the group evicts a member. Default 30,000. */
  readonly sessionTimeout?: number;
  /** Maximum time that a rebalance waits for a member's handlers. Default 60,000. */
  readonly rebalanceTimeout?: number;
  /** Interval of heartbeats; at most a third of the session timeout. Default 3,000. */
  readonly heartbeatInterval?: number;
  /**
   * Maximum time that a fetch waits for records, at most 30,000; at most 100 while a partition is paused. Default 500, like
   * clients in Java.
   */
  readonly maxWait?: number;
  /** Maximum bytes of one partition in one fetch. Up to 2.5 times that may wait in memory. Default 1 MiB. */
  readonly maxBytesPerPartition?: number;
  /** Interval of commits. Offsets are also committed when partitions are released and at the end. Default 1,000. */
  readonly commitInterval?: number;
  /** Returns the dead-letter topic of a topic. Default `<topic>.dead-letter`. */
  readonly deadLetterTopic?: (topic: string) => string;
  /** Whether to create missing dead-letter topics. Default false, so that you choose partitions and replicas. */
  readonly createDeadLetterTopics?: boolean;
}

/** Options of {@link kafka}: either a connection, or a client. */
export type KafkaOptions = KafkaConsumeOptions &
  ((KafkaConnectionOptions & { readonly client?: never }) | { readonly client: KafkaClient });

const time = whole({ from: 1, to: maxTimer });

const consumeOptions = {
  groupId: { type: nonEmptyText, isRequired: true },
  groupInstanceId: {
    type: matching(/^(?!\.{1,2}$)[\w.-]{1,249}$/, 'up to 249 letters, digits, ".", "_" and "-"'),
  },
  rackId: { type: nonEmptyText },
  topics: { type: listOf(nonEmptyText, { notEmpty: true }), isRequired: true },
  fromBeginning: { type: boolean, default: false },
  rebalance: { type: choice('eager', 'cooperative'), default: 'eager' },
  sessionTimeout: { type: time, default: 30_000, unit: 'milliseconds' },
  rebalanceTimeout: { type: time, default: 60_000, unit: 'milliseconds' },
  heartbeatInterval: { type: time, default: 3_000, unit: 'milliseconds' },
  // Health reports a broker that has been silent for a minute.
  maxWait: { type: whole({ from: 1, to: 30_000 }), default: 500, unit: 'milliseconds' },
  maxBytesPerPartition: { type: whole({ from: 1, to: 2 ** 31 - 1 }), default: 1_048_576, unit: 'bytes' },
  commitInterval: { type: time, default: 1_000, unit: 'milliseconds' },
  deadLetterTopic: { type: callback, default: deadLetterTopicOf },
  createDeadLetterTopics: { type: boolean, default: false },
} satisfies OptionTable<KafkaConsumeOptions>;

type AllOptions = KafkaConsumeOptions & KafkaConnectionOptions & { readonly client?: KafkaClient };

const kafkaOptions = {
  ...consumeOptions,
  ...connectionOptions,
  client: { type: objectWith('made by kafkajsClient()', 'connect') },
} satisfies OptionTable<AllOptions>;

/**
 * Consumes topics of Apache Kafka as a member of a consumer group. Before another member gets a partition, its running
 * handlers end and their offsets are committed.
 * @throws BusbarError `invalid-option`; opening throws `connection-failed`, `not-authorized`, `unknown-topic`,
 * `group-mismatch`, `record-refused`
 * @example
 * await run(kafka({ brokers: ['localhost:9092'], groupId: 'billing', topics: ['platform.events'] }));
 */
export function kafka(options: KafkaOptions): Transport {
  checkKafkaOptions(options);
  const { commitInterval, deadLetterTopic, createDeadLetterTopics, ...group } = groupOptions(options);
  const client = options.client ?? kafkajsClientOf(options);
  return {
    name: 'kafka',
    group: group.groupId,
    capabilities: { commit: true, redelivery: true, keys: true, deadLetters: true },
    async open(receiver, { clock, logger, signal }) {
      const connection = await client.connect({ clock, logger, signal });
      const deadLetters = new DeadLetters({
        connection,
        groupId: group.groupId,
        topicFor: deadLetterTopic,
        create: createDeadLetterTopics,
        clock,
        logger,
      });
      try {
        await untilAborted(deadLetters.prepare(group.topics), signal);
        const settings = { connection, group, commitInterval, receiver, deadLetters, clock, logger };
        return await new KafkaRun(settings).open(signal);
      } catch (error) {
        await connection.close().catch(() => undefined);
        throw error;
      }
    },
  };
}

function checkKafkaOptions(options: KafkaOptions): void {
  const hasClient = (options as KafkaOptions | undefined)?.client !== undefined;
  const { brokers } = connectionOptions;
  const table = hasClient ? { ...kafkaOptions, brokers: { type: brokers.type } } : kafkaOptions;
  checkOptions<AllOptions>('kafka()', table, options);
  checkSasl('kafka()', options.sasl);
  const ignored = Object.keys(connectionOptions).find((name) => name in defined(options));
  if (!hasClient || ignored === undefined) return;
  const message = `kafka(): "${ignored}" conflicts with "client", which has its own. Remove one of them.`;
  throw new BusbarError('invalid-option', message);
}

function groupOptions(options: KafkaConsumeOptions) {
  const filled = withDefaults(consumeOptions, options);
  const { topics, sessionTimeout, rebalanceTimeout, heartbeatInterval, deadLetterTopic } = filled;
  atLeast('sessionTimeout', sessionTimeout, 3 * heartbeatInterval);
  // Leaves more than a second for handlers to end.
  atLeast('rebalanceTimeout', rebalanceTimeout, heartbeatInterval + 2_000);
  for (const topic of topics) {
    const name: unknown = deadLetterTopic(topic);
    // A dead letter in its own topic would fail there again, without an end.
    if (typeof name === 'string' && name !== '' && name !== topic) continue;
    const message = `kafka(): "deadLetterTopic" must return the name of another topic for ${quoted(topic)}.`;
    throw new BusbarError('invalid-option', message);
  }
  return { ...filled, topics: [...new Set(topics)] };
}

/** Checks a bound that depends on other options. */
function atLeast(name: string, value: number, min: number): void {
  if (value >= min) return;
  throw new BusbarError('invalid-option', `kafka(): "${name}" must be at least ${min}, not ${value}.`);
}
