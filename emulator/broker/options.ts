import {
  boolean,
  listOf,
  loggerObject,
  nested,
  nonEmptyText,
  objectionTo,
  objectWith,
  type OptionTable,
  portNumber,
  recordOf,
  text,
  whole,
  withDefaults,
} from '../../src/base/options.js';
import { BrokerError } from './broker-error.js';
import { type BrokerClock, wallClock } from './clock.js';
import type { Address } from './connection.js';
import { type BrokerLogger, stderrLogger } from './logger.js';

export interface TopicOptions {
  readonly name: string;
  /** 1 by default. */
  readonly partitions?: number;
  /** Topic configurations of Apache Kafka, such as `{ 'max.message.bytes': '2000000' }`. */
  readonly config?: Readonly<Record<string, string>>;
}

/** The options of a broker, whatever it listens on. */
export interface BrokerOptions {
  /** Topics that exist from the start. */
  readonly topics?: readonly TopicOptions[];
  /** Create a topic when a client asks for the metadata of one that does not exist; true, as in Kafka. */
  readonly autoCreateTopics?: boolean;
  /** Partitions of topics that are created without a number; 1, as in Kafka. */
  readonly defaultPartitions?: number;
  /** Clients must authenticate with SASL/PLAIN as one of these users (name to password). */
  readonly sasl?: { readonly users: Readonly<Record<string, string>> };
  /** Bytes that one topic holds before its oldest segments are dropped; 256 MiB. */
  readonly maxTopicBytes?: number;
  /** Bytes that all topics hold together; 512 MiB. */
  readonly maxTotalBytes?: number;
  /** The longest request in bytes; 100 MiB, as Kafka's `socket.request.max.bytes`. */
  readonly maxFrameBytes?: number;
  /** Connections served at a time; 1,000. For a further one, that which was idle longest is closed with a warning. */
  readonly maxConnections?: number;
  /** Milliseconds after which an idle connection is closed; 600,000, as Kafka's `connections.max.idle.ms`. */
  readonly connectionsMaxIdleMs?: number;
  /** Partitions of all topics together; 10,000. */
  readonly maxPartitions?: number;
  /** Consumer groups; 10,000. */
  readonly maxGroups?: number;
  /** The shortest session timeout that a group member may ask for, in milliseconds; 6,000, as in Kafka. */
  readonly minSessionTimeoutMs?: number;
  /** The longest, in milliseconds; 1,800,000, as in Kafka. */
  readonly maxSessionTimeoutMs?: number;
  /** Where clients are told to connect, when that is not where they reached the broker. */
  readonly advertised?: Address;
  /** Warnings and errors go to stderr by default. */
  readonly logger?: BrokerLogger;
  /** Wall time by default; a test passes its own and needs no sleeps. */
  readonly clock?: BrokerClock;
}

export type Settings = Required<Omit<BrokerOptions, 'topics' | 'sasl' | 'advertised'>> &
  Pick<BrokerOptions, 'sasl' | 'advertised'> & { readonly nodeId: number; readonly clusterId: string };

const MEBIBYTE = 1024 * 1024;

const count = whole({ from: 1 });

const topicOptions = {
  name: { type: text, isRequired: true },
  partitions: { type: count, default: 1 },
  config: { type: recordOf(text) },
} satisfies OptionTable<TopicOptions>;

const advertisedOptions = {
  host: { type: nonEmptyText, isRequired: true },
  port: { type: portNumber, isRequired: true },
} satisfies OptionTable<Address>;

/** {@link BrokerOptions}, as a table. */
export const brokerOptions = {
  topics: { type: listOf(nested(topicOptions)) },
  autoCreateTopics: { type: boolean, default: true },
  defaultPartitions: { type: count, default: 1 },
  sasl: {
    type: nested<NonNullable<BrokerOptions['sasl']>>({
      users: { type: recordOf(text), isRequired: true, isSecret: true },
    }),
  },
  maxTopicBytes: { type: count, default: 256 * MEBIBYTE, unit: 'bytes' },
  maxTotalBytes: { type: count, default: 512 * MEBIBYTE, unit: 'bytes' },
  maxFrameBytes: { type: count, default: 100 * MEBIBYTE, unit: 'bytes' },
  maxConnections: { type: count, default: 1_000 },
  connectionsMaxIdleMs: { type: count, default: 600_000, unit: 'milliseconds' },
  maxPartitions: { type: count, default: 10_000 },
  maxGroups: { type: count, default: 10_000 },
  minSessionTimeoutMs: { type: count, default: 6_000, unit: 'milliseconds' },
  maxSessionTimeoutMs: { type: count, default: 1_800_000, unit: 'milliseconds' },
  advertised: { type: nested(advertisedOptions) },
  logger: { type: loggerObject, default: stderrLogger },
  clock: { type: objectWith('a clock', 'now', 'after'), default: wallClock },
} satisfies OptionTable<BrokerOptions>;

/** @throws {BrokerError} INVALID_OPTION for an unknown name, and a value of another type */
export function checkBrokerOptions(
  owner: string,
  table: Parameters<typeof objectionTo>[0],
  options: object,
): void {
  const objection = objectionTo(table, options);
  if (objection !== undefined) throw new BrokerError('INVALID_OPTION', `${owner}: ${objection}`);
}

/** Fills in the defaults of options that were checked. */
export function settingsFrom(options: BrokerOptions): Settings {
  return { ...withDefaults(brokerOptions, options), nodeId: 1, clusterId: 'busbar-embedded-broker' };
}
