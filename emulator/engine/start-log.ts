/** What a start log keeps of a start. */
export interface LoggedStart<S> {
  readonly at: number;
  readonly scenario: S;
  readonly ordinal: number;
  readonly last: boolean;
  /** How many wakes the cell had seen when it began: tells where in the cell's history it belongs. */
  readonly wakes: number;
  /** Those of a start from outside. */
  readonly branches?: Readonly<Record<string, string>> | undefined;
  readonly input?: unknown;
}

/**
 * What began in every cell: all that it takes to play a cell again, in 23 bytes a start. Columns instead of objects,
 * in blocks, so that nothing is ever copied to make room; the starts of a cell are chained, newest first.
 */
export class StartLog<S> {
  readonly #blocks: Block[] = [];
  readonly #newest = new Map<number, number>();
  readonly #scenarios: S[] = [];
  readonly #numbers = new Map<S, number>();
  /** What only starts from outside have, which are few. */
  readonly #given = new Map<number, Pick<LoggedStart<S>, 'branches' | 'input'>>();
  #size = 0;

  add(cell: number, { at, scenario, ordinal, last, wakes, branches, input }: LoggedStart<S>): void {
    const entry = this.#size++;
    const row = entry % blockSize;
    const block = (this.#blocks[(entry - row) / blockSize] ??= newBlock());
    block.at[row] = at;
    block.scenario[row] = this.#numberOf(scenario);
    block.ordinal[row] = ordinal;
    block.last[row] = Number(last);
    block.wakes[row] = wakes;
    block.before[row] = this.#newest.get(cell) ?? none;
    this.#newest.set(cell, entry);
    if (branches !== undefined || input !== undefined) this.#given.set(entry, { branches, input });
  }

  /** The starts of the cell, oldest first. */
  of(cell: number): LoggedStart<S>[] {
    const starts: LoggedStart<S>[] = [];
    for (let entry = this.#newest.get(cell) ?? none; entry !== none; ) {
      const row = entry % blockSize;
      const block = this.#blocks[(entry - row) / blockSize] as Block;
      const given = this.#given.size === 0 ? undefined : this.#given.get(entry);
      starts.push({
        at: block.at[row] as number,
        scenario: this.#scenarios[block.scenario[row] as number] as S,
        ordinal: block.ordinal[row] as number,
        last: block.last[row] === 1,
        wakes: block.wakes[row] as number,
        branches: given?.branches,
        input: given?.input,
      });
      entry = block.before[row] as number;
    }
    return starts.reverse();
  }

  /** The cell has ended: what is added for it later is another history. */
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
    wakes: new Uint32Array(blockSize),
    before: new Int32Array(blockSize),
  };
}
