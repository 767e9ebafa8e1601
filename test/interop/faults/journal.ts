import { existsSync, readFileSync, writeSync } from 'node:fs';

/** The events of one record in a consumer process, at times of the machine's monotonic clock in nanoseconds. */
export interface Entry {
  /** `handled`: the handler's effect has happened; `failed`: an attempt came to nothing. */
  readonly kind: 'handled' | 'failed';
  readonly begun: number;
  readonly at: number;
  readonly partition: number;
  readonly offset: number;
  readonly n: number;
}

/** A problem that the consumer reported. */
export interface Warning {
  readonly at: number;
  readonly text: string;
}

/** The consumer said that it gives up a partition with settled records that come again: some of those in between. */
export interface Left {
  readonly at: number;
  readonly partition: number;
  readonly from: number;
  /** Not included. */
  readonly to: number;
}

/** Everything before the offset was committed by then. */
export interface Committed {
  readonly at: number;
  readonly partition: number;
  readonly offset: number;
}

export interface Journal {
  readonly entries: readonly Entry[];
  readonly warnings: readonly Warning[];
  readonly left: readonly Left[];
  readonly committed: readonly Committed[];
}

export function now(): number {
  return Number(process.hrtime.bigint());
}

/** Written at once: what a process did before it was killed is there. */
export class JournalWriter {
  readonly #file: number;

  constructor(file: number) {
    this.#file = file;
  }

  write({ kind, begun, at, partition, offset, n }: Entry): void {
    this.#line(`${kind} ${begun} ${at} ${partition} ${offset} ${n}`);
  }

  warn(text: string): void {
    this.#line(`warned ${now()} ${text.replaceAll('\n', ' ')}`);
  }

  left({ partition, from, to }: Omit<Left, 'at'>): void {
    this.#line(`left ${now()} ${partition} ${from} ${to}`);
  }

  committed({ partition, offset }: Omit<Committed, 'at'>): void {
    this.#line(`committed ${now()} ${partition} ${offset}`);
  }

  #line(text: string): void {
    writeSync(this.#file, `${text}\n`);
  }
}

export function readJournal(path: string): Journal {
  const entries: Entry[] = [];
  const warnings: Warning[] = [];
  const left: Left[] = [];
  const committed: Committed[] = [];
  // Killed before it wrote anything, a process has left no file.
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  // After the last line break is what a kill has cut off, or nothing.
  for (const line of text.split('\n').slice(0, -1)) {
    const [kind, ...fields] = line.split(' ');
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = fields.map(Number);
    if (kind === 'warned') warnings.push({ at: a, text: fields.slice(1).join(' ') });
    else if (kind === 'left') left.push({ at: a, partition: b, from: c, to: d });
    else if (kind === 'committed') committed.push({ at: a, partition: b, offset: c });
    else if (kind === 'handled' || kind === 'failed')
      entries.push({ kind, begun: a, at: b, partition: c, offset: d, n: e });
  }
  return { entries, warnings, left, committed };
}
