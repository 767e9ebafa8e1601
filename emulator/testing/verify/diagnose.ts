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
type VersionStates = Readonly<Record<'neither' | 'one' | 'other' | 'both', Observed>>;

/**
 * Returns where both versions of an occurrence count: the tables that get rows from each, and the fields whose sum grows
 * by what each adds. Versions that fill different fields pass.
 * @param isLog Whether rows say that events came, and nothing else.
 */
export function countedTwice(
  states: VersionStates,
  isLog: (rows: readonly (readonly unknown[])[]) => boolean,
  mask: NoiseMask = noNoise,
): string[] {
  return Object.entries(states.both).flatMap(([table, rows]) => {
    const isSum = (amountIn: (rows: readonly Row[]) => number) => {
      const [zero, ...amounts] = (['neither', 'one', 'other', 'both'] as const).map((name) =>
        amountIn(states[name][table] ?? []),
      ) as [number, number, number, number];
      const [first, second, both] = amounts.map((amount) => amount - zero) as [number, number, number];
      return first * second > 0 && Math.abs(both - first - second) < 1e-6;
    };
    const masked = new Set(mask.fields[table]);
    const values = (row: Row) => Object.keys(row).flatMap((name) => (masked.has(name) ? [] : [row[name]]));
    if (mask.tables.includes(table) || isLog(rows.map(values))) return [];
    if (isSum(({ length }) => length)) return [table];
    const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    return names.filter((name) => !masked.has(name) && isSum((some) => sumOf(some, name)));
  });
}

function sumOf(rows: readonly Row[], name: string): number {
  return rows.reduce((sum, row) => sum + (typeof row[name] === 'number' ? row[name] : 0), 0);
}
