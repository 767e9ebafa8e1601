import { Heap } from 'busbar/base';
import { type Calendar, type DayPart, london } from '../engine/calendar.js';
import { type RandomStream, randomStream } from '../engine/random.js';
import type { Scenario } from '../engine/scenario.js';
import type { Start } from '../engine/simulation.js';
import { day, hour, type Instant } from '../engine/time.js';
import { timeWithin } from '../engine/time-of-day.js';

export interface InstanceStarts<Cell, S extends Scenario<Cell>> {
  readonly seed: number;
  readonly start: Instant;
  readonly scenarios: readonly S[];
  /** Number of instances of each scenario. */
  readonly instances: number;
  /** First cell. Default 1. */
  readonly firstCell?: number;
}

/**
 * Yields the starts of a fixed number of instances of each scenario, each in its own cell (1, 2, ...). The first is due at
 * once, the others at a random time in their hour, or in their share of 28 days if there are more instances than hours. An
 * instance that is due outside its day part starts at a drawn time of the next one.
 */
export function* instanceStarts<Cell, S extends Scenario<Cell>>(
  options: InstanceStarts<Cell, S>,
): Generator<Start<Cell, S>, void, void> {
  const { seed, start, scenarios, instances } = options;
  const total = instances * scenarios.length;
  const slot = Math.max(1, Math.floor(Math.min(hour, (28 * day) / total)));
  const waiting = new Heap<Start<Cell, S>>((one, other) => one.at < other.at);
  for (let index = 0; index < total; index++) {
    const due = start + index * slot;
    // No later instance starts before this one is due.
    while ((waiting.peek()?.at ?? due) < due) yield waiting.pop() as Start<Cell, S>;
    const scenario = scenarios[index % scenarios.length] as S;
    const cell = index + (options.firstCell ?? 1);
    const random = randomStream(seed, cell, 'start');
    const jitter = index === 0 ? 0 : Math.floor(random.next() * slot);
    const at = startTime(due + jitter, scenario.calendar ?? london, scenario.starts ?? 'waking', random);
    waiting.push({ at, cell, scenario, ordinal: 1, last: true });
  }
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) yield next;
}

/** Returns `due` if it is within the day part, else a drawn time of the next. */
function startTime(due: Instant, calendar: Calendar, dayPart: DayPart, random: RandomStream): Instant {
  const opens = calendar.next(due, dayPart);
  const date = calendar.dayAt(opens);
  const hours = opens === due ? undefined : calendar.hours(date, dayPart);
  return hours === undefined ? due : calendar.instantOf(date, timeWithin(hours, dayPart, random));
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
