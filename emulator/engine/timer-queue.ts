import type { Instant } from './time.js';

/**
 * A scheduled resumption of a thread. Refers to the cell by its number, so that the timer outlives the cell's eviction from
 * memory.
 */
export interface Timer {
  readonly at: Instant;
  /** See `Ordering.rankOf`. */
  readonly rank: number;
  readonly cell: number;
  readonly number: number;
}

/** Whether `a` comes before `b` in the order of a run. */
export function earlier(a: Timer, b: Timer): boolean {
  if (a.at !== b.at) return a.at < b.at;
  if (a.rank !== b.rank) return a.rank < b.rank;
  return a.number < b.number;
}

/**
 * Pending timers in the order of the run. A 4-ary heap in columns instead of objects: with a million timers, memory access
 * dominates, and the garbage collector has no objects to visit.
 */
export class TimerQueue {
  #size = 0;
  /** In heap order. */
  #instants = new Float64Array(minRows);
  /** Rows of the columns below, in heap order. Those after the last timer are free. */
  #rows = Uint32Array.from({ length: minRows }, (_, row) => row);
  #ranks = new Uint32Array(minRows);
  #cells = new Uint32Array(minRows);
  #numbers = new Uint32Array(minRows);

  /** Instant of the first timer, or Infinity if there is none. */
  get next(): Instant {
    return this.#size === 0 ? Infinity : (this.#instants[0] as number);
  }

  peek(): Timer | undefined {
    if (this.#size === 0) return undefined;
    const row = this.#rows[0] as number;
    return {
      at: this.#instants[0] as number,
      rank: this.#ranks[row] as number,
      cell: this.#cells[row] as number,
      number: this.#numbers[row] as number,
    };
  }

  push(at: Instant, rank: number, cell: number, number: number): void {
    if (this.#size === this.#rows.length) this.#grow();
    const instants = this.#instants;
    const rows = this.#rows;
    let hole = this.#size++;
    const row = rows[hole] as number;
    this.#ranks[row] = rank;
    this.#cells[row] = cell;
    this.#numbers[row] = number;
    while (hole > 0) {
      const above = (hole - 1) >> 2;
      if (!this.#isBefore(at, row, above)) break;
      instants[hole] = instants[above] as number;
      rows[hole] = rows[above] as number;
      hole = above;
    }
    instants[hole] = at;
    rows[hole] = row;
  }

  pop(): Timer | undefined {
    const first = this.peek();
    if (first === undefined) return undefined;
    const instants = this.#instants;
    const rows = this.#rows;
    const free = rows[0] as number;
    const size = --this.#size;
    const at = instants[size] as number;
    const row = rows[size] as number;
    let hole = 0;
    for (;;) {
      const from = 4 * hole + 1;
      if (from >= size) break;
      let below = from;
      const to = Math.min(from + 4, size);
      for (let other = from + 1; other < to; other++) {
        if (this.#isBefore(instants[other] as number, rows[other] as number, below)) below = other;
      }
      if (!this.#isBefore(instants[below] as number, rows[below] as number, size)) break;
      instants[hole] = instants[below] as number;
      rows[hole] = rows[below] as number;
      hole = below;
    }
    instants[hole] = at;
    rows[hole] = row;
    rows[size] = free;
    return first;
  }

  clear(): void {
    this.#size = 0;
  }

  /** Whether the timer at that instant and row comes before the one at that heap index. */
  #isBefore(at: Instant, row: number, other: number): boolean {
    const otherAt = this.#instants[other] as number;
    if (at !== otherAt) return at < otherAt;
    const otherRow = this.#rows[other] as number;
    const rank = this.#ranks[row] as number;
    const otherRank = this.#ranks[otherRow] as number;
    if (rank !== otherRank) return rank < otherRank;
    return (this.#numbers[row] as number) < (this.#numbers[otherRow] as number);
  }

  #grow(): void {
    const capacity = 2 * this.#rows.length;
    const rows = Uint32Array.from({ length: capacity }, (_, row) => row);
    rows.set(this.#rows);
    this.#rows = rows;
    this.#instants = longer(this.#instants, new Float64Array(capacity));
    this.#ranks = longer(this.#ranks, new Uint32Array(capacity));
    this.#cells = longer(this.#cells, new Uint32Array(capacity));
    this.#numbers = longer(this.#numbers, new Uint32Array(capacity));
  }
}

/** Rows of a new queue. */
const minRows = 64;

function longer<C extends Float64Array | Uint32Array>(column: C, copy: C): C {
  copy.set(column);
  return copy;
}
