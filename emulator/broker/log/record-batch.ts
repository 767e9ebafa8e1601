import { crc32c } from '../protocol/crc32c.js';
import { type ErrorCode, errorCodes } from '../protocol/error-codes.js';

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
export const layout = {
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

const ATTRIBUTE_COMPRESSION = 0x07;
export const ATTRIBUTE_LOG_APPEND_TIME = 0x08;
const ATTRIBUTE_TRANSACTIONAL = 0x10;
const ATTRIBUTE_CONTROL = 0x20;

const MIN_LENGTH = 14;

/**
 * Returns the one complete batch that a producer sent for a partition, or an error for none or several. As in Kafka,
 * an incomplete batch after it is ignored.
 */
export function wholeBatch(bytes: Buffer): Buffer | ErrorCode {
  const end = batchEnd(bytes, 0);
  if (end === undefined) return errorCodes.invalidRecord;
  if (end < 0) return errorCodes.corruptMessage;
  const next = batchEnd(bytes, end);
  if (next !== undefined) return next < 0 ? errorCodes.corruptMessage : errorCodes.invalidRecord;
  return bytes.subarray(0, end);
}

/** Returns the end of the batch at `start`; undefined if it is incomplete, -1 if it isn't a batch. */
function batchEnd(bytes: Buffer, start: number): number | undefined {
  if (bytes.length - start < layout.partitionLeaderEpoch) return undefined;
  const length = bytes.readInt32BE(start + layout.batchLength);
  if (length < MIN_LENGTH) return -1;
  if (bytes.length - start <= layout.magic) return undefined;
  const magic = bytes.readInt8(start + layout.magic);
  if (magic < 0 || magic > 2) return -1;
  const end = start + layout.partitionLeaderEpoch + length;
  return end > bytes.length ? undefined : end;
}

/**
 * Checks the format, checksum and record count of a producer's batch. Records are never decompressed, so every codec
 * passes.
 */
export function checkBatch(batch: Buffer): BatchHeader | ErrorCode {
  if (batch.readInt8(layout.magic) !== 2) return errorCodes.invalidRecord;
  if (batch.length < layout.records) return errorCodes.corruptMessage;
  if (batch.readUInt32BE(layout.crc) !== crc32c(batch, layout.attributes)) return errorCodes.corruptMessage;
  const attributes = batch.readInt16BE(layout.attributes);
  // The broker has no transactions: the error for a client without permission.
  if (attributes & ATTRIBUTE_TRANSACTIONAL) return errorCodes.transactionalIdAuthorizationFailed;
  if (attributes & ATTRIBUTE_CONTROL) return errorCodes.invalidRecord;
  // The broker assigns offsets. Kafka refuses other base offsets, too.
  if (batch.readBigInt64BE(layout.baseOffset) !== 0n) return errorCodes.invalidRecord;
  const header = readHeader(batch);
  if (header.compression > 4) return errorCodes.unsupportedCompressionType;
  if (header.recordCount < 1 || header.lastOffsetDelta !== header.recordCount - 1)
    return errorCodes.invalidRecord;
  return header;
}

export function readHeader(batch: Buffer): BatchHeader {
  return {
    lastOffsetDelta: batch.readInt32BE(layout.lastOffsetDelta),
    recordCount: batch.readInt32BE(layout.recordCount),
    baseTimestamp: Number(batch.readBigInt64BE(layout.baseTimestamp)),
    maxTimestamp: Number(batch.readBigInt64BE(layout.maxTimestamp)),
    compression: batch.readInt16BE(layout.attributes) & ATTRIBUTE_COMPRESSION,
    producerId: Number(batch.readBigInt64BE(layout.producerId)),
    producerEpoch: batch.readInt16BE(layout.producerEpoch),
    baseSequence: batch.readInt32BE(layout.baseSequence),
  };
}

/** Sets the timestamp of all records to the broker's time (`message.timestamp.type=LogAppendTime`). */
export function stampAppendTime(batch: Buffer, now: number): void {
  batch.writeInt16BE(batch.readInt16BE(layout.attributes) | ATTRIBUTE_LOG_APPEND_TIME, layout.attributes);
  batch.writeBigInt64BE(BigInt(now), layout.maxTimestamp);
  batch.writeUInt32BE(crc32c(batch, layout.attributes), layout.crc);
}
