import type { Settings } from '../options.js';
import type { configEntries } from './config-entries.js';

/** What a configuration can belong to, by the numbers of the admin APIs. */
export const resourceTypes = { topic: 2, broker: 4 } as const;

const STATIC_BROKER_CONFIG = 4;
const STRING = 2;

/** The settings of the broker that have a name in Apache Kafka. They are fixed when it starts. */
export function brokerConfigEntries(settings: Settings): ReturnType<typeof configEntries> {
  const values = {
    'auto.create.topics.enable': settings.autoCreateTopics,
    'broker.id': settings.nodeId,
    'connections.max.idle.ms': settings.connectionsMaxIdleMs,
    'default.replication.factor': 1,
    'group.initial.rebalance.delay.ms': 0,
    'group.max.session.timeout.ms': settings.maxSessionTimeoutMs,
    'group.min.session.timeout.ms': settings.minSessionTimeoutMs,
    'max.connections': settings.maxConnections,
    'num.partitions': settings.defaultPartitions,
    'socket.request.max.bytes': settings.maxFrameBytes,
  };
  return Object.entries(values).map(([name, value]) => ({
    name,
    value: String(value),
    readOnly: true,
    isSensitive: false,
    isDefault: false,
    configSource: STATIC_BROKER_CONFIG,
    configType: STRING,
    synonyms: [{ name, value: String(value), source: STATIC_BROKER_CONFIG }],
  }));
}
