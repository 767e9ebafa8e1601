import { attributeBits, batchLayout, readHeader } from 'busbar/internal/kafka-protocol';

export interface TimedOffset {
  readonly offset: number;
  readonly timestamp: number;
}

/**
 * Returns the first record of a batch whose timestamp `matches`. For a compressed or unreadable batch, returns its first
 * offset: a consumer that starts there misses nothing.
 */
export function firstRecordWhere(batch: Buffer, matches: (timestamp: number) => boolean): TimedOffset {
  const baseOffset = Number(batch.readBigInt64BE(batchLayout.baseOffset));
  const { baseTimestamp, maxTimestamp, compression, recordCount } = readHeader(batch);
  const stamped = (batch.readInt16BE(batchLayout.attributes) & attributeBits.logAppendTime) !== 0;
  const whole = { offset: baseOffset, timestamp: maxTimestamp };
  if (compression !== 0 || stamped) return whole;
  let at: number = batchLayout.records;
  for (let index = 0; index < recordCount && at < batch.length; index += 1) {
    const length = varint(batch, at);
    if (length === undefined || length.value < 1) return whole;
    const delta = varint(batch, length.end + 1);
    if (delta === undefined) return whole;
    const timestamp = baseTimestamp + delta.value;
    if (matches(timestamp)) return { offset: baseOffset + index, timestamp };
    at = length.end + length.value;
  }
  return whole;
}

/** Reads a zigzag varint of up to ten bytes, as used in records; undefined if the batch ends within it. */
function varint(bytes: Buffer, start: number): { value: number; end: number } | undefined {
  let raw = 0;
  for (let index = 0; index < 10; index += 1) {
    const byte = bytes[start + index];
    if (byte === undefined) return undefined;
    raw += (byte & 0x7f) * 2 ** (7 * index);
    if (byte < 0x80) return { value: raw % 2 === 0 ? raw / 2 : -(raw + 1) / 2, end: start + index + 1 };
  }
  return undefined;
}
