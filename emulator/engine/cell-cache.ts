import type { Instant } from './time.js';

/** A cell with the cost of its replay. */
export interface CachedCell {
  /** Number of instances that have started. */
  readonly starts: number;
}

/**
 * Cache of cells, in two generations. A cell that is used moves to the younger generation. When the younger one has grown to
 * half of the limit, the cache evicts the elder one, and the younger becomes the elder. The cache evicts a cell at once if
 * its next use comes after its eviction anyway.
 */
export class CellCache<C extends CachedCell> {
  readonly #half: number;
  #younger = new Map<number, C>();
  #elder = new Map<number, C>();
  /** Start of the younger generation, and the time that the one before took to grow. */
  #begun = 0;
  #grewIn = Infinity;

  constructor(limit: number) {
    this.#half = Math.ceil(limit / 2);
  }

  /** Returns the cell if the cache has it. Instants never decrease from call to call. */
  get(index: number, at: Instant): C | undefined {
    const cell = this.#younger.get(index);
    if (cell !== undefined) return cell;
    const found = this.#elder.get(index);
    if (found !== undefined) this.add(index, found, at);
    return found;
  }

  add(index: number, cell: C, at: Instant): void {
    if (this.#younger.size >= this.#half) this.#growUp(at);
    this.#younger.set(index, cell);
  }

  /** Evicts the cell if it would be evicted before its next use at `next` anyway. */
  release(index: number, at: Instant, next: Instant): void {
    // The younger generation may take longer than the one before.
    const generation = Math.max(this.#grewIn, at - this.#begun);
    if (next - at <= 2 * generation) return;
    const cell = this.#younger.get(index) ?? this.#elder.get(index);
    if (cell !== undefined && cell.starts <= longHistory) this.delete(index);
  }

  delete(index: number): void {
    this.#younger.delete(index);
    this.#elder.delete(index);
  }

  #growUp(at: Instant): void {
    const evicted = this.#elder;
    this.#elder = this.#younger;
    this.#younger = new Map();
    for (const [eldest, cell] of evicted) {
      if (cell.starts > longHistory) this.#elder.set(eldest, cell);
    }
    if (this.#begun > 0) this.#grewIn = at - this.#begun;
    this.#begun = at;
  }
}

/** Number of starts above which a replay costs more than keeping the cell. Few cells have more, the platform's above all. */
const longHistory = 200;
