import { attributeBits, batchLayout, readHeader, RecordReader } from 'busbar/internal/kafka-protocol';

export interface TimedOffset {
  readonly offset: number;
  readonly timestamp: number;
}

/**
 * Returns the first record of a batch whose timestamp `matches`. For a compressed or unreadable batch, returns its first
 * offset: a consumer that starts there misses nothing.
 */
export function firstRecordWhere(batch: Buffer, matches: (timestamp: number) => boolean): TimedOffset {
  const { baseOffset, attributes, compression, baseTimestamp, maxTimestamp, recordCount } = readHeader(batch);
  const whole = { offset: baseOffset, timestamp: maxTimestamp };
  if (compression !== 0 || (attributes & attributeBits.logAppendTime) !== 0) return whole;
  const reader = new RecordReader(batch, batchLayout.records, batch.length);
  for (let index = 0; index < recordCount; index += 1) {
    const length = reader.varint();
    const end = reader.at + length;
    reader.at += 1;
    const timestamp = baseTimestamp + reader.varint();
    if (length < 1 || reader.at > reader.end) return whole;
    if (matches(timestamp)) return { offset: baseOffset + index, timestamp };
    reader.at = end;
  }
  return whole;
}
