import { BusbarError, quoted } from '../base/errors.js';
import { crc32c } from './crc32c.js';
import { LazyHeaders } from './lazy-headers.js';
import { attributeBits, type BatchHeader, batchLayout, readHeader } from './record-batch.js';
import { RecordReader } from './record-reader.js';

/** A record of a fetch response. Its bytes are views of the response. */
export interface FetchedRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** Milliseconds since 1970. */
  readonly timestamp: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: LazyHeaders;
}

/** An aborted transaction: records of its producer from `firstOffset` up to the abort marker are not delivered. */
export interface AbortedTransaction {
  readonly producerId: number;
  readonly firstOffset: number;
}

/** The records of one partition in a fetch response. */
export interface RecordSet {
  /** Without control records and records of aborted transactions. */
  readonly records: readonly FetchedRecord[];
  /** The last offset of the last complete batch; undefined without a complete batch. */
  readonly last: number | undefined;
  /** The leader epoch of that batch. */
  readonly epoch: number | undefined;
}

/** Returns the plain bytes of records that a producer compressed (1 gzip, 2 snappy, 3 lz4, 4 zstd). */
export type Decompress = (bytes: Buffer, compression: number) => Promise<Buffer>;

interface Place {
  readonly topic: string;
  readonly partition: number;
}

/** Whether the bytes are record batches (magic 2, since Kafka 0.11). Older topics may have message sets. */
export function areRecordBatches(bytes: Buffer): boolean {
  return bytes.length < batchLayout.records || bytes[batchLayout.magic] === 2;
}

/**
 * Decodes record batches. Of a record it reads position, key and value; `headers` reads the rest on access.
 * https://kafka.apache.org/documentation/#recordbatch
 *
 * @throws Error if a batch has a wrong checksum or cannot be decompressed, or a record reaches beyond its batch; a
 *   BusbarError of `decompress` as it is
 */
export async function decodeRecordSet(
  bytes: Buffer,
  place: Place,
  aborted: readonly AbortedTransaction[],
  decompress: Decompress,
): Promise<RecordSet> {
  const records: FetchedRecord[] = [];
  const isAborted = abortedProducers(aborted);
  let last: number | undefined;
  let epoch: number | undefined;
  for (let at = 0; at + batchLayout.records <= bytes.length; ) {
    const header = readHeader(bytes, at);
    const { size, compression } = header;
    if (size < batchLayout.records) throw corrupt(place, header, 'is shorter than its header');
    // The broker cuts off a batch at the limit of the fetch.
    if (at + size > bytes.length) break;
    const end = at + size;
    if (bytes.readUInt32BE(at + batchLayout.crc) !== crc32c(bytes, at + batchLayout.attributes, end))
      throw corrupt(place, header, 'has a wrong checksum');
    let reader = new RecordReader(bytes, at + batchLayout.records, end);
    if (compression !== 0 && reader.at < end) {
      const plain = await decompress(bytes.subarray(reader.at, end), compression).catch((error: unknown) => {
        throw error instanceof BusbarError
          ? error
          : corrupt(place, header, `cannot be decompressed (${(error as Error).message})`);
      });
      reader = new RecordReader(plain, 0, plain.length);
    }
    if (!isAborted(header, reader) && !isControl(header)) readRecords(reader, header, place, records);
    last = lastOffset(header);
    epoch = bytes.readInt32BE(at + batchLayout.partitionLeaderEpoch);
    at = end;
  }
  return { records, last, epoch };
}

function readRecords(reader: RecordReader, header: BatchHeader, place: Place, into: FetchedRecord[]): void {
  const { topic, partition } = place;
  const { baseOffset, baseTimestamp, maxTimestamp, recordCount } = header;
  const isStamped = (header.attributes & attributeBits.logAppendTime) !== 0;
  for (let left = recordCount; left > 0; left -= 1) {
    const length = reader.varint();
    const end = reader.at + length;
    if (length < 0 || end > reader.end)
      throw corrupt(place, header, 'has a record that reaches beyond its end');
    reader.at += 1; // attributes: records have none
    const timestamp = baseTimestamp + reader.varint();
    const offset = baseOffset + reader.varint();
    const key = reader.bytes();
    const value = reader.bytes();
    if (reader.at > end) throw corrupt(place, header, 'has a record that reaches beyond its end');
    const headers = new LazyHeaders(reader, reader.at, end);
    into.push({
      topic,
      partition,
      offset,
      timestamp: isStamped ? maxTimestamp : timestamp,
      key,
      value,
      headers,
    });
    reader.at = end;
  }
}

/** Returns a function that follows the transactions of a partition from batch to batch. */
function abortedProducers(transactions: readonly AbortedTransaction[]) {
  if (transactions.length === 0) return () => false;
  const waiting = transactions.toSorted((one, other) => other.firstOffset - one.firstOffset);
  const producers = new Set<number>();
  return (header: BatchHeader, reader: RecordReader): boolean => {
    for (
      let next = waiting.at(-1);
      next !== undefined && next.firstOffset <= lastOffset(header);
      next = waiting.at(-1)
    ) {
      producers.add(next.producerId);
      waiting.pop();
    }
    if (isControl(header)) {
      if (header.recordCount > 0 && isAbortMarker(reader)) producers.delete(header.producerId);
      return false;
    }
    return (header.attributes & attributeBits.transactional) !== 0 && producers.has(header.producerId);
  };
}

/** The key of a control record has two numbers: its version and its kind, 0 for abort, 1 for commit. */
function isAbortMarker(reader: RecordReader): boolean {
  reader.varint();
  reader.at += 1;
  reader.varint();
  reader.varint();
  const key = reader.bytes();
  return key !== null && key.length >= 4 && key.readInt16BE(2) === 0;
}

function isControl({ attributes }: BatchHeader): boolean {
  return (attributes & attributeBits.control) !== 0;
}

function lastOffset({ baseOffset, lastOffsetDelta }: BatchHeader): number {
  return baseOffset + lastOffsetDelta;
}

function corrupt({ topic, partition }: Place, { baseOffset }: BatchHeader, problem: string): Error {
  return new Error(
    `Topic ${quoted(topic)}, partition ${partition}: the batch at offset ${baseOffset} ${problem}.`,
  );
}
