import { int64At } from './record-reader.js';

/** The fixed part of a record batch, format version 2 (KIP-98). */
export interface BatchHeader {
  readonly baseOffset: number;
  /** The length of the whole batch in bytes. */
  readonly size: number;
  /** See `attributeBits`. */
  readonly attributes: number;
  /** 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd. */
  readonly compression: number;
  readonly lastOffsetDelta: number;
  readonly baseTimestamp: number;
  readonly maxTimestamp: number;
  /** -1 unless the producer is idempotent. */
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly baseSequence: number;
  readonly recordCount: number;
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

/** Reads the header of the batch at a position. */
export function readHeader(bytes: Buffer, at = 0): BatchHeader {
  const attributes = bytes.readInt16BE(at + batchLayout.attributes);
  return {
    baseOffset: int64At(bytes, at + batchLayout.baseOffset),
    size: batchLayout.partitionLeaderEpoch + bytes.readInt32BE(at + batchLayout.batchLength),
    attributes,
    compression: attributes & attributeBits.compression,
    lastOffsetDelta: bytes.readInt32BE(at + batchLayout.lastOffsetDelta),
    baseTimestamp: int64At(bytes, at + batchLayout.baseTimestamp),
    maxTimestamp: int64At(bytes, at + batchLayout.maxTimestamp),
    producerId: int64At(bytes, at + batchLayout.producerId),
    producerEpoch: bytes.readInt16BE(at + batchLayout.producerEpoch),
    baseSequence: bytes.readInt32BE(at + batchLayout.baseSequence),
    recordCount: bytes.readInt32BE(at + batchLayout.recordCount),
  };
}
