import type { DiagnosisName } from './causes.js';
import type { Observed, Row } from './households.js';
import { noNoise, type NoiseMask } from './noise.js';

/** Change of the events for a run without faults. Its state may explain a wrong one. */
export type Change = 'twice' | 'twice, with a restart between' | 'left out' | 'late';

/** A run without faults, in which one event came differently. */
export interface Counterfactual {
  readonly change: Change;
  /** Catalogue name of the event. */
  readonly event: string;
  /** Whether the event came again after the fault. */
  readonly isRedelivered: boolean;
}

/** The explanation of a wrong state, and the event that it is about. */
export interface Explanation {
  readonly diagnosis: DiagnosisName;
  readonly counterfactual?: Counterfactual;
  /** Whether the budget ended before the runs that explain. */
  readonly isCut?: boolean;
}

/** Returns the diagnosis that follows if this run reaches the same wrong state. */
export function meaningOf({ change, isRedelivered }: Omit<Counterfactual, 'event'>): DiagnosisName {
  if (change === 'twice') return 'not-idempotent';
  if (change === 'twice, with a restart between') return 'forgets-at-restart';
  if (change === 'late') return 'order-across-keys';
  return isRedelivered ? 'seen-before-effect' : 'committed-before-work';
}

/** States of one household with both versions of an occurrence, with one of them, and with neither. */
export type VersionStates = Readonly<Record<'neither' | 'one' | 'other' | 'both', Observed>>;

/**
 * Whether both versions of an occurrence count: a table gets rows from each, or a number the sum of what each adds.
 * Versions that fill different fields pass.
 * @param isLog Whether rows say that events came, and nothing else.
 */
export function countsVersionsTwice(
  states: VersionStates,
  mask: NoiseMask = noNoise,
  isLog: (rows: readonly (readonly unknown[])[]) => boolean = () => false,
): boolean {
  return Object.keys(states.both).some((table) => {
    const isSum = (amountIn: (rows: readonly Row[]) => number) => {
      const [zero, ...amounts] = (['neither', 'one', 'other', 'both'] as const).map((name) =>
        amountIn(states[name][table] ?? []),
      ) as [number, number, number, number];
      const [first, second, both] = amounts.map((amount) => amount - zero) as [number, number, number];
      return first * second > 0 && Math.abs(both - first - second) < 1e-6;
    };
    const masked = mask.fields[table] ?? [];
    const names = new Set((states.both[table] ?? []).flatMap((row) => Object.keys(row)));
    const values = (row: Row) =>
      Object.keys(row).flatMap((name) => (masked.includes(name) ? [] : [row[name]]));
    return (
      !mask.tables.includes(table) &&
      !isLog((states.both[table] ?? []).map(values)) &&
      (isSum((rows) => rows.length) ||
        [...names].some((name) => !masked.includes(name) && isSum((rows) => sumOf(rows, name))))
    );
  });
}

function sumOf(rows: readonly Row[], name: string): number {
  return rows.reduce((sum, row) => sum + (typeof row[name] === 'number' ? row[name] : 0), 0);
}
