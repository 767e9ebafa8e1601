import { type Reason, reasons } from './explanations.js';
import type { Verdict } from './oracle.js';

export interface FaultReport extends Verdict {
  readonly sent: number;
  readonly deadLetters: number;
  /** In the database; undefined without an inbox. */
  readonly effects: number | undefined;
  /** Number of injected faults, by kind. */
  readonly faults: Readonly<Record<string, number>>;
}

/** Violations, with their texts in the report. */
const flaws = {
  lost: 'lost',
  misordered: 'misordered',
  besides: 'of one key at once',
  unexplained: 'doubled without a reason',
  committed: 'handled again after their commit',
  effectsTwice: 'effects twice',
  effectsMisordered: 'effects misordered',
  sentTwice: 'sent twice by the run itself',
} as const satisfies Partial<Record<keyof Verdict, string>>;

type Flaw = keyof typeof flaws;

/** Whether everything was as it should be. */
export function isFlawless(report: FaultReport): boolean {
  return (Object.keys(flaws) as Flaw[]).every((flaw) => report[flaw] === 0);
}

/** The report in a line. */
export function shown(report: FaultReport): string {
  const totals = new Totals();
  totals.add(report);
  return `${totals.shown()} (${counted(report.faults)})`;
}

/** The combined report of several runs. */
export class Totals {
  #runs = 0;
  #events = 0;
  #faults = 0;
  #overtaken = 0;
  #deadLetters = 0;
  #unbidden = 0;
  #effects: number | undefined;
  readonly #flaws: Record<Flaw, number> = countsOf(Object.keys(flaws) as Flaw[]);
  readonly #doubled: Record<Reason, number> = countsOf(reasons);

  get runs(): number {
    return this.#runs;
  }

  add(report: FaultReport): void {
    this.#runs++;
    this.#events += report.sent;
    this.#faults += sum(report.faults);
    this.#overtaken += report.overtaken;
    this.#deadLetters += report.deadLetters;
    this.#unbidden += report.unbidden;
    if (report.effects !== undefined) this.#effects = (this.#effects ?? 0) + report.effects;
    for (const flaw of Object.keys(flaws) as Flaw[]) this.#flaws[flaw] += report[flaw];
    for (const reason of reasons) this.#doubled[reason] += report.doubled[reason];
  }

  shown(): string {
    const found = (Object.keys(flaws) as Flaw[])
      .filter((flaw) => this.#effects !== undefined || !flaw.startsWith('effects'))
      .map((flaw) => `${this.#flaws[flaw]} ${flaws[flaw]}`);
    const effects = this.#effects === undefined ? '' : `, ${this.#effects} effects in the database`;
    return (
      `${this.#events} events, ${this.#faults} faults: ${found.join(', ')}; ` +
      `${sum(this.#doubled)} doubled for a reason (${counted(this.#doubled)}); ` +
      `${this.#overtaken} overtaken while an evicted or abandoned handler still ran; ` +
      `${this.#deadLetters} dead letters, ${this.#unbidden} of them for being late at every attempt${effects}`
    );
  }
}

/** As in `3 kill, 2 pause`. */
function counted(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}

function countsOf<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
