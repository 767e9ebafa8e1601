import { type Problem, rejection } from './problem.js';

/** Values of DescribeConfigs' `configType`. */
const BOOLEAN = 1;
export const STRING = 2;
const INT = 3;
const LONG = 5;
const DOUBLE = 6;
const LIST = 7;

const MAX_INT = 2n ** 31n - 1n;
const MAX_LONG = 2n ** 63n - 1n;

interface Definition {
  readonly type: number;
  readonly byDefault: string;
  readonly accepts: (value: string) => boolean;
}

/**
 * All topic configurations of Apache Kafka, with Kafka's defaults. The broker validates, stores and describes all of
 * them, and applies `max.message.bytes`, `message.timestamp.type` and `retention.bytes`.
 */
export const topicConfigs: Readonly<Record<string, Definition>> = {
  'cleanup.policy': listOf('delete', ['compact', 'delete']),
  'compression.gzip.level': int(-1, -1),
  'compression.lz4.level': int(9, 1),
  'compression.type': oneOf('producer', ['producer', 'uncompressed', 'gzip', 'snappy', 'lz4', 'zstd']),
  'compression.zstd.level': int(3, -131_072),
  'delete.retention.ms': long(86_400_000),
  'file.delete.delay.ms': long(60_000),
  'flush.messages': long(MAX_LONG, 1),
  'flush.ms': long(MAX_LONG),
  'follower.replication.throttled.replicas': anyList(),
  'index.interval.bytes': int(4096),
  'leader.replication.throttled.replicas': anyList(),
  'local.retention.bytes': long(-2, -2),
  'local.retention.ms': long(-2, -2),
  'max.compaction.lag.ms': long(MAX_LONG, 1),
  'max.message.bytes': int(1_048_588),
  'message.downconversion.enable': flag(true),
  'message.format.version': { type: STRING, byDefault: '3.0-IV1', accepts: () => true },
  'message.timestamp.after.max.ms': long(MAX_LONG),
  'message.timestamp.before.max.ms': long(MAX_LONG),
  'message.timestamp.difference.max.ms': long(MAX_LONG),
  'message.timestamp.type': oneOf('CreateTime', ['CreateTime', 'LogAppendTime']),
  'min.cleanable.dirty.ratio': { type: DOUBLE, byDefault: '0.5', accepts: isShare },
  'min.compaction.lag.ms': long(0),
  'min.insync.replicas': int(1, 1),
  preallocate: flag(false),
  'remote.log.copy.disable': flag(false),
  'remote.log.delete.on.disable': flag(false),
  'remote.storage.enable': flag(false),
  'retention.bytes': long(-1, -9_007_199_254_740_991),
  'retention.ms': long(604_800_000, -1),
  'segment.bytes': int(1_073_741_824, 14),
  'segment.index.bytes': int(10_485_760, 4),
  'segment.jitter.ms': long(0),
  'segment.ms': long(604_800_000, 1),
  'unclean.leader.election.enable': flag(false),
};

/** Returns the problem with a value, or undefined if Kafka accepts it. */
export function configProblem(name: string, value: string | null): Problem | undefined {
  const definition = Object.hasOwn(topicConfigs, name) ? topicConfigs[name] : undefined;
  const invalid = (message: string) => rejection('invalidConfig', message);
  if (value === null) return invalid(`Null value not supported for topic configs: ${name}`);
  if (!definition) return invalid(`Unknown topic config name: ${name}`);
  return definition.accepts(value) ? undefined : invalid(`Invalid value ${value} for configuration ${name}`);
}

export function isListConfig(name: string): boolean {
  return topicConfigs[name]?.type === LIST;
}

function long(byDefault: number | bigint, min = 0): Definition {
  return { type: LONG, byDefault: String(byDefault), accepts: (value) => isInteger(value, min, MAX_LONG) };
}

function int(byDefault: number, min = 0): Definition {
  return { type: INT, byDefault: String(byDefault), accepts: (value) => isInteger(value, min, MAX_INT) };
}

function flag(byDefault: boolean): Definition {
  return { type: BOOLEAN, byDefault: String(byDefault), accepts: (value) => /^(true|false)$/i.test(value) };
}

function oneOf(byDefault: string, values: readonly string[]): Definition {
  return { type: STRING, byDefault, accepts: (value) => values.includes(value) };
}

function anyList(): Definition {
  return { type: LIST, byDefault: '', accepts: () => true };
}

function listOf(byDefault: string, values: readonly string[]): Definition {
  const accepts = (value: string) => value.split(',').every((one) => values.includes(one.trim()));
  return { type: LIST, byDefault, accepts };
}

function isInteger(value: string, min: number, max: bigint): boolean {
  if (!/^[+-]?\d{1,19}$/.test(value.trim())) return false;
  const number = BigInt(value.trim().replace(/^\+/, ''));
  return number >= min && number <= max;
}

function isShare(value: string): boolean {
  return value.trim() !== '' && Number(value) >= 0 && Number(value) <= 1;
}
