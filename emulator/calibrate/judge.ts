import type { Tally } from './tally.js';
import known from './targets.json' with { type: 'json' };

/** A fact of the world that `emulate calibrate` measures. */
export interface Target {
  readonly number: number;
  readonly group: string;
  readonly target: string;
  readonly source: string;
  /** f: found in a public page; c: known from it, to be confirmed; a: assumed; r: a rule. */
  readonly mark: string;
  /** Part of the stream or of REST that shows it. */
  readonly seen: string;
  readonly parts: readonly Part[];
}

interface Part {
  readonly name?: string;
  readonly value: number;
  readonly tolerance: number;
  readonly unit: string;
  /** A {@link measures} and its arguments: names of counts or values, and numbers. */
  readonly measure: readonly (string | number)[];
}

export const targets = known as readonly Target[];

/** A part of a target with its verdict. */
export interface Judged extends Pick<Target, 'number' | 'target' | 'source' | 'mark'>, Omit<Part, 'measure'> {
  /** Undefined if the target cannot be measured. */
  readonly measured?: number;
  /** Addition to the tolerance for a sample of this size. */
  readonly allowance: number;
  readonly verdict: 'met' | 'missed' | 'not run';
  /** Reason for a verdict, if it needs one. */
  readonly note?: string;
}

/** @param days Length of the run. */
export function judge(tally: Tally, days: number): readonly Judged[] {
  return targets.flatMap(({ number, target, source, mark, seen, parts }) =>
    parts.map(({ measure: [kind, ...names], ...part }): Judged => {
      const about = { number, target, source, mark, ...part };
      const measure = measures[kind as string] as Measure;
      const { measured, allowance = 0, note } = measure({ tally, days, ...part }, ...(names as string[]));
      if (measured === undefined || !Number.isFinite(measured)) {
        return { ...about, allowance, verdict: 'not run', note: `nothing to count in ${seen}` };
      }
      const most = part.tolerance + allowance + rounding;
      const isMet = part.unit.endsWith(atMost)
        ? measured <= part.value + most
        : Math.abs(measured - part.value) <= most;
      const verdict = isMet ? 'met' : 'missed';
      return { ...about, measured, allowance, verdict, ...(note !== undefined && { note }) };
    }),
  );
}

const atMost = 'at most';
const rounding = 1e-9;

interface Judging extends Omit<Part, 'measure'> {
  readonly tally: Tally;
  readonly days: number;
}

interface Measured {
  readonly measured?: number | undefined;
  readonly allowance?: number;
  readonly note?: string;
}

type Measure = (judging: Judging, ...names: string[]) => Measured;

const measures: Readonly<Record<string, Measure>> = {
  /** Percent. */
  share({ tally, value }, part, whole) {
    const n = tally.count(whole);
    const p = value / 100;
    return { measured: (100 * tally.count(part)) / n, allowance: 300 * Math.sqrt((p * (1 - p)) / n) };
  },
  /** Occurrences a year and head, times `scale`. */
  rate({ tally, days, value }, counted, heads, scale) {
    const years = (tally.count(heads) * days) / 365;
    const expected = (value / Number(scale)) * years;
    return {
      measured: (Number(scale) * tally.count(counted)) / years,
      allowance: (3 * value) / Math.sqrt(expected),
    };
  },
  ratio({ tally }, one, other) {
    const [a, b] = [tally.count(one), tally.count(other)];
    return { measured: a / b, allowance: 3 * Math.sqrt(1 / a + 1 / b) };
  },
  quotient: ({ tally }, one, other, scale) => ({
    measured: (Number(scale) * tally.count(one)) / tally.count(other),
  }),
  quantile({ tally }, name, share) {
    const values = tally.values(name);
    const p = Number(share);
    const margin = 3 * Math.sqrt((p * (1 - p)) / values.length);
    const [low, high] = [quantile(values, Math.max(0, p - margin)), quantile(values, p + margin)];
    return { measured: quantile(values, p), allowance: (high - low) / 2 };
  },
  mean: ({ tally }, name) => ({ measured: mean(tally.values(name)), allowance: error(tally.values(name)) }),
  /** Mean over median. */
  skew({ tally }, name) {
    const values = tally.values(name);
    const median = quantile(values, 0.5);
    return { measured: mean(values) / median, allowance: error(values) / median };
  },
  largest: ({ tally }, name) => ({ measured: Math.max(...tally.values(name)) }),
  smallest: ({ tally }, name) => ({ measured: Math.min(...tally.values(name)) }),
  /** Percent of all names that the commonest has. */
  commonest({ tally }, names) {
    const counts = tally.group(`${names} `).map(([, count]) => count);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const share = Math.max(...counts) / total;
    return { measured: 100 * share, allowance: 300 * Math.sqrt((share * (1 - share)) / total) };
  },
  /** A later week against the first, in the family of events that differs most. Few events say nothing. */
  steady({ tally }) {
    const families = tally.group('later ').map(([family, later]) => {
      const first = tally.count(`first ${family}`);
      return { note: family, measured: later / (first || 0.5), allowance: 6 / Math.sqrt(first + later) };
    });
    const excess = ({ measured, allowance }: (typeof families)[number]) => Math.abs(measured - 1) - allowance;
    return (
      families
        .filter(({ allowance }) => allowance < 1)
        .sort((one, other) => excess(other) - excess(one))[0] ?? {}
    );
  },
};

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Three standard errors of the mean. */
function error(values: readonly number[]): number {
  const middle = mean(values);
  return (3 * Math.sqrt(mean(values.map((value) => (value - middle) ** 2)))) / Math.sqrt(values.length);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}
