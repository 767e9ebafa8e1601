import { buildBatch, type RecordInput } from '../../../emulator/broker/log/build-batch.js';
import { layout } from '../../../emulator/broker/log/record-batch.js';
import { crc32c } from '../../../emulator/broker/protocol/crc32c.js';

/** Returns a batch as a producer sends it. */
export function batchOf(
  values: readonly (string | RecordInput)[],
  producer?: { readonly id: number; readonly epoch: number; readonly sequence: number },
): Buffer {
  const records = values.map((value) => (typeof value === 'string' ? { value } : value));
  const batch = buildBatch(records, 1_700_000_000_000);
  if (producer) {
    batch.writeBigInt64BE(BigInt(producer.id), layout.producerId);
    batch.writeInt16BE(producer.epoch, layout.producerEpoch);
    batch.writeInt32BE(producer.sequence, layout.baseSequence);
  }
  return checksummed(batch);
}

/** Returns the batch with a new checksum, after a change. */
export function checksummed(batch: Buffer): Buffer {
  batch.writeUInt32BE(crc32c(batch, layout.attributes), layout.crc);
  return batch;
}

/** Returns the base offset and number of records of each batch in a fetched record set. */
export function batchesIn(records: Buffer): { readonly baseOffset: number; readonly count: number }[] {
  const found = [];
  for (let at = 0; at < records.length; at += 12 + records.readInt32BE(at + layout.batchLength)) {
    found.push({
      baseOffset: Number(records.readBigInt64BE(at)),
      count: records.readInt32BE(at + layout.recordCount),
    });
  }
  return found;
}
