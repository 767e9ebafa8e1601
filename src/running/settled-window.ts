import type { MemoryShare } from './memory-budget.js';

/** Limits of the records from a partition's oldest unsettled one to its newest. */
export interface WindowLimits {
  readonly records: number;
  readonly bytes: number;
}

/**
 * The records of a partition from the oldest unsettled one to the newest taken. Tracks which are settled, and the offset
 * that can be committed. Records may be settled in any order; gaps between offsets count as settled, because a fetch
 * returns every record between its first and its last. A ring of plain numbers, constant time for each record.
 */
export class SettledWindow {
  readonly #limits: WindowLimits;
  readonly #share: MemoryShare;
  #offsets = new Float64Array(initialSize);
  #sizes = new Float64Array(initialSize);
  #times = new Float64Array(initialSize);
  #settled = new Uint8Array(initialSize);
  /** Indexes count all records ever added; the ring contains those from the oldest unsettled one. */
  #first = 0;
  #next = 0;
  bytes = 0;
  unsettled = 0;
  /** Offset before which every record is settled; undefined before the first. */
  position: number | undefined;
  /** Offset after the newest record; undefined before the first. */
  taken: number | undefined;

  /** `share` is charged with the unsettled records. */
  constructor(limits: WindowLimits, share: MemoryShare) {
    this.#limits = limits;
    this.#share = share;
  }

  /** Number of records in the window, settled ones between unsettled ones included. */
  get records(): number {
    return this.#next - this.#first;
  }

  /** Whether the window is full. Checked before a record is added, so a record larger than the limit passes alone. */
  get isFull(): boolean {
    return this.records >= this.#limits.records || this.bytes >= this.#limits.bytes || this.#share.isFull;
  }

  /** Whether the window is full because the memory of all partitions is used up. */
  get isOutOfMemory(): boolean {
    return this.#share.isFull;
  }

  /** Used part of the nearest limit: records, bytes or share of the memory. 1 is full. */
  get used(): number {
    const { records, bytes } = this.#limits;
    return Math.max(this.records / records, this.bytes / bytes, this.#share.used);
  }

  /** Whether at least half of each limit is free, so that a paused source resumes with many records, not one by one. */
  get hasRoom(): boolean {
    const { records, bytes } = this.#limits;
    return this.records <= records / 2 && this.bytes <= bytes / 2 && this.#share.hasRoom;
  }

  /** Offset of the oldest unsettled record, and the time at which it was added. */
  get oldest(): { readonly offset: number; readonly since: number } | undefined {
    if (this.records === 0) return undefined;
    const at = this.#first & this.#mask;
    return { offset: this.#offsets[at] as number, since: this.#times[at] as number };
  }

  /** Adds a record. Returns the index by which to settle it. */
  add(offset: number, bytes: number, now: number): number {
    if (this.records === this.#offsets.length) this.#grow();
    const index = this.#next++;
    const at = index & this.#mask;
    this.#offsets[at] = offset;
    this.#sizes[at] = bytes;
    this.#times[at] = now;
    this.#settled[at] = 0;
    this.bytes += bytes;
    this.#share.take(bytes);
    this.unsettled++;
    this.taken = offset + 1;
    return index;
  }

  settle(index: number): void {
    const at = index & this.#mask;
    if (index < this.#first || index >= this.#next || this.#settled[at] === 1) return;
    this.#settled[at] = 1;
    this.unsettled--;
    this.#share.release(this.#sizes[at] as number);
    if (index !== this.#first) return;
    let first = at;
    while (this.#first < this.#next && this.#settled[first] === 1) {
      this.position = (this.#offsets[first] as number) + 1;
      this.bytes -= this.#sizes[first] as number;
      first = ++this.#first & this.#mask;
    }
  }

  /** The ring's length is a power of two. */
  get #mask(): number {
    return this.#offsets.length - 1;
  }

  #grow(): void {
    const size = this.#offsets.length * 2;
    const [offsets, sizes, times] = [this.#offsets, this.#sizes, this.#times];
    const [settled, mask] = [this.#settled, this.#mask];
    this.#offsets = new Float64Array(size);
    this.#sizes = new Float64Array(size);
    this.#times = new Float64Array(size);
    this.#settled = new Uint8Array(size);
    for (let index = this.#first; index < this.#next; index++) {
      const [from, to] = [index & mask, index & (size - 1)];
      this.#offsets[to] = offsets[from] as number;
      this.#sizes[to] = sizes[from] as number;
      this.#times[to] = times[from] as number;
      this.#settled[to] = settled[from] as number;
    }
  }
}

const initialSize = 64;
