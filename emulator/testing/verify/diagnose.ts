import type { DiagnosisName } from './causes.js';
import type { Observed } from './households.js';
import { differencesOf, type NoiseMask } from './noise.js';

/** Change of the events for a run without faults. Its state may explain a wrong one. */
export type Change = 'twice' | 'twice, with a restart between' | 'left out' | 'late';

/** A run without faults, in which one event came differently. */
export interface Counterfactual {
  readonly change: Change;
  /** Catalogue name of the event. */
  readonly event: string;
  /** Whether the event came again after the fault. */
  readonly isRedelivered: boolean;
  readonly state: Observed;
}

/** The explanation of a wrong state, and the event that it is about. */
export interface Explanation {
  readonly diagnosis: DiagnosisName;
  readonly counterfactual?: Counterfactual;
}

/** Returns the first run whose state is the wrong one, as a diagnosis: `diverged` if there is none. */
export function diagnose(wrong: Observed, runs: readonly Counterfactual[], mask?: NoiseMask): Explanation {
  const counterfactual = runs.find(({ state }) => differencesOf(state, wrong, mask).length === 0);
  if (counterfactual === undefined) return { diagnosis: 'diverged' };
  return { diagnosis: diagnosisOf(counterfactual), counterfactual };
}

function diagnosisOf({ change, isRedelivered }: Counterfactual): DiagnosisName {
  if (change === 'twice') return 'not-idempotent';
  if (change === 'twice, with a restart between') return 'forgets-at-restart';
  if (change === 'late') return 'order-across-keys';
  return isRedelivered ? 'seen-before-effect' : 'committed-before-work';
}

/**
 * Whether the state after both versions of an occurrence counts it twice: a table has more rows, or a number is the sum of
 * those after each version alone. Versions that fill different fields pass.
 */
export function countsVersionsTwice(both: Observed, one: Observed, other: Observed): boolean {
  return Object.entries(both).some(([table, rows]) => {
    const [first, second] = [one[table] ?? [], other[table] ?? []];
    if (rows.length > Math.max(first.length, second.length) && first.length > 0 && second.length > 0)
      return true;
    const names = new Set(rows.flatMap((row) => Object.keys(row)));
    return [...names].some((name) => {
      const [sum, a, b] = [rows, first, second].map((each) => sumOf(each, name)) as [number, number, number];
      return a !== 0 && a === b && sum === a + b;
    });
  });
}

function sumOf(rows: Observed[string], name: string): number {
  return rows.reduce((sum, row) => sum + (typeof row[name] === 'number' ? row[name] : 0), 0);
}
