/** One measured figure. A ratio unless `unit` says otherwise; `target` is what it should not exceed. */
export interface Measured {
  readonly case: string;
  readonly ratio: number;
  /** None for a figure that others are read with. */
  readonly target?: number;
  /** For figures that are no ratio. */
  readonly unit?: string;
  /** Whether the target is a lower bound. Default false. */
  readonly atLeast?: boolean;
}

/** What a file `bench/<name>.bench.ts` exports as `measure`. */
export type Measure = () => AsyncIterable<Measured>;

const rounds = 45;

/**
 * The time that each function says it took over that of `floor`, measured in turns so that all see the same machine:
 * median over the rounds of the ratio within the round.
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

/** Milliseconds that a call takes. */
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
