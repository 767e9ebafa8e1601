import { longestTimer } from '../../base/clock.js';
import {
  boolean,
  callback,
  checkOptions,
  listOf,
  nonEmptyText,
  objectWith,
  type OptionTable,
  whole,
  withDefaults,
} from '../../base/options.js';
import { BusbarError } from '../../base/errors.js';
import type { Transport } from '../transport.js';
import type { GroupOptions, KafkaClient } from './client.js';
import { checkSasl, connectionOptions, type KafkaConnectionOptions } from './connection.js';
import { DeadLetters } from './dead-letters.js';
import { kafkajsClientOf } from './kafkajs/kafkajs-client.js';
import { deadLetterTopicOf } from './letters.js';
import { KafkaRun } from './run.js';

export type {
  AssignedPartition,
  FetchedBatch,
  GroupMember,
  GroupMembership,
  GroupOptions,
  KafkaClient,
  KafkaConnection,
  OffsetRange,
  OutgoingRecord,
  PartitionOffset,
  TopicDescription,
} from './client.js';
export type { KafkaConnectionOptions, KafkaSasl, KafkaSsl } from './connection.js';
export { kafkajsClient, type ReadyKafkajs } from './kafkajs/kafkajs-client.js';

/** Times in milliseconds. */
export interface KafkaConsumeOptions {
  /** The consumer group: members of one share the partitions, and the group's positions outlive them. */
  readonly groupId: string;
  readonly topics: readonly string[];
  /** Where a group begins that has no position yet: at the first record there is, or at those to come. Default false. */
  readonly fromBeginning?: boolean;
  /** Not heard of for so long, a member is thrown out of its group. Default 30,000. */
  readonly sessionTimeout?: number;
  /** How long a rebalance waits for a member; bounds how long handlers may take then. Default 60,000. */
  readonly rebalanceTimeout?: number;
  /** Default 3,000; at most a third of the session timeout. */
  readonly heartbeatInterval?: number;
  /** How long a fetch waits for records, and a paused partition for its next. Default 200. */
  readonly maxWait?: number;
  /** How much one fetch brings of one partition, in bytes. Default 1 MiB; 1.5 times that may wait in memory. */
  readonly maxBytesPerPartition?: number;
  /** How often positions are committed, beside when partitions are given up and at the end. Default 1,000. */
  readonly commitInterval?: number;
  /** Names the topic for the dead letters of another. Default `<topic>.dead-letter`. */
  readonly deadLetterTopic?: (topic: string) => string;
  /** Creates dead-letter topics that are missing. Default false: partitions and replicas are for you to decide. */
  readonly createDeadLetterTopics?: boolean;
}

/** Either how to reach Kafka, or a client that knows. */
export type KafkaOptions = KafkaConsumeOptions &
  ((KafkaConnectionOptions & { readonly client?: never }) | { readonly client: KafkaClient });

const time = whole({ from: 1, to: longestTimer });

const consumeOptions = {
  groupId: { type: nonEmptyText, isRequired: true },
  topics: { type: listOf(nonEmptyText, { notEmpty: true }), isRequired: true },
  fromBeginning: { type: boolean, default: false },
  sessionTimeout: { type: time, default: 30_000, unit: 'milliseconds' },
  rebalanceTimeout: { type: time, default: 60_000, unit: 'milliseconds' },
  heartbeatInterval: { type: time, default: 3_000, unit: 'milliseconds' },
  maxWait: { type: time, default: 200, unit: 'milliseconds' },
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
 * Consumes topics of Apache Kafka as a member of a consumer group. Before partitions go to another member, what runs of
 * them ends and is committed.
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
    async open(receiver, { clock, logger }) {
      const connection = await client.connect({ clock, logger });
      const deadLetters = new DeadLetters({
        connection,
        groupId: group.groupId,
        topicFor: deadLetterTopic,
        create: createDeadLetterTopics,
        clock,
        logger,
      });
      try {
        await deadLetters.prepare(group.topics);
        const settings = { connection, group, commitInterval, receiver, deadLetters, clock, logger };
        return await new KafkaRun(settings).open();
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
  const idle = Object.keys(connectionOptions).find((name) => name in options);
  if (!hasClient || idle === undefined) return;
  const message = `kafka(): "${idle}" does not go with "client", which has its own. Leave one of them out.`;
  throw new BusbarError('invalid-option', message);
}

function groupOptions(options: KafkaConsumeOptions): Required<KafkaConsumeOptions> & GroupOptions {
  const filled = withDefaults(consumeOptions, options);
  const { topics, sessionTimeout, rebalanceTimeout, heartbeatInterval, maxWait } = filled;
  atLeast('sessionTimeout', sessionTimeout, 3 * heartbeatInterval);
  // What is left of it is for handlers to end, and more than a second must be.
  atLeast('rebalanceTimeout', rebalanceTimeout, heartbeatInterval + maxWait + 2_000);
  return { ...filled, topics: [...new Set(topics)] };
}

/** Bounds that depend on other options. */
function atLeast(name: string, value: number, least: number): void {
  if (value >= least) return;
  throw new BusbarError('invalid-option', `kafka(): "${name}" must be at least ${least}, not ${value}.`);
}
