import type { MemoryShare } from './memory-budget.js';

/** How much of a partition may be taken beyond its oldest unsettled record. */
export interface WindowLimits {
  readonly records: number;
  readonly bytes: number;
}

/**
 * The records of a partition from the oldest unsettled one to the newest taken: which are settled, and how far that
 * can be committed. Records may be settled in any order; offsets may have gaps, which count as settled, because
 * whoever fetched the neighbours fetched all there is. A ring of plain numbers, constant time for each record.
 */
export class SettledWindow {
  readonly #limits: WindowLimits;
  readonly #share: MemoryShare;
  #offsets = new Float64Array(initialSize);
  #sizes = new Float64Array(initialSize);
  #times = new Float64Array(initialSize);
  #settled = new Uint8Array(initialSize);
  /** Places count all records ever added; the ring holds those from the oldest unsettled on. */
  #first = 0;
  #next = 0;
  #bytes = 0;
  #unsettled = 0;
  #position: number | undefined;
  #taken: number | undefined;

  /** `share` is charged with the unsettled records. */
  constructor(limits: WindowLimits, share: MemoryShare) {
    this.#limits = limits;
    this.#share = share;
  }

  /** How many records it spans, settled ones between unsettled ones included. */
  get records(): number {
    return this.#next - this.#first;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get unsettled(): number {
    return this.#unsettled;
  }

  /** Everything before this offset is settled; undefined before the first is. */
  get position(): number | undefined {
    return this.#position;
  }

  /** The offset after the newest record; undefined before the first. */
  get taken(): number | undefined {
    return this.#taken;
  }

  /** Checked before a record is added, so one that is larger than the limit still passes when it is alone. */
  get isFull(): boolean {
    return this.records >= this.#limits.records || this.#bytes >= this.#limits.bytes || this.#share.isFull;
  }

  /** Whether it is full because the memory of all partitions is used up. */
  get isOutOfMemory(): boolean {
    return this.#share.isFull;
  }

  /** The part of it in use: 1 is full, by records, by bytes or by the share of the memory. */
  get used(): number {
    const { records, bytes } = this.#limits;
    return Math.max(this.records / records, this.#bytes / bytes, this.#share.used);
  }

  /** Half empty again: a source that was held back is let go in strides, not record by record. */
  get hasRoom(): boolean {
    const { records, bytes } = this.#limits;
    return this.records <= records / 2 && this.#bytes <= bytes / 2 && this.#share.hasRoom;
  }

  /** The oldest record that is not settled, and when it was added. */
  get oldest(): { readonly offset: number; readonly since: number } | undefined {
    if (this.records === 0) return undefined;
    const at = this.#first & this.#mask;
    return { offset: this.#offsets[at] as number, since: this.#times[at] as number };
  }

  /** Answers the place under which the record is settled later. */
  add(offset: number, bytes: number, now: number): number {
    if (this.records === this.#offsets.length) this.#grow();
    const place = this.#next++;
    const at = place & this.#mask;
    this.#offsets[at] = offset;
    this.#sizes[at] = bytes;
    this.#times[at] = now;
    this.#settled[at] = 0;
    this.#bytes += bytes;
    this.#share.take(bytes);
    this.#unsettled++;
    this.#taken = offset + 1;
    return place;
  }

  settle(place: number): void {
    const at = place & this.#mask;
    if (place < this.#first || place >= this.#next || this.#settled[at] === 1) return;
    this.#settled[at] = 1;
    this.#unsettled--;
    this.#share.release(this.#sizes[at] as number);
    if (place !== this.#first) return;
    let first = at;
    while (this.#first < this.#next && this.#settled[first] === 1) {
      this.#position = (this.#offsets[first] as number) + 1;
      this.#bytes -= this.#sizes[first] as number;
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
    for (let place = this.#first; place < this.#next; place++) {
      const [from, to] = [place & mask, place & (size - 1)];
      this.#offsets[to] = offsets[from] as number;
      this.#sizes[to] = sizes[from] as number;
      this.#times[to] = times[from] as number;
      this.#settled[to] = settled[from] as number;
    }
  }
}

const initialSize = 64;
