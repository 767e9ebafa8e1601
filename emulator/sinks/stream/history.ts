import { encodeBatch, type EncodedRecord } from 'busbar/internal/websocket-frames';
import type { Filtered, Matcher } from './filter.js';

/** Limits of both records and bytes; the first one to be reached applies. */
export interface Bounds {
  readonly records: number;
  readonly bytes: number;
}

/** A record on the stream, with the parts that filters read. */
export interface StreamRecord extends EncodedRecord, Filtered {
  /** The record in Busbar's own envelope, if another is sent. */
  readonly own?: EncodedRecord;
}

/** An observer's selection of records and of their metadata. */
export interface View {
  /** Default: all records. */
  readonly matches?: Matcher;
  readonly about: boolean;
}

interface Frame {
  /** Number of the first record that was examined. */
  readonly first: number;
  /** Number of the first record after the frame. */
  readonly next: number;
  readonly isFull: boolean;
  /** The encoded message, for any number of clients; undefined if no record matches. */
  readonly batch: Buffer | undefined;
}

/** Records after a number. */
export type HistoryPage = ReturnType<History['after']>;

/** The limits of a frame. A larger record gets its own frame. */
export const frameBounds: Bounds = { records: 512, bytes: 1024 * 1024 };

/** The number of frames that are cached for clients at the same position. */
const maxCachedFrames = 4;

/** The latest records of the stream in memory. Each client reads them at its own pace. */
export class History {
  readonly #bounds: Bounds;
  /** Records by consecutive numbers. */
  readonly #records = new Map<number, StreamRecord>();
  /** Number of the oldest stored record; `last` + 1 if there is none. */
  oldest = 1;
  #bytes = 0;
  #frames: readonly Frame[] = [];

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  get last(): number {
    return this.oldest + this.#records.size - 1;
  }

  get isFull(): boolean {
    return this.#records.size >= this.#bounds.records || this.#bytes >= this.#bounds.bytes;
  }

  /** Drops the oldest records, at most up to `settled`, until there is room. Returns whether there is room. */
  makeRoom(settled: number): boolean {
    while (this.isFull && this.oldest <= settled) {
      this.#bytes -= sizeOf(this.#records.get(this.oldest));
      this.#records.delete(this.oldest++);
    }
    return !this.isFull;
  }

  append(record: StreamRecord): void {
    this.#records.set(this.last + 1, record);
    this.#bytes += sizeOf(record);
  }

  /**
   * Returns up to `limit` matching records after a number, the oldest first, with the number of the last record that was
   * examined, and of dropped records after the requested number.
   */
  after(number: number, limit: number, matches: Matcher) {
    const records: (StreamRecord & { readonly number: number })[] = [];
    let next = Math.max(number + 1, this.oldest);
    for (; next <= this.last && records.length < limit; next++) {
      const record = this.#records.get(next);
      if (record !== undefined && matches(record)) records.push({ number: next, ...record });
    }
    return { records, through: next - 1, missed: Math.max(0, this.oldest - number - 1) };
  }

  frame(first: number, view?: View): Frame {
    const isCurrent = (each: Frame) => each.isFull || each.next > this.last;
    const shared = this.#frames.find((each) => each.first === first && isCurrent(each));
    if (view === undefined && shared !== undefined) return shared;
    const records: EncodedRecord[] = [];
    const numbers: number[] = [];
    let [next, bytes, isFull] = [first, 0, false];
    for (; next <= this.last && !isFull; next++) {
      const record = this.#records.get(next);
      if (record === undefined || view?.matches?.(record) === false) continue;
      const sent = view?.about ? withAbout(record) : record;
      bytes += sizeOf(sent);
      isFull = records.length === frameBounds.records || bytes > frameBounds.bytes;
      if (isFull && records.length > 0) break;
      records.push(sent);
      numbers.push(next);
    }
    const [begin] = numbers;
    const batch = begin === undefined ? undefined : encodeBatch(begin, records, view?.matches && numbers);
    const frame = { first, next, isFull, batch };
    if (view === undefined) this.#frames = [frame, ...this.#frames.slice(0, maxCachedFrames - 1)];
    return frame;
  }
}

function sizeOf(record: EncodedRecord | undefined): number {
  return record === undefined ? 0 : record.head.length + record.line.length;
}

/** Returns the record with its origin, in Busbar's own envelope, which the dashboard reads. */
function withAbout({ own, about, ...sent }: StreamRecord): EncodedRecord {
  const { head, line } = own ?? sent;
  const end = Buffer.from(`,"about":${JSON.stringify(about)}}`);
  return { head: Buffer.concat([head.subarray(0, -1), end]), line };
}
