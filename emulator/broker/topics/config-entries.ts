import type { Settings } from '../options.js';
import { STRING, topicConfigs } from './topic-config.js';

/** Resources with configurations, by their number in the admin APIs. */
export const resourceTypes = { topic: 2, broker: 4 } as const;

/** Values of `configSource`. */
const TOPIC_CONFIG = 1;
const STATIC_BROKER_CONFIG = 4;
const DEFAULT_CONFIG = 5;

interface Synonym {
  readonly name: string;
  readonly value: string;
  readonly source: number;
}

/** A configuration as the admin APIs return it; its first synonym applies. */
export type ConfigEntry = ReturnType<typeof entry>;

/** Returns all configurations of a topic, with defaults for those that are not set. */
export function configEntries(set: ReadonlyMap<string, string>): ConfigEntry[] {
  return Object.entries(topicConfigs).map(([name, { byDefault, type }]) => {
    const fallback = { name, value: byDefault, source: DEFAULT_CONFIG };
    const value = set.get(name);
    return value === undefined
      ? entry(type, fallback)
      : entry(type, { name, value, source: TOPIC_CONFIG }, fallback);
  });
}

/** Returns the broker's settings that have a name in Apache Kafka. They are fixed at start. */
export function brokerConfigEntries(settings: Settings): ConfigEntry[] {
  const values = {
    'auto.create.topics.enable': settings.autoCreateTopics,
    'broker.id': settings.brokerId,
    'connections.max.idle.ms': settings.connectionsMaxIdleMs,
    'default.replication.factor': 1,
    'group.initial.rebalance.delay.ms': settings.initialRebalanceDelayMs,
    'group.max.session.timeout.ms': settings.maxSessionTimeoutMs,
    'group.min.session.timeout.ms': settings.minSessionTimeoutMs,
    'max.connections': settings.maxConnections,
    'message.max.bytes': topicConfigs['max.message.bytes']?.byDefault,
    'node.id': settings.brokerId,
    'num.partitions': settings.defaultPartitions,
    'socket.request.max.bytes': settings.maxFrameBytes,
  };
  return Object.entries(values).map(([name, value]) =>
    entry(STRING, { name, value: String(value), source: STATIC_BROKER_CONFIG }),
  );
}

function entry(configType: number, applied: Synonym, ...others: Synonym[]) {
  const { name, value, source } = applied;
  return {
    name,
    value,
    readOnly: source === STATIC_BROKER_CONFIG,
    isSensitive: false,
    isDefault: source === DEFAULT_CONFIG,
    configSource: source,
    configType,
    synonyms: [applied, ...others],
  };
}
