import { type Calendar, london, type Window } from '../engine/calendar.js';
import { type RandomStream, randomStream } from '../engine/random.js';
import type { Start } from '../engine/simulation.js';
import { dateOf, type Day, day, hour, type Instant, weekday } from '../engine/time.js';
import type { PlatformScenario } from '../scenarios/define.js';
import type { Cell } from '../world/cell.js';
import { platformCell } from '../world/identifiers.js';
import { fits, settingOf, shareFitting } from './cell-settings.js';
import { buckets } from './shard.js';

export interface Population {
  readonly seed: number;
  readonly start: Instant;
  /** Days that begin after this instant are not drawn. */
  readonly until: Instant;
  /** Cells 1 to this number; cell 0 is the platform itself. */
  readonly accounts: number;
  /** Those with a rate, or a day of the month, take part. */
  readonly scenarios: readonly PlatformScenario[];
  /** Which cells are wanted: what it says of a cell it says of its bucket. */
  readonly inShard: (cell: number) => boolean;
}

/**
 * The everyday life of a population: every scenario starts at its daily rate, in cells that it fits, with the shape of
 * day and week that its window has, for a hundred years at most: also where nothing fits any of the cells, there is an
 * end. The starts of a day are drawn group of cells by group, so that a shard, or the history of one cell, draws few of
 * the others; whole days are drawn at a time, and sorted.
 */
export function* populationStarts(
  population: Population,
): Generator<Start<Cell, PlatformScenario>, void, void> {
  const { start, until, scenarios } = population;
  const today = london.dayAt(start);
  // A day begins in London before it begins in Chicago, the other place of the platform.
  const last = london.dayAt(Math.min(until, start + longest));
  const groups = groupsOf(population);
  const monthly = new Map(
    scenarios
      .filter(({ dayOfMonth }) => dayOfMonth !== undefined)
      .map((scenario) => [scenario, cellsByDay(population, scenario)]),
  );
  for (let date = today; date <= last; date++) {
    const starts: Start<Cell, PlatformScenario>[] = [];
    for (const scenario of scenarios) {
      const calendar = scenario.calendar ?? london;
      const window = scenario.starts ?? 'waking';
      const open = calendar.hours(date, window);
      if (open === undefined) continue;
      const due = { scenario, window, calendar, date, open, dayIndex: date - today };
      const cells = monthly.get(scenario)?.[dateOf(date).dayOfMonth];
      if (monthly.has(scenario)) addMonthlyStarts(starts, population, due, cells ?? []);
      else if (scenario.setting === 'platform') addPlatformStarts(starts, population, due);
      else for (const group of groups) addDailyStarts(starts, population, due, group);
    }
    starts.sort((a, b) => a.at - b.at || a.cell - b.cell);
    for (const each of starts) if (each.at >= start) yield each;
  }
}

/** The life of a population, in milliseconds. */
const longest = 100 * 365 * day;

/** A scenario that is to start on a day. */
interface Due {
  readonly scenario: PlatformScenario;
  readonly window: Window;
  readonly calendar: Calendar;
  readonly date: Day;
  readonly dayIndex: number;
  /** Milliseconds after local midnight between which it may start. */
  readonly open: readonly [from: number, to: number];
}

type Starts = Start<Cell, PlatformScenario>[];

/** Starts a scenario may have in one cell on one day: the platform's own cell has several. */
const startsPerDay = 100;

/** Cells that are drawn for together, as long as there are more: fewer cost a stream for hardly any start. */
const cellsPerGroup = 4096;

/** The cells `first`, `first + apart`, ... of a population. */
interface Group {
  readonly first: number;
  readonly apart: number;
  readonly count: number;
}

/** The groups that have cells which are wanted: each is a set of buckets. */
function groupsOf({ accounts, inShard }: Population): Group[] {
  let apart = buckets;
  while (apart > 1 && accounts / apart < cellsPerGroup) apart /= 2;
  const wanted = new Set<number>();
  for (let bucket = 0; bucket < buckets; bucket++) if (inShard(bucket)) wanted.add(bucket % apart);
  return [...wanted].map((rest) => {
    const first = rest === 0 ? apart : rest;
    return { first, apart, count: Math.floor((accounts - first) / apart) + 1 };
  });
}

/**
 * Cells are drawn without looking at them, and more of them by as many as will turn out not to fit: so the draws do not
 * depend on which cells of the group are wanted.
 */
function addDailyStarts(starts: Starts, population: Population, due: Due, group: Group): void {
  const { seed, inShard } = population;
  const { scenario, window, date, dayIndex } = due;
  const { first, apart, count } = group;
  const random = randomStream(seed, 'everyday', scenario.name, first, date);
  const expected = ((scenario.rate ?? 0) / 100_000) * count * dayShape(window, date);
  const drawn = occurrences(expected / shareFitting(scenario.setting), random);
  const taken = new Set<number>();
  for (let nth = 0; nth < drawn; nth++) {
    const cell = first + apart * random.integer(0, count - 1);
    const at = timeIn(due, random);
    if (!inShard(cell) || taken.has(cell) || !fits(settingOf(seed, cell), scenario.setting)) continue;
    taken.add(cell);
    starts.push({ at, cell, scenario, ordinal: dayIndex * startsPerDay + 1, last: false });
  }
}

function addPlatformStarts(starts: Starts, population: Population, due: Due): void {
  const { seed, accounts, inShard } = population;
  const { scenario, window, date, dayIndex } = due;
  if (!inShard(platformCell)) return;
  const random = randomStream(seed, 'everyday', scenario.name, platformCell, date);
  const expected = ((scenario.rate ?? 0) / 100_000) * accounts * dayShape(window, date);
  const count = Math.min(startsPerDay, occurrences(expected, random));
  for (let nth = 1; nth <= count; nth++) {
    const at = timeIn(due, random);
    starts.push({ at, cell: platformCell, scenario, ordinal: dayIndex * startsPerDay + nth, last: false });
  }
}

function addMonthlyStarts(starts: Starts, { seed }: Population, due: Due, cells: Iterable<number>): void {
  const { scenario, date, dayIndex } = due;
  for (const cell of cells) {
    if (!fits(settingOf(seed, cell), scenario.setting)) continue;
    const at = timeIn(due, randomStream(seed, 'everyday', scenario.name, cell, date));
    starts.push({ at, cell, scenario, ordinal: dayIndex * startsPerDay + 1, last: false });
  }
}

/**
 * The cells in which a scenario starts on each day of a month, if it fits them, four bytes for each: asked once instead
 * of every day.
 */
function cellsByDay({ seed, accounts, inShard }: Population, scenario: PlatformScenario): Uint32Array[] {
  const days = Array.from({ length: 32 }, () => [] as number[]);
  for (let cell = 1; cell <= accounts; cell++) {
    if (!inShard(cell)) continue;
    days[scenario.dayOfMonth?.({ seed, index: cell }) ?? 0]?.push(cell);
  }
  return days.map((cells) => Uint32Array.from(cells));
}

/**
 * How many of many rare things happen when `expected` do on average: a binomial draw, near enough to Poisson's and
 * without its exponential, which is not the same on every machine.
 */
function occurrences(expected: number, random: RandomStream): number {
  const trials = Math.max(8, Math.ceil(expected * 4));
  let count = 0;
  for (let trial = 0; trial < trials; trial++) if (random.next() * trials < expected) count++;
  return count;
}

/** How busy a day is, so that a window that opens seldom does on that day what others do over the week or month. */
function dayShape(window: Window, date: Day): number {
  switch (window) {
    case 'waking':
    case 'daytime':
    case 'evening': {
      const ofWeek = weekday(date) === 0 ? 0.8 : weekday(date) === 1 ? 1.1 : 1.02;
      return dateOf(date).dayOfMonth === 1 ? ofWeek * 1.3 : ofWeek;
    }
    case 'office':
      return weekday(date) === 6 ? 0.5 : 1.3;
    case 'working-day':
    case 'working-morning':
    case 'industry':
    case 'evening-batch':
      return 1.4;
    case 'month-start-night':
    case 'month-start-working-night':
      return 30.4;
    case 'night':
      return 1;
  }
}

/** Relative traffic of the hours from 7 to 22: before work, lunch, and most of all the evening. */
const wakingHours = Object.fromEntries(
  [4, 8, 6, 5, 5, 7, 7, 5, 5, 5, 6, 8, 11, 12, 11, 7].map((weight, index) => [String(7 + index), weight]),
);

function timeIn({ window, calendar, date, open: [from, to] }: Due, random: RandomStream): Instant {
  if (window !== 'waking') {
    return calendar.instantOf(date, from + Math.floor(random.next() * (to - from)));
  }
  return calendar.instantOf(
    date,
    Number(random.weighted(wakingHours)) * hour + Math.floor(random.next() * hour),
  );
}
