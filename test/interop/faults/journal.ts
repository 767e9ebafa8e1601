import { existsSync, readFileSync, writeSync } from 'node:fs';

/** What a consumer process has seen of one record. Instants are of the machine's monotonic clock, in nanoseconds. */
export interface Entry {
  /** `handled`: the handler's effect has happened; `failed`: an attempt came to nothing. */
  readonly kind: 'handled' | 'failed';
  readonly begun: number;
  readonly at: number;
  readonly partition: number;
  readonly offset: number;
  readonly n: number;
}

/** What the consumer itself said of trouble. */
export interface Warning {
  readonly kind: 'warned';
  readonly at: number;
  readonly text: string;
}

export interface Journal {
  readonly entries: readonly Entry[];
  readonly warnings: readonly Warning[];
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
    writeSync(this.#file, `${kind} ${begun} ${at} ${partition} ${offset} ${n}\n`);
  }

  warn(text: string): void {
    writeSync(this.#file, `warned ${now()} ${text.replaceAll('\n', ' ')}\n`);
  }
}

export function readJournal(path: string): Journal {
  const entries: Entry[] = [];
  const warnings: Warning[] = [];
  // Killed before it wrote anything, a process has left no file.
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  // After the last line break is what a kill has cut off, or nothing.
  for (const line of text.split('\n').slice(0, -1)) {
    const [kind, ...fields] = line.split(' ');
    if (kind === 'warned') {
      warnings.push({ kind, at: Number(fields[0]), text: fields.slice(1).join(' ') });
    } else if (kind === 'handled' || kind === 'failed') {
      const [begun, at, partition, offset, n] = fields.map(Number) as [
        number,
        number,
        number,
        number,
        number,
      ];
      entries.push({ kind, begun, at, partition, offset, n });
    }
  }
  return { entries, warnings };
}
