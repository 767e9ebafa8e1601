/** One measured figure: a ratio, unless it has a `unit`. `target` is the upper bound. */
export interface Measured {
  readonly case: string;
  readonly ratio: number;
  /** Bound of the figure; none for a figure that only explains others. */
  readonly target?: number;
  /** Unit of a figure that isn't a ratio. */
  readonly unit?: string;
  /** Whether the target is a lower bound. Default false. */
  readonly atLeast?: boolean;
  /** The figure over time, in seconds. */
  readonly course?: readonly (readonly [seconds: number, figure: number])[];
}

/** Whether a figure meets its target; undefined without one. */
export function isMet({ ratio, target, atLeast = false }: Measured): boolean | undefined {
  if (target === undefined) return undefined;
  return atLeast ? ratio >= target : ratio <= target;
}

/** Returns a figure and its target as text. */
export function textOf({ ratio, target, unit = '', atLeast = false }: Measured): {
  readonly figure: string;
  readonly bound: string;
} {
  const text = (figure: number) => `${figure.toFixed(unit === '' ? 2 : 1)} ${unit}`.trimEnd();
  return {
    figure: text(ratio),
    bound: target === undefined ? '' : `${atLeast ? '>=' : '<='} ${text(target)}`,
  };
}

/** The export `measure` of a file `bench/<name>.bench.ts`. */
export type Measure = (options: MeasureOptions) => AsyncIterable<Measured>;

export interface MeasureOptions {
  /** Duration of a benchmark without an end of its own, in milliseconds. */
  readonly duration?: number | undefined;
}

const rounds = 45;

/**
 * Returns the times that the functions report, relative to the time of `floor`: the median of the ratios of each round.
 * The functions alternate, so that all see the same load.
 */
export function ratiosTo<Name extends string>(
  floor: () => number,
  candidates: Readonly<Record<Name, () => number>>,
): Record<Name, number> {
  const names = Object.keys(candidates) as Name[];
  const seen = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  const warmUps = 3;
  for (let round = -warmUps; round < rounds; round++) {
    const floorTime = floor();
    // The order alternates, so that none always runs after the same neighbour.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const ratio = candidates[name]() / floorTime;
      if (round >= 0) seen[name].push(ratio);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(seen[name])])) as Record<Name, number>;
}

/** Returns the duration of a call, in milliseconds. */
export function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((sorted[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}
