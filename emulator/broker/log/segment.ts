let segmentsCreated = 0;

/**
 * Consecutive batches in one buffer. Appended bytes never change, so slices stay valid after the segment is dropped. The
 * index has three numbers per batch.
 */
export class Segment {
  readonly firstOffset: number;
  /** Grows with each segment in the process, so the lower of two is older. */
  readonly age = (segmentsCreated += 1);
  /** Bytes in use. */
  used = 0;
  readonly #buffer: Buffer;
  readonly #baseOffsets: number[] = [];
  readonly #positions: number[] = [];
  readonly #maxTimestamps: number[] = [];
  /** Greatest timestamp of its records. */
  maxTimestamp = -1;

  constructor(firstOffset: number, capacity: number) {
    this.firstOffset = firstOffset;
    // Neither pooled nor cleared: the system backs only written pages by memory.
    this.#buffer = Buffer.allocUnsafeSlow(capacity);
  }

  hasRoomFor(bytes: number): boolean {
    return this.used + bytes <= this.#buffer.length;
  }

  append(batch: Buffer, baseOffset: number, maxTimestamp: number): void {
    batch.copy(this.#buffer, this.used);
    this.#baseOffsets.push(baseOffset);
    this.#positions.push(this.used);
    this.#maxTimestamps.push(maxTimestamp);
    this.maxTimestamp = Math.max(this.maxTimestamp, maxTimestamp);
    this.used += batch.length;
  }

  /**
   * Returns complete batches from the one that contains `offset`: at most `maxBytes`, or the first batch. `next` is the
   * offset of the batch after them; undefined at the end.
   */
  read(offset: number, maxBytes: number): { readonly part: Buffer; readonly next: number | undefined } {
    const first = this.#batchOf(offset);
    const start = this.#positions[first] ?? this.used;
    let end = this.#end(first);
    let index = first + 1;
    for (; index < this.#positions.length; index += 1) {
      const next = this.#end(index);
      if (next - start > maxBytes) break;
      end = next;
    }
    return { part: this.#buffer.subarray(start, end), next: this.#baseOffsets[index] };
  }

  /** Returns the first batch with a record at or after `timestamp`, from the batch that contains `offset`. */
  batchSince(timestamp: number, offset: number): Buffer | undefined {
    if (this.maxTimestamp < timestamp) return undefined;
    const first = this.#batchOf(offset);
    const index = this.#maxTimestamps.findIndex((max, at) => at >= first && max >= timestamp);
    return index === -1 ? undefined : this.#buffer.subarray(this.#positions[index], this.#end(index));
  }

  #end(index: number): number {
    return this.#positions[index + 1] ?? this.used;
  }

  /** Returns the index of the last batch whose base offset is at most `offset`. */
  #batchOf(offset: number): number {
    return lastAtMost(offset, this.#baseOffsets.length, (at) => this.#baseOffsets[at] as number);
  }
}

/** Returns the index of the last of rising numbers that is at most `limit`, or 0. */
export function lastAtMost(limit: number, count: number, numberAt: (index: number) => number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (numberAt(middle) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
