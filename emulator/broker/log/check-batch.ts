import {
  attributeBits,
  type BatchHeader,
  batchLayout,
  crc32c,
  type ErrorCode,
  errorCodes,
  readHeader,
} from 'busbar/internal/kafka-protocol';

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
  if (bytes.length - start < batchLayout.partitionLeaderEpoch) return undefined;
  const length = bytes.readInt32BE(start + batchLayout.batchLength);
  if (length < MIN_LENGTH) return -1;
  if (bytes.length - start <= batchLayout.magic) return undefined;
  const magic = bytes.readInt8(start + batchLayout.magic);
  if (magic < 0 || magic > 2) return -1;
  const end = start + batchLayout.partitionLeaderEpoch + length;
  return end > bytes.length ? undefined : end;
}

/**
 * Checks the format, checksum and record count of a producer's batch. Records are never decompressed, so every codec
 * passes.
 */
export function checkBatch(batch: Buffer): BatchHeader | ErrorCode {
  if (batch.readInt8(batchLayout.magic) !== 2) return errorCodes.invalidRecord;
  if (batch.length < batchLayout.records) return errorCodes.corruptMessage;
  if (batch.readUInt32BE(batchLayout.crc) !== crc32c(batch, batchLayout.attributes))
    return errorCodes.corruptMessage;
  const header = readHeader(batch);
  const { attributes } = header;
  // The broker has no transactions: the error for a client without permission.
  if (attributes & attributeBits.transactional) return errorCodes.transactionalIdAuthorizationFailed;
  if (attributes & attributeBits.control) return errorCodes.invalidRecord;
  // The broker assigns offsets. Kafka refuses other base offsets, too.
  if (header.baseOffset !== 0) return errorCodes.invalidRecord;
  if (header.compression > 4) return errorCodes.unsupportedCompressionType;
  if (header.recordCount < 1 || header.lastOffsetDelta !== header.recordCount - 1)
    return errorCodes.invalidRecord;
  return header;
}

/** Sets the timestamp of all records to the broker's time (`message.timestamp.type=LogAppendTime`). */
export function stampAppendTime(batch: Buffer, now: number): void {
  batch.writeInt16BE(
    batch.readInt16BE(batchLayout.attributes) | attributeBits.logAppendTime,
    batchLayout.attributes,
  );
  batch.writeBigInt64BE(BigInt(now), batchLayout.maxTimestamp);
  batch.writeUInt32BE(crc32c(batch, batchLayout.attributes), batchLayout.crc);
}
