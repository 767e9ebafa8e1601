import { crc32c } from './crc32c.js';
import { batchLayout } from './record-batch.js';

/** A record from a sink in the same process. */
export interface RecordInput {
  readonly key?: string | Uint8Array | null;
  /** null is a tombstone. */
  readonly value: string | Uint8Array | null;
  readonly headers?: Readonly<Record<string, string | Uint8Array>>;
  /** Milliseconds since 1970. Default: the broker's time. */
  readonly timestamp?: number;
}

/** Encodes at least one record as one uncompressed batch, format 2, with base offset 0. */
export function buildBatch(records: readonly RecordInput[], now: number): Buffer {
  const baseTimestamp = records[0]?.timestamp ?? now;
  let maxTimestamp = baseTimestamp;
  let bytes: number = batchLayout.records;
  const encoded = records.map((record, offsetDelta) => {
    const timestamp = record.timestamp ?? now;
    maxTimestamp = Math.max(maxTimestamp, timestamp);
    const one = encode(record, timestamp - baseTimestamp, offsetDelta);
    bytes += varintSize(one.length) + one.length;
    return one;
  });

  const batch = Buffer.allocUnsafe(bytes);
  let at: number = batchLayout.records;
  for (const record of encoded) at = writeRecord(batch, at, record);
  batch.writeBigInt64BE(0n, batchLayout.baseOffset);
  batch.writeInt32BE(bytes - batchLayout.partitionLeaderEpoch, batchLayout.batchLength);
  batch.writeInt32BE(0, batchLayout.partitionLeaderEpoch);
  batch.writeInt8(2, batchLayout.magic);
  batch.writeInt16BE(0, batchLayout.attributes);
  batch.writeInt32BE(records.length - 1, batchLayout.lastOffsetDelta);
  batch.writeBigInt64BE(BigInt(baseTimestamp), batchLayout.baseTimestamp);
  batch.writeBigInt64BE(BigInt(maxTimestamp), batchLayout.maxTimestamp);
  batch.writeBigInt64BE(-1n, batchLayout.producerId);
  batch.writeInt16BE(-1, batchLayout.producerEpoch);
  batch.writeInt32BE(-1, batchLayout.baseSequence);
  batch.writeInt32BE(records.length, batchLayout.recordCount);
  batch.writeUInt32BE(crc32c(batch, batchLayout.attributes), batchLayout.crc);
  return batch;
}

interface Encoded {
  /** Bytes of the record after its length. */
  readonly length: number;
  readonly timestampDelta: number;
  readonly offsetDelta: number;
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly headers: readonly (readonly [Uint8Array, Uint8Array])[];
}

function encode(record: RecordInput, timestampDelta: number, offsetDelta: number): Encoded {
  const key = toBytes(record.key ?? null);
  const value = toBytes(record.value);
  const headers = Object.entries(record.headers ?? {}).map(
    ([name, text]) => [Buffer.from(name), toBytes(text)] as const,
  );
  let length = 1 + varintSize(timestampDelta) + varintSize(offsetDelta) + varintSize(headers.length);
  length += sizedLength(key) + sizedLength(value);
  for (const [name, text] of headers) length += sizedLength(name) + sizedLength(text);
  return { length, timestampDelta, offsetDelta, key, value, headers };
}

function writeRecord(batch: Buffer, start: number, record: Encoded): number {
  let at = writeVarint(batch, start, record.length);
  batch[at] = 0; // attributes: records have none
  at = writeVarint(batch, at + 1, record.timestampDelta);
  at = writeVarint(batch, at, record.offsetDelta);
  at = writeSized(batch, at, record.key);
  at = writeSized(batch, at, record.value);
  at = writeVarint(batch, at, record.headers.length);
  for (const [name, text] of record.headers) at = writeSized(batch, writeSized(batch, at, name), text);
  return at;
}

function toBytes<T extends Uint8Array | null>(value: string | T): Uint8Array | T {
  return typeof value === 'string' ? Buffer.from(value) : value;
}

function sizedLength(bytes: Uint8Array | null): number {
  return bytes === null ? 1 : varintSize(bytes.length) + bytes.length;
}

function writeSized(batch: Buffer, start: number, bytes: Uint8Array | null): number {
  const at = writeVarint(batch, start, bytes === null ? -1 : bytes.length);
  if (bytes === null) return at;
  batch.set(bytes, at);
  return at + bytes.length;
}

/** Returns the size of a zigzag varint. Arithmetic, not bit operators: a timestamp delta may exceed 32 bits. */
function varintSize(value: number): number {
  let size = 1;
  for (let rest = zigzag(value); rest >= 0x80; rest = Math.floor(rest / 0x80)) size += 1;
  return size;
}

function writeVarint(batch: Buffer, start: number, value: number): number {
  let at = start;
  let rest = zigzag(value);
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) {
    batch[at] = (rest % 0x80) | 0x80;
    at += 1;
  }
  batch[at] = rest;
  return at + 1;
}

function zigzag(value: number): number {
  return value >= 0 ? 2 * value : -2 * value - 1;
}
