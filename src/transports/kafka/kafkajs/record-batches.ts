import type { ConsumerRecord, Partition } from '../../transport.js';
import { codecFor, compressionBits } from './codecs.js';
import { WireHeaders } from './wire-headers.js';
import { int64At, WireReader } from './wire-reader.js';

/** A transaction that was aborted: what its producer wrote from there up to the marker is not delivered. */
export interface AbortedTransaction {
  readonly producerId: number;
  readonly firstOffset: number;
}

/** What one answer to a fetch holds of one partition. */
export interface RecordSet {
  /** Their bytes are views of the answer. Without control records and those of aborted transactions. */
  readonly records: readonly ConsumerRecord[];
  /** The offset up to which the answer says all there is; undefined when it holds no whole batch. */
  readonly last: number | undefined;
}

/** Whether the bytes are record batches (magic 2, since Kafka 0.11), and not message sets, as older topics may hold. */
export function areRecordBatches(bytes: Buffer): boolean {
  return bytes.length < batchHeader || bytes[magicAt] === 2;
}

/**
 * Reads record batches: of each record its place, its key and its value, of its headers nothing but where they begin.
 * https://kafka.apache.org/documentation/#recordbatch
 * @throws Error for a record that reaches beyond its batch; BusbarError `missing-package` for a compression without a
 * codec.
 */
export async function decodeRecordSet(
  bytes: Buffer,
  partition: Partition,
  aborted: readonly AbortedTransaction[],
): Promise<RecordSet> {
  const records: ConsumerRecord[] = [];
  const isAborted = abortedProducers(aborted);
  let last: number | undefined;
  for (let at = 0; at + batchHeader <= bytes.length; ) {
    const batch = batchAt(bytes, at);
    // Where the limit of a fetch lies within a batch, the broker cuts it off.
    if (batch.end > bytes.length) break;
    const reader = await readerOf(bytes, batch, partition);
    if (!isAborted(batch, reader) && !batch.isControl) readRecords(reader, batch, partition, records);
    last = batch.lastOffset;
    at = batch.end;
  }
  return { records, last };
}

interface Batch {
  readonly firstOffset: number;
  readonly lastOffset: number;
  readonly attributes: number;
  readonly firstTimestamp: number;
  readonly maxTimestamp: number;
  readonly producerId: number;
  readonly count: number;
  readonly isControl: boolean;
  /** Where its records begin, and where it ends. */
  readonly begin: number;
  readonly end: number;
}

const magicAt = 16;
const batchHeader = 61;
/** Bits of a batch's attributes. */
const logAppendTime = 0x08;
const transactional = 0x10;
const control = 0x20;

function batchAt(bytes: Buffer, at: number): Batch {
  const firstOffset = int64At(bytes, at);
  const attributes = bytes.readInt16BE(at + 21);
  return {
    firstOffset,
    lastOffset: firstOffset + bytes.readInt32BE(at + 23),
    attributes,
    firstTimestamp: int64At(bytes, at + 27),
    maxTimestamp: int64At(bytes, at + 35),
    producerId: int64At(bytes, at + 43),
    count: bytes.readInt32BE(at + 57),
    isControl: (attributes & control) !== 0,
    begin: at + batchHeader,
    end: at + 12 + bytes.readInt32BE(at + 8),
  };
}

async function readerOf(
  bytes: Buffer,
  { attributes, begin, end }: Batch,
  partition: Partition,
): Promise<WireReader> {
  if ((attributes & compressionBits) === 0) return new WireReader(bytes, begin, end);
  const codec = codecFor(attributes, partition);
  const plain = begin === end ? bytes.subarray(0, 0) : await codec.decompress(bytes.subarray(begin, end));
  return new WireReader(plain, 0, plain.length);
}

function readRecords(
  reader: WireReader,
  batch: Batch,
  { topic, partition }: Partition,
  into: ConsumerRecord[],
): void {
  const { firstOffset, firstTimestamp, maxTimestamp, count } = batch;
  const isStamped = (batch.attributes & logAppendTime) !== 0;
  for (let n = 0; n < count; n++) {
    const length = reader.varint();
    const end = reader.at + length;
    if (length < 0 || end > reader.end) throw corrupt(batch);
    // Its attributes mean nothing yet.
    reader.at++;
    const timestamp = firstTimestamp + reader.varint();
    const offset = firstOffset + reader.varint();
    const key = reader.bytes();
    const value = reader.bytes();
    if (reader.at > end) throw corrupt(batch);
    const headers = new WireHeaders(reader, reader.at, end);
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

/** Follows the transactions of a partition from batch to batch, as they lie in it. */
function abortedProducers(transactions: readonly AbortedTransaction[]) {
  if (transactions.length === 0) return () => false;
  const waiting = transactions.toSorted((one, other) => other.firstOffset - one.firstOffset);
  const producers = new Set<number>();
  return ({ attributes, producerId, lastOffset, isControl, count }: Batch, reader: WireReader): boolean => {
    for (
      let next = waiting.at(-1);
      next !== undefined && next.firstOffset <= lastOffset;
      next = waiting.at(-1)
    ) {
      producers.add(next.producerId);
      waiting.pop();
    }
    if (isControl) {
      if (count > 0 && isAbortMarker(reader)) producers.delete(producerId);
      return false;
    }
    return (attributes & transactional) !== 0 && producers.has(producerId);
  };
}

/** The key of a control record is its version and its kind: 0 for abort, 1 for commit. */
function isAbortMarker(reader: WireReader): boolean {
  const begin = reader.at;
  reader.varint();
  reader.at++;
  reader.varint();
  reader.varint();
  const key = reader.bytes();
  reader.at = begin;
  return key !== null && key.length >= 4 && key.readInt16BE(2) === 0;
}

function corrupt({ firstOffset }: Batch): Error {
  return new Error(`a record of the batch at offset ${firstOffset} reaches beyond its end`);
}
