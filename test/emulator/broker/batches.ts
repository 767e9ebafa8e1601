import { buildBatch, type RecordInput } from '../../../src/kafka-protocol/build-batch.js';
import { batchLayout } from '../../../src/kafka-protocol/record-batch.js';
import { crc32c } from '../../../src/kafka-protocol/crc32c.js';

/** Returns a batch as a producer sends it. */
export function batchOf(
  values: readonly (string | RecordInput)[],
  producer?: { readonly id: number; readonly epoch: number; readonly sequence: number },
): Buffer {
  const records = values.map((value) => (typeof value === 'string' ? { value } : value));
  const batch = buildBatch(records, 1_700_000_000_000);
  if (producer) {
    batch.writeBigInt64BE(BigInt(producer.id), batchLayout.producerId);
    batch.writeInt16BE(producer.epoch, batchLayout.producerEpoch);
    batch.writeInt32BE(producer.sequence, batchLayout.baseSequence);
  }
  return checksummed(batch);
}

/** Returns the batch with a new checksum, after a change. */
export function checksummed(batch: Buffer): Buffer {
  batch.writeUInt32BE(crc32c(batch, batchLayout.attributes), batchLayout.crc);
  return batch;
}

/** Returns the base offset and number of records of each batch in a fetched record set. */
export function batchesIn(records: Buffer): { readonly baseOffset: number; readonly count: number }[] {
  const found = [];
  for (let at = 0; at < records.length; at += 12 + records.readInt32BE(at + batchLayout.batchLength)) {
    found.push({
      baseOffset: Number(records.readBigInt64BE(at)),
      count: records.readInt32BE(at + batchLayout.recordCount),
    });
  }
  return found;
}
