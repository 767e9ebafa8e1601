import fc from 'fast-check';
import kafkajs, { type Message, type PartitionMetadata } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { partitioner } from '../../../../src/transports/kafka/kafkajs/partitioner.js';

const choose = partitioner();
const byDefault = kafkajs.Partitioners.DefaultPartitioner();
const recordOf = (message: Omit<Message, 'value'>, partitions = 6) => ({
  topic: 'events',
  message: { ...message, value: null },
  partitionMetadata: Array.from(
    { length: partitions },
    (_, partitionId) => ({ partitionId, leader: 1 }) as PartitionMetadata,
  ),
});

describe('the partitioner of producers', () => {
  it('chooses the partition of a key as kafkajs does', () => {
    const key = fc.oneof(fc.string(), fc.uint8Array({ maxLength: 100 }).map(Buffer.from));
    const law = fc.property(key, fc.integer({ min: 1, max: 100 }), (key, partitions) => {
      const record = recordOf({ key }, partitions);
      expect(choose(record)).toBe(byDefault(record));
    });
    fc.assert(law, { numRuns: 200 });
  });

  it('leaves a record without a key, or with a partition, to kafkajs', () => {
    expect(choose(recordOf({ key: Buffer.from('A-1'), partition: 4 }))).toBe(4);
    const chosen = Array.from({ length: 6 }, () => choose(recordOf({ key: null })));
    expect(new Set(chosen).size).toBe(6);
  });

  it('hashes a key of a megabyte', () => {
    expect(choose(recordOf({ key: Buffer.alloc(1_000_000, 'k') }))).toBeLessThan(6);
  });
});
