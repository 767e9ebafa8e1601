import type { InstanceStart } from './cell-run.js';

/** A scheduled start in the start log. Only a start by an input has branches and input. */
export interface LoggedStart<S> extends InstanceStart<S> {
  /** Number of timers that the cell had set before the start: its position in the cell's history. */
  readonly timers: number;
}

/**
 * The starts of every cell, from which a cell can be replayed, in 23 bytes per start. Blocks of columns instead of
 * objects: the log grows without copying. The starts of a cell form a linked list, newest first.
 */
export class StartLog<S> {
  readonly #blocks: Block[] = [];
  readonly #newest = new Map<number, number>();
  readonly #scenarios: S[] = [];
  readonly #numbers = new Map<S, number>();
  /** Properties of starts by inputs, which are few. */
  readonly #inputs = new Map<number, Pick<LoggedStart<S>, 'branches' | 'input'>>();
  #size = 0;

  add(cell: number, { at, scenario, ordinal, last, timers, branches, input }: LoggedStart<S>): void {
    const entry = this.#size++;
    const row = entry % blockSize;
    const block = (this.#blocks[(entry - row) / blockSize] ??= newBlock());
    block.at[row] = at;
    block.scenario[row] = this.#numberOf(scenario);
    block.ordinal[row] = ordinal;
    block.last[row] = Number(last);
    block.timers[row] = timers;
    block.before[row] = this.#newest.get(cell) ?? none;
    this.#newest.set(cell, entry);
    if (branches !== undefined || input !== undefined) this.#inputs.set(entry, { branches, input });
  }

  /** Returns the starts of the cell, oldest first. */
  of(cell: number): LoggedStart<S>[] {
    const starts: LoggedStart<S>[] = [];
    for (let entry = this.#newest.get(cell) ?? none; entry !== none; ) {
      const row = entry % blockSize;
      const block = this.#blocks[(entry - row) / blockSize] as Block;
      const byInput = this.#inputs.size === 0 ? undefined : this.#inputs.get(entry);
      starts.push({
        at: block.at[row] as number,
        scenario: this.#scenarios[block.scenario[row] as number] as S,
        ordinal: block.ordinal[row] as number,
        last: block.last[row] === 1,
        timers: block.timers[row] as number,
        branches: byInput?.branches,
        input: byInput?.input,
      });
      entry = block.before[row] as number;
    }
    return starts.reverse();
  }

  /** Forgets the starts of a cell that has ended. Later starts begin a new history. */
  end(cell: number): void {
    this.#newest.delete(cell);
  }

  #numberOf(scenario: S): number {
    let number = this.#numbers.get(scenario);
    if (number === undefined) {
      this.#numbers.set(scenario, (number = this.#scenarios.length));
      this.#scenarios.push(scenario);
    }
    return number;
  }
}

const blockSize = 2 ** 12;
const none = -1;

type Block = ReturnType<typeof newBlock>;

function newBlock() {
  return {
    at: new Float64Array(blockSize),
    scenario: new Uint16Array(blockSize),
    ordinal: new Uint32Array(blockSize),
    last: new Uint8Array(blockSize),
    timers: new Uint32Array(blockSize),
    before: new Int32Array(blockSize),
  };
}
