import type { Broker } from '../broker.js';
import { BrokerError } from '../broker-error.js';
import { buildBatch, type RecordInput } from '../log/build-batch.js';
import { errorCodes } from '../protocol/error-codes.js';
import { partitionOfKey } from '../protocol/murmur2.js';
import { appendBatch } from './append-batch.js';
import { configValue, type Topic } from './topics.js';

export interface AppendRecord extends RecordInput {
  /** Overrides the partition that follows from the key. */
  readonly partition?: number;
}

/** Where a record has been put. */
export interface AppendedRecord {
  readonly partition: number;
  readonly offset: number;
}

const nextInTurn = new WeakMap<Topic, number>();

/** See `Broker.append`. */
export function appendRecords(
  broker: Broker,
  name: string,
  records: readonly AppendRecord[],
): AppendedRecord[] {
  const topic = broker.topics.get(name);
  if (!topic) {
    const known = broker.topics.all().map((one) => `"${one.name}"`);
    throw new BrokerError(
      'UNKNOWN_TOPIC',
      `topic "${name}" does not exist; there are: ${known.join(', ') || 'none'}`,
    );
  }
  const partitions = records.map((record) => partitionFor(topic, record));
  const byPartition = new Map<number, AppendRecord[]>();
  for (const [index, record] of records.entries()) {
    const partition = partitions[index] as number;
    const others = byPartition.get(partition);
    if (others) others.push(record);
    else byPartition.set(partition, [record]);
  }

  const limit = Math.min(
    Number(configValue(topic, 'max.message.bytes')),
    broker.topics.capacity.maxBatchBytes,
  );
  const now = broker.clock.now();
  // All batches are built, and their lengths checked, before the first one is appended.
  const batches = [...byPartition].flatMap(([partition, own]) =>
    batchesWithin(own, limit, now).map((batch) => ({ partition, batch })),
  );
  const nextOffset = new Map<number, number>();
  for (const { partition, batch } of batches) {
    const { errorCode, baseOffset } = appendBatch(broker.topics, { topic, partition }, batch, broker.clock);
    if (errorCode !== errorCodes.none) throw new Error(`a batch of ours was refused with error ${errorCode}`);
    if (!nextOffset.has(partition)) nextOffset.set(partition, baseOffset);
  }
  return partitions.map((partition) => {
    const offset = nextOffset.get(partition) as number;
    nextOffset.set(partition, offset + 1);
    return { partition, offset };
  });
}

function partitionFor(topic: Topic, { partition, key }: AppendRecord): number {
  const count = topic.partitions.length;
  if (partition !== undefined) {
    if (topic.partitions[partition]) return partition;
    throw new BrokerError(
      'UNKNOWN_PARTITION',
      `topic "${topic.name}" has partitions 0 to ${count - 1}, not "${partition}"`,
    );
  }
  if (key !== undefined && key !== null) {
    return partitionOfKey(typeof key === 'string' ? Buffer.from(key) : key, count);
  }
  const next = nextInTurn.get(topic) ?? 0;
  nextInTurn.set(topic, (next + 1) % count);
  return next % count;
}

/** One batch if it fits, else halves of it: a sink may hand over more than a batch can hold. */
function batchesWithin(records: readonly AppendRecord[], limit: number, now: number): Buffer[] {
  const batch = buildBatch(records, now);
  if (batch.length <= limit) return [batch];
  if (records.length === 1) {
    throw new BrokerError(
      'RECORD_TOO_LARGE',
      `a record makes a batch of ${batch.length} bytes; the topic takes ${limit} (max.message.bytes)`,
    );
  }
  const half = records.length >>> 1;
  return [
    ...batchesWithin(records.slice(0, half), limit, now),
    ...batchesWithin(records.slice(half), limit, now),
  ];
}
