import type { Instant } from './time.js';

/**
 * When a thread goes on. Names it instead of holding it, so that a wake costs the same whether its cell is in memory
 * or not.
 */
export interface Wake {
  readonly at: Instant;
  /** See `Ordering.placeOf`. */
  readonly place: number;
  readonly cell: number;
  /** Number in the cell. */
  readonly number: number;
}

/** The order of a run. */
export function earlier(a: Wake, b: Wake): boolean {
  if (a.at !== b.at) return a.at < b.at;
  if (a.place !== b.place) return a.place < b.place;
  return a.number < b.number;
}

/**
 * The wakes to come, first things first. A heap of four below each in columns instead of objects: with a million
 * threads waiting, the time goes into reaching memory, and a collector has nothing to look at.
 */
export class WakeQueue {
  #size = 0;
  /** In heap order. */
  #instants = new Float64Array(least);
  /** In heap order, too: the rows of the columns below. Those after the last wake are free. */
  #rows = Uint32Array.from({ length: least }, (_, row) => row);
  #places = new Uint32Array(least);
  #cells = new Uint32Array(least);
  #numbers = new Uint32Array(least);

  /** Instant of the first wake; Infinity where there is none. */
  get next(): Instant {
    return this.#size === 0 ? Infinity : (this.#instants[0] as number);
  }

  /** The first wake, which stays. */
  peek(): Wake | undefined {
    if (this.#size === 0) return undefined;
    const row = this.#rows[0] as number;
    return {
      at: this.#instants[0] as number,
      place: this.#places[row] as number,
      cell: this.#cells[row] as number,
      number: this.#numbers[row] as number,
    };
  }

  push(at: Instant, place: number, cell: number, number: number): void {
    if (this.#size === this.#rows.length) this.#grow();
    const instants = this.#instants;
    const rows = this.#rows;
    let hole = this.#size++;
    const row = rows[hole] as number;
    this.#places[row] = place;
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

  pop(): Wake | undefined {
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

  /** Whether a wake at that instant, in that row, comes before the one that stands there in the heap. */
  #isBefore(at: Instant, row: number, other: number): boolean {
    const otherAt = this.#instants[other] as number;
    if (at !== otherAt) return at < otherAt;
    const otherRow = this.#rows[other] as number;
    const place = this.#places[row] as number;
    const otherPlace = this.#places[otherRow] as number;
    if (place !== otherPlace) return place < otherPlace;
    return (this.#numbers[row] as number) < (this.#numbers[otherRow] as number);
  }

  #grow(): void {
    const capacity = 2 * this.#rows.length;
    const rows = Uint32Array.from({ length: capacity }, (_, row) => row);
    rows.set(this.#rows);
    this.#rows = rows;
    this.#instants = longer(this.#instants, new Float64Array(capacity));
    this.#places = longer(this.#places, new Uint32Array(capacity));
    this.#cells = longer(this.#cells, new Uint32Array(capacity));
    this.#numbers = longer(this.#numbers, new Uint32Array(capacity));
  }
}

/** Rows of a new queue. */
const least = 64;

function longer<C extends Float64Array | Uint32Array>(column: C, copy: C): C {
  copy.set(column);
  return copy;
}
