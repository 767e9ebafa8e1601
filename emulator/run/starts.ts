import type { Calendar } from '../engine/calendar.js';
import { randomStream } from '../engine/random.js';
import type { Scenario } from '../engine/scenario.js';
import type { Start } from '../engine/simulation.js';
import { day, hour, type Instant } from '../engine/time.js';

export interface InstanceStarts<Cell, S extends Scenario<Cell>> {
  readonly seed: number;
  readonly start: Instant;
  readonly calendar: Calendar;
  readonly scenarios: readonly S[];
  /** Number of instances of each scenario. */
  readonly instances: number;
  /** First cell. Default 1. */
  readonly firstCell?: number;
}

/**
 * Yields the starts of a fixed number of instances of each scenario, each in its own cell (1, 2, ...). The first starts at
 * once, the others at a random time in their hour, or in their share of 28 days if there are more instances than hours.
 */
export function* instanceStarts<Cell, S extends Scenario<Cell>>(
  options: InstanceStarts<Cell, S>,
): Generator<Start<Cell, S>, void, void> {
  const { seed, start, calendar, scenarios, instances } = options;
  const total = instances * scenarios.length;
  const slot = Math.max(1, Math.floor(Math.min(hour, (28 * day) / total)));
  let earliest = start;
  for (let index = 0; index < total; index++) {
    const scenario = scenarios[index % scenarios.length];
    if (scenario === undefined) return;
    const cell = index + (options.firstCell ?? 1);
    const jitter = index === 0 ? 0 : Math.floor(randomStream(seed, cell, 'start').next() * slot);
    const at = (scenario.calendar ?? calendar).next(
      start + index * slot + jitter,
      scenario.starts ?? 'waking',
    );
    // Scenarios with other day parts would otherwise overtake each other.
    earliest = Math.max(earliest, at);
    yield { at: earliest, cell, scenario, ordinal: 1, last: true };
  }
}

/** Merges planned starts with those of inputs. Keeps a cell in memory until its last input. */
export function* withInputs<S extends { readonly at: number; readonly cell: number; readonly last: boolean }>(
  planned: Iterable<S>,
  inputs: readonly S[],
): Generator<S, void, void> {
  const visited = new Set(inputs.map(({ cell }) => cell));
  for (const start of merge(planned, inputs)) {
    yield start.last && visited.has(start.cell) ? { ...start, last: false } : start;
  }
}

/** Merges two sequences by instant. */
export function* merge<T extends { readonly at: number }>(
  one: Iterable<T>,
  other: Iterable<T>,
): Generator<T, void, void> {
  const others = other[Symbol.iterator]();
  let next = others.next();
  for (const each of one) {
    for (; !next.done && next.value.at < each.at; next = others.next()) yield next.value;
    yield each;
  }
  for (; !next.done; next = others.next()) yield next.value;
}

/** Yields the starts before `until` in the played cells. */
export function* played<T extends { readonly at: number; readonly cell: number }>(
  starts: Iterable<T>,
  until: Instant,
  isPlayed: (cell: number) => boolean,
): Generator<T, void, void> {
  for (const start of starts) {
    if (start.at >= until) return;
    if (isPlayed(start.cell)) yield start;
  }
}
