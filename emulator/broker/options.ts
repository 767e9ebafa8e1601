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

/** @throws {BrokerError} INVALID_OPTION when a limit is not a positive whole number */
export function settingsFrom(options: BrokerOptions): Settings {
  const settings: Settings = {
    autoCreateTopics: options.autoCreateTopics ?? true,
    defaultPartitions: limit(options, 'defaultPartitions', 1),
    maxTopicBytes: limit(options, 'maxTopicBytes', 256 * MEBIBYTE),
    maxTotalBytes: limit(options, 'maxTotalBytes', 512 * MEBIBYTE),
    maxFrameBytes: limit(options, 'maxFrameBytes', 100 * MEBIBYTE),
    maxConnections: limit(options, 'maxConnections', 1000),
    connectionsMaxIdleMs: limit(options, 'connectionsMaxIdleMs', 600_000),
    maxPartitions: limit(options, 'maxPartitions', 10_000),
    maxGroups: limit(options, 'maxGroups', 10_000),
    minSessionTimeoutMs: limit(options, 'minSessionTimeoutMs', 6000),
    maxSessionTimeoutMs: limit(options, 'maxSessionTimeoutMs', 1_800_000),
    logger: options.logger ?? stderrLogger,
    clock: options.clock ?? wallClock,
    nodeId: 1,
    clusterId: 'busbar-embedded-broker',
    ...(options.sasl ? { sasl: options.sasl } : {}),
    ...(options.advertised ? { advertised: options.advertised } : {}),
  };
  return settings;
}

type Limit = {
  [K in keyof BrokerOptions]-?: number extends BrokerOptions[K] ? K : never;
}[keyof BrokerOptions];

function limit(options: BrokerOptions, name: Limit, byDefault: number): number {
  const value = options[name] ?? byDefault;
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new BrokerError('INVALID_OPTION', `"${name}" is ${value}; give a whole number above 0`);
}
