import { type BatchHeader, batchLayout } from 'busbar/internal/kafka-protocol';
import { firstRecordWhere, type TimedOffset } from './record-timestamps.js';
import { ProducerStates } from './producer-states.js';
import { lastAtMost, Segment } from './segment.js';

/** The single leader never changes. */
export const LEADER_EPOCH = 0;

/** The batches of one partition in memory, oldest first. They are dropped segment by segment. */
export class PartitionLog {
  /** The lowest readable offset. */
  startOffset = 0;
  /** The offset of the next record; also the high watermark, because there are no replicas. */
  endOffset = 0;
  bytes = 0;
  /** The offset that the last fetch asked for; -1 before the first. */
  lastFetchOffset = -1;
  readonly producers = new ProducerStates();
  readonly #segmentBytes: number;
  #segments: Segment[] = [];
  readonly #listeners = new Set<() => void>();

  constructor(segmentBytes: number) {
    this.#segmentBytes = segmentBytes;
  }

  /** Fills in the offset and leader epoch, which the checksum does not cover, and copies the batch. */
  append(batch: Buffer, header: BatchHeader): number {
    const baseOffset = this.endOffset;
    batch.writeBigInt64BE(BigInt(baseOffset), batchLayout.baseOffset);
    batch.writeInt32BE(LEADER_EPOCH, batchLayout.partitionLeaderEpoch);
    this.#segmentFor(batch.length).append(batch, baseOffset, header.maxTimestamp);
    this.bytes += batch.length;
    this.endOffset = baseOffset + header.lastOffsetDelta + 1;
    for (const listener of this.#listeners) listener();
    return baseOffset;
  }

  /** Calls `listener` after each append until the returned function is called. */
  onAppend(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Returns at most `maxBytes` of batches from `offset`, without copying. With `always`, returns the first batch even
   * if it is longer, so that a consumer always makes progress (KIP-74). `next` is the offset after them.
   */
  read(
    offset: number,
    maxBytes: number,
    always: boolean,
  ): { readonly parts: Buffer[]; readonly next: number } {
    const parts: Buffer[] = [];
    let left = maxBytes;
    let end = offset;
    if (offset >= this.endOffset) return { parts, next: end };
    const firstOffsetAt = (at: number) => (this.#segments[at] as Segment).firstOffset;
    let index = lastAtMost(offset, this.#segments.length, firstOffsetAt);
    for (; index < this.#segments.length; index += 1) {
      const segment = this.#segments[index] as Segment;
      const { part, next } = segment.read(offset, left);
      if (part.length > left && (parts.length > 0 || !always)) break;
      parts.push(part);
      left -= part.length;
      end = next ?? this.#segments[index + 1]?.firstOffset ?? this.endOffset;
      // The next segment may follow only a segment that was read to its end.
      if (left <= 0 || next !== undefined) break;
    }
    return { parts, next: end };
  }

  /** Returns the first record at or after `timestamp`, or undefined. */
  firstSince(timestamp: number): TimedOffset | undefined {
    for (const segment of this.#segments) {
      const batch = segment.batchSince(timestamp, this.startOffset);
      if (batch) return this.#readable(firstRecordWhere(batch, (candidate) => candidate >= timestamp));
    }
    return undefined;
  }

  /** Returns the record with the greatest timestamp (KIP-734), or undefined for an empty log. */
  latest(): TimedOffset | undefined {
    const max = this.#segments.reduce((highest, segment) => Math.max(highest, segment.maxTimestamp), -1);
    return max === -1 ? undefined : this.firstSince(max);
  }

  /** Drops the oldest segment and its records, to free memory. */
  dropOldestSegment(): { records: number; bytes: number } {
    const oldest = this.#segments.shift();
    const before = this.startOffset;
    if (!oldest) return { records: 0, bytes: 0 };
    this.startOffset = Math.max(before, this.#segments[0]?.firstOffset ?? this.endOffset);
    this.bytes -= oldest.used;
    return { records: this.startOffset - before, bytes: oldest.used };
  }

  get oldestSegment(): Segment | undefined {
    return this.#segments[0];
  }

  /** Makes all records before `offset` unreadable (DeleteRecords). Returns the freed bytes. */
  truncateBefore(offset: number): number {
    this.startOffset = Math.max(this.startOffset, offset);
    const before = this.bytes;
    while (this.#segments.length > 0 && (this.#segments[1]?.firstOffset ?? this.endOffset) <= offset) {
      this.bytes -= this.#segments.shift()?.used ?? 0;
    }
    return before - this.bytes;
  }

  #readable(found: TimedOffset): TimedOffset {
    return found.offset >= this.startOffset ? found : { ...found, offset: this.startOffset };
  }

  #segmentFor(bytes: number): Segment {
    const last = this.#segments.at(-1);
    if (last?.hasRoomFor(bytes)) return last;
    // The first segments are small, so that a topic with few records needs little memory.
    const capacity = Math.min(this.#segmentBytes, 16_384 * 4 ** Math.min(this.#segments.length, 8));
    const segment = new Segment(this.endOffset, Math.max(bytes, capacity));
    this.#segments.push(segment);
    return segment;
  }
}
