import { type Problem, rejection } from './problem.js';

/** Values of DescribeConfigs' `configType`. */
const BOOLEAN = 1;
export const STRING = 2;
const INT = 3;
const LONG = 5;
const DOUBLE = 6;
const LIST = 7;

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
  'flush.messages': long(Number.MAX_SAFE_INTEGER, 1, '9223372036854775807'),
  'flush.ms': long(Number.MAX_SAFE_INTEGER, 0, '9223372036854775807'),
  'follower.replication.throttled.replicas': anyList(),
  'index.interval.bytes': int(4096),
  'leader.replication.throttled.replicas': anyList(),
  'local.retention.bytes': long(-2, -2),
  'local.retention.ms': long(-2, -2),
  'max.compaction.lag.ms': long(Number.MAX_SAFE_INTEGER, 1, '9223372036854775807'),
  'max.message.bytes': int(1_048_588),
  'message.downconversion.enable': flag(true),
  'message.format.version': text('3.0-IV1'),
  'message.timestamp.after.max.ms': long(Number.MAX_SAFE_INTEGER, 0, '9223372036854775807'),
  'message.timestamp.before.max.ms': long(Number.MAX_SAFE_INTEGER, 0, '9223372036854775807'),
  'message.timestamp.difference.max.ms': long(Number.MAX_SAFE_INTEGER, 0, '9223372036854775807'),
  'message.timestamp.type': oneOf('CreateTime', ['CreateTime', 'LogAppendTime']),
  'min.cleanable.dirty.ratio': { type: DOUBLE, byDefault: '0.5', accepts: (v) => isNumber(v, 0, 1) },
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

function long(byDefault: number, min = 0, shown = String(byDefault)): Definition {
  return { type: LONG, byDefault: shown, accepts: (value) => isInteger(value, BigInt(min), 2n ** 63n - 1n) };
}

function int(byDefault: number, min = 0): Definition {
  const accepts = (value: string) => isInteger(value, BigInt(min), 2n ** 31n - 1n);
  return { type: INT, byDefault: String(byDefault), accepts };
}

function flag(byDefault: boolean): Definition {
  return { type: BOOLEAN, byDefault: String(byDefault), accepts: (value) => /^(true|false)$/i.test(value) };
}

function text(byDefault: string): Definition {
  return { type: STRING, byDefault, accepts: () => true };
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

function isInteger(value: string, min: bigint, max: bigint): boolean {
  if (!/^[+-]?\d{1,19}$/.test(value.trim())) return false;
  const number = BigInt(value.trim().replace(/^\+/, ''));
  return number >= min && number <= max;
}

function isNumber(value: string, min: number, max: number): boolean {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  return number >= min && number <= max;
}
