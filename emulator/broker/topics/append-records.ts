import { buildBatch, errorCodes, partitionOfKey, type RecordInput } from 'busbar/internal/kafka-protocol';
import type { BrokerCore } from '../core.js';
import { BusbarError, grouped } from 'busbar/base';
import { appendBatch } from './append-batch.js';
import type { Topic } from './topic.js';

export interface AppendRecord extends RecordInput {
  /** Default: the partition of the key. */
  readonly partition?: number;
}

const nextInTurn = new WeakMap<Topic, number>();

export function appendRecords(broker: BrokerCore, name: string, records: readonly AppendRecord[]): void {
  const topic = broker.topics.get(name);
  if (!topic) {
    const known = broker.topics.all().map((one) => `"${one.name}"`);
    throw new BusbarError(
      'unknown-topic',
      `The broker has no topic "${name}". Its topics: ${known.join(', ') || 'none'}.`,
    );
  }
  const byPartition = grouped(records, (record) => partitionFor(topic, record));
  const limit = broker.topics.capacity.maxBatchBytes(topic);
  const now = broker.clock.now();
  // All batches are built before the first is appended, so an error appends nothing.
  const batches = [...byPartition].flatMap(([partition, own]) =>
    batchesWithin(own, limit, now).map((batch) => ({ partition, batch })),
  );
  for (const { partition, batch } of batches) {
    const { errorCode } = appendBatch(broker.topics, { topic, partition }, batch, broker.clock);
    if (errorCode !== errorCodes.none)
      throw new Error(`The broker refused its own batch with error ${errorCode}.`);
  }
}

function partitionFor(topic: Topic, { partition, key }: AppendRecord): number {
  const count = topic.partitions.length;
  if (partition !== undefined) {
    if (topic.partitions[partition]) return partition;
    throw new BusbarError(
      'invalid-option',
      `Topic "${topic.name}" has no partition "${partition}". Choose one from 0 to ${count - 1}.`,
    );
  }
  if (key !== undefined && key !== null) {
    return partitionOfKey(typeof key === 'string' ? Buffer.from(key) : key, count);
  }
  const next = nextInTurn.get(topic) ?? 0;
  nextInTurn.set(topic, (next + 1) % count);
  return next % count;
}

/** Encodes records as one batch, or splits them until each batch fits. */
function batchesWithin(records: readonly AppendRecord[], limit: number, now: number): Buffer[] {
  const batch = buildBatch(records, now);
  if (batch.length <= limit) return [batch];
  if (records.length === 1) {
    throw new BusbarError(
      'record-refused',
      `A record has ${batch.length} bytes, but the topic allows ${limit}. Raise its "max.message.bytes".`,
    );
  }
  const half = records.length >>> 1;
  return [
    ...batchesWithin(records.slice(0, half), limit, now),
    ...batchesWithin(records.slice(half), limit, now),
  ];
}
