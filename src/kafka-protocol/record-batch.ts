/** The fixed part of a record batch, format version 2 (KIP-98). */
export interface BatchHeader {
  readonly lastOffsetDelta: number;
  readonly recordCount: number;
  readonly baseTimestamp: number;
  readonly maxTimestamp: number;
  /** 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd. */
  readonly compression: number;
  /** -1 unless the producer is idempotent. */
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly baseSequence: number;
}

/** Byte positions in a batch. The checksum covers the attributes and all bytes after them. */
export const batchLayout = {
  baseOffset: 0,
  batchLength: 8,
  partitionLeaderEpoch: 12,
  magic: 16,
  crc: 17,
  attributes: 21,
  lastOffsetDelta: 23,
  baseTimestamp: 27,
  maxTimestamp: 35,
  producerId: 43,
  producerEpoch: 51,
  baseSequence: 53,
  recordCount: 57,
  records: 61,
} as const;

/** Bits of a batch's attributes. */
export const attributeBits = {
  compression: 0x07,
  logAppendTime: 0x08,
  transactional: 0x10,
  control: 0x20,
} as const;

export function readHeader(batch: Buffer): BatchHeader {
  return {
    lastOffsetDelta: batch.readInt32BE(batchLayout.lastOffsetDelta),
    recordCount: batch.readInt32BE(batchLayout.recordCount),
    baseTimestamp: Number(batch.readBigInt64BE(batchLayout.baseTimestamp)),
    maxTimestamp: Number(batch.readBigInt64BE(batchLayout.maxTimestamp)),
    compression: batch.readInt16BE(batchLayout.attributes) & attributeBits.compression,
    producerId: Number(batch.readBigInt64BE(batchLayout.producerId)),
    producerEpoch: batch.readInt16BE(batchLayout.producerEpoch),
    baseSequence: batch.readInt32BE(batchLayout.baseSequence),
  };
}
