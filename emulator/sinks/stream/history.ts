import { type EncodedRecord, encodeBatch } from '../../../src/transports/websocket-frames.js';
import type { RecordAbout } from '../../../src/transports/websocket-protocol.js';
import type { Fits } from './filter.js';

/** A bound in both measures: whichever is reached first counts. */
export interface Bounds {
  readonly records: number;
  readonly bytes: number;
}

/** A record on the stream, and what observers may ask about it. */
export interface StreamRecord extends EncodedRecord {
  readonly key: string;
  readonly value: Buffer;
  readonly about: RecordAbout;
}

/** How an observer sees the stream. */
export interface View {
  /** Default: every record. */
  readonly fits?: Fits;
  readonly about: boolean;
}

/** A batch of records, ready to be sent to any number of clients. */
export interface Frame {
  readonly bytes: Buffer;
  /** Number of the record after its last one. */
  readonly next: number;
}

/** The end of the stream, in memory: what late joiners, slow observers and returning consumers are served from. */
export class History {
  readonly #bounds: Bounds;
  readonly #frameBounds: Bounds;
  /** Those before `#start` are gone, their places not yet given back. */
  #entries: (Entry | undefined)[] = [];
  #start = 0;
  #oldest = 1;
  #total = 0;
  readonly #frames = new Map<number, Frame & { readonly full: boolean }>();

  constructor(bounds: Bounds, frameBounds: Bounds) {
    this.#bounds = bounds;
    this.#frameBounds = frameBounds;
  }

  /** Number of the oldest record that is still here; one more than `last` when none is. */
  get oldest(): number {
    return this.#oldest;
  }

  get last(): number {
    return this.#oldest + this.#entries.length - this.#start - 1;
  }

  /** Bytes of all records up to and including this one since the stream began. It must still be here, or be 0. */
  bytesThrough(number: number): number {
    if (number === this.last) return this.#total;
    return number < this.#oldest ? this.#bytesBefore() : this.#entry(number).through;
  }

  /** Adds a record, and lets go of old ones beyond the bounds; but keeps `needed` and those after it. */
  append(record: StreamRecord, needed: number): void {
    this.#total += record.head.length + record.line.length;
    this.#entries.push({ ...record, through: this.#total });
    while (this.#oldest < needed && this.#exceedsBounds()) {
      this.#entries[this.#start++] = undefined;
      this.#oldest++;
    }
    // Cutting the list moves all that stays: so only when most of it is gone.
    if (this.#start * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#start);
      this.#start = 0;
    }
  }

  /**
   * The records from `first` on, as many as there are and fit. Clients that keep pace ask for the same frame, so the
   * last few are kept: one encoding for all of them.
   */
  frame(first: number): Frame {
    const kept = this.#frames.get(first);
    if (kept !== undefined && (kept.full || kept.next > this.last)) return kept;
    const records: Entry[] = [];
    let bytes = 0;
    let full = false;
    for (let number = first; number <= this.last && !full; number++) {
      const entry = this.#entry(number);
      const size = entry.head.length + entry.line.length;
      full = records.length === this.#frameBounds.records || bytes + size > this.#frameBounds.bytes;
      // A record larger than a frame should be still has to be sent: alone.
      if (full && records.length > 0) break;
      records.push(entry);
      bytes += size;
    }
    const frame = { bytes: encodeBatch(first, records), next: first + records.length, full };
    this.#frames.delete(first);
    this.#frames.set(first, frame);
    const [eldest] = this.#frames.keys();
    if (this.#frames.size > keptFrames && eldest !== undefined) this.#frames.delete(eldest);
    return frame;
  }

  /**
   * Likewise for an observer with a view of its own: the records from `first` on that fit. Without any, `bytes` is
   * undefined, and `next` says how far it has looked.
   */
  selection(first: number, { fits, about }: View): Omit<Frame, 'bytes'> & { readonly bytes?: Buffer } {
    const records: EncodedRecord[] = [];
    const numbers: number[] = [];
    let bytes = 0;
    let next = first;
    for (; next <= this.last; next++) {
      const entry = this.#entry(next);
      if (fits?.(entry) === false) continue;
      const head = about ? (entry.headWithAbout ??= withAbout(entry)) : entry.head;
      const size = head.length + entry.line.length;
      const full = records.length === this.#frameBounds.records || bytes + size > this.#frameBounds.bytes;
      if (full && records.length > 0) break;
      records.push({ head, line: entry.line });
      numbers.push(next);
      bytes += size;
    }
    const [begin] = numbers;
    if (begin === undefined) return { next };
    return { bytes: encodeBatch(begin, records, fits && numbers), next };
  }

  #exceedsBounds(): boolean {
    const records = this.#entries.length - this.#start;
    return records > this.#bounds.records || this.#total - this.#bytesBefore() > this.#bounds.bytes;
  }

  #bytesBefore(): number {
    const first = this.#entries[this.#start];
    return first === undefined ? this.#total : first.through - first.head.length - first.line.length;
  }

  #entry(number: number): Entry {
    const entry = this.#entries[this.#start + number - this.#oldest];
    if (entry === undefined) throw new RangeError(`record ${number} is not in the history`);
    return entry;
  }
}

const keptFrames = 4;

interface Entry extends StreamRecord {
  /** Bytes of the stream up to and including this record. */
  readonly through: number;
  /** Written when somebody asks for it. */
  headWithAbout?: Buffer;
}

function withAbout({ head, about }: Entry): Buffer {
  const end = Buffer.from(`,"about":${JSON.stringify(about)}}`);
  return Buffer.concat([head.subarray(0, -1), end]);
}
