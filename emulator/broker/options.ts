import {
  boolean,
  type Clock,
  clockObject,
  listOf,
  type Logger,
  loggerObject,
  nested,
  nonEmptyText,
  type OptionTable,
  portNumber,
  recordOf,
  stderrLogger,
  systemClock,
  text,
  whole,
  withDefaults,
} from 'busbar/base';
import type { Address } from './connection.js';

/** A topic to create when the broker starts. */
export interface TopicOptions {
  readonly name: string;
  /** Default 1. */
  readonly partitions?: number;
  /** Topic configurations of Apache Kafka, such as `{ 'max.message.bytes': '2000000' }`. Default: Kafka's values. */
  readonly config?: Readonly<Record<string, string>>;
}

/** The options of a broker on any kind of connection. */
export interface BrokerOptions {
  /** The id of the broker in metadata. Default 1. */
  readonly brokerId?: number;
  /** Topics to create at start. Default none. */
  readonly topics?: readonly TopicOptions[];
  /** Whether a metadata request creates a missing topic. Default true, Kafka's default. */
  readonly autoCreateTopics?: boolean;
  /** Partitions of a topic that a client creates without a number. Default 1, Kafka's default. */
  readonly defaultPartitions?: number;
  /** The users (name to password) that clients must authenticate as, with SASL/PLAIN. Default: no authentication. */
  readonly sasl?: { readonly users: Readonly<Record<string, string>> };
  /** Bytes of a topic; above, the broker drops its oldest segments. Default 256 MiB. */
  readonly maxTopicBytes?: number;
  /** Bytes of all topics; above, the broker drops the oldest segments. Default 512 MiB. */
  readonly maxTotalBytes?: number;
  /** The maximum length of a request in bytes. Default 100 MiB, as Kafka's `socket.request.max.bytes`. */
  readonly maxFrameBytes?: number;
  /** The maximum number of connections; one more closes the longest idle one, with a warning. Default 1,000. */
  readonly maxConnections?: number;
  /** Milliseconds before an idle connection is closed. Default 600,000, as Kafka's `connections.max.idle.ms`. */
  readonly connectionsMaxIdleMs?: number;
  /** The maximum number of partitions of all topics. Default 10,000. */
  readonly maxPartitions?: number;
  /** The maximum number of consumer groups. Default 10,000. */
  readonly maxGroups?: number;
  /** The minimum session timeout of a group member, in milliseconds. Default 6,000, Kafka's default. */
  readonly minSessionTimeoutMs?: number;
  /** The maximum session timeout of a group member, in milliseconds. Default 1,800,000, Kafka's default. */
  readonly maxSessionTimeoutMs?: number;
  /**
   * Milliseconds that a new group waits for more members before its first rebalance ends. Each member that joins in that
   * time adds the same again, up to the rebalance timeout. Default 0; Kafka's default is 3,000.
   */
  readonly initialRebalanceDelayMs?: number;
  /** The maximum milliseconds that a fetch waits for records, even if the client asks for more. Default: no limit. */
  readonly maxFetchWaitMs?: number;
  /** Decides the `share` of fault rules, with the requests. Default 1. */
  readonly seed?: number;
  /** The address that clients are given for the broker. Default: the one that they connected to. */
  readonly advertised?: Address;
  /** Default: a logger that writes warnings and errors to stderr. */
  readonly logger?: Logger;
  /** Default: the system clock. */
  readonly clock?: Clock;
}

export type Settings = Required<Omit<BrokerOptions, 'topics' | 'sasl' | 'advertised'>> &
  Pick<BrokerOptions, 'sasl' | 'advertised'> & { readonly clusterId: string };

const MEBIBYTE = 1024 * 1024;

/** In tests, a line for each created topic would be noise. */
const quietLogger: Logger = { ...stderrLogger, info() {} };

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

export const brokerOptions = {
  brokerId: { type: whole({ from: 0 }), default: 1 },
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
  initialRebalanceDelayMs: { type: whole({ from: 0 }), default: 0, unit: 'milliseconds' },
  maxFetchWaitMs: { type: count, default: Infinity, unit: 'milliseconds' },
  seed: { type: whole(), default: 1 },
  advertised: { type: nested(advertisedOptions) },
  logger: { type: loggerObject, default: quietLogger },
  clock: { type: clockObject, default: systemClock },
} satisfies OptionTable<BrokerOptions>;

/** Returns validated options with defaults filled in. */
export function settingsFrom(options: BrokerOptions): Settings {
  return { ...withDefaults(brokerOptions, options), clusterId: 'busbar-embedded-broker' };
}
