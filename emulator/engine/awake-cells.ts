import type { Instant } from './time.js';

/** A cell with what it would cost to play it again. */
export interface Sleeper {
  /** Starts that it has seen so far. */
  readonly starts: number;
}

/**
 * The cells that are in memory. In two generations: what is asked for moves to the younger; when that has grown to
 * half of the limit, the elder, which nobody asked for meanwhile, is let go, and the younger becomes the elder. A cell
 * that is known to be let go before anybody asks for it again goes at once.
 */
export class AwakeCells<C extends Sleeper> {
  readonly #half: number;
  #younger = new Map<number, C>();
  #elder = new Map<number, C>();
  /** When the younger generation began, and how long the one before it took to grow up. */
  #begun = 0;
  #grewIn = Infinity;

  constructor(limit: number) {
    this.#half = Math.ceil(limit / 2);
  }

  /** The cell, if it is there, at a virtual instant: none before those that were named earlier. */
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

  /** Nobody is likely to ask for the cell before `next`. */
  rest(index: number, at: Instant, next: Instant): void {
    // The younger generation may be taking longer than the one before.
    const generation = Math.max(this.#grewIn, at - this.#begun);
    if (next - at <= 2 * generation) return;
    const sleeper = this.#younger.get(index) ?? this.#elder.get(index);
    if (sleeper !== undefined && sleeper.starts <= longHistory) this.delete(index);
  }

  delete(index: number): void {
    this.#younger.delete(index);
    this.#elder.delete(index);
  }

  #growUp(at: Instant): void {
    const forgotten = this.#elder;
    this.#elder = this.#younger;
    this.#younger = new Map();
    for (const [eldest, sleeper] of forgotten) {
      if (sleeper.starts > longHistory) this.#elder.set(eldest, sleeper);
    }
    if (this.#begun > 0) this.#grewIn = at - this.#begun;
    this.#begun = at;
  }
}

/** Few cells see as many starts, the platform's above all: they would cost more to play again than to keep. */
const longHistory = 200;
