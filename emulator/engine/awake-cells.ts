/** A cell with what it would cost to play it again. */
export interface Sleeper {
  /** Starts that it has seen so far. */
  readonly starts: number;
}

/**
 * The cells that are in memory. In two generations: what is asked for moves to the younger; when that has grown to
 * half of the limit, the elder, which nobody asked for meanwhile, is let go, and the younger becomes the elder.
 */
export class AwakeCells<C extends Sleeper> {
  readonly #half: number;
  #younger = new Map<number, C>();
  #elder = new Map<number, C>();

  constructor(limit: number) {
    this.#half = Math.ceil(limit / 2);
  }

  get(index: number): C | undefined {
    const cell = this.#younger.get(index);
    if (cell !== undefined) return cell;
    const found = this.#elder.get(index);
    if (found !== undefined) this.#keep(index, found);
    return found;
  }

  add(index: number, cell: C): void {
    this.#keep(index, cell);
  }

  delete(index: number): void {
    this.#younger.delete(index);
    this.#elder.delete(index);
  }

  #keep(index: number, cell: C): void {
    if (this.#younger.size >= this.#half) {
      const forgotten = this.#elder;
      this.#elder = this.#younger;
      this.#younger = new Map();
      for (const [eldest, sleeper] of forgotten) {
        if (sleeper.starts > longHistory) this.#elder.set(eldest, sleeper);
      }
    }
    this.#younger.set(index, cell);
  }
}

/** Few cells see as many starts, the platform's above all: they would cost more to play again than to keep. */
const longHistory = 200;
