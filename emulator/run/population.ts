import { grouped } from 'busbar/base';
import { type Calendar, type DayPart, london, type OpeningHours } from '../engine/calendar.js';
import { type RandomStream, randomStream } from '../engine/random.js';
import type { Start } from '../engine/simulation.js';
import { dateOf, type Day, day, type Instant, weekday } from '../engine/time.js';
import { timeWithin } from '../engine/time-of-day.js';
import { maxLead, type PlatformScenario } from '../scenarios/define.js';
import { type Household, monthOf } from '../world/billing/payments.js';
import type { Cell } from '../world/cell.js';
import { platformCell } from '../world/identifiers.js';
import { canRunIn, settingOf, eligibleShare } from './cell-kinds.js';
import { buckets } from './shard.js';

export interface Population {
  readonly seed: number;
  readonly start: Instant;
  /** End of the starts. Days that begin later are not drawn. */
  readonly until: Instant;
  /** Number of cells, which are numbered from 1. Cell 0 is the platform. */
  readonly accounts: number;
  /** Scenarios. Those with a rate or a day of the month take part. */
  readonly scenarios: readonly PlatformScenario[];
  /** Whether the cell is played, equal for all cells of a bucket. */
  readonly inShard: (cell: number) => boolean;
  readonly householdIn: (cell: number) => Household;
}

/**
 * Yields the starts of a population's everyday life, for up to a hundred years. Every scenario starts at its daily rate, in
 * eligible cells, spread over day and week as its day part implies. Those of scenarios with a lead begin before the run.
 * Each day is drawn by groups of cells and sorted, so that a shard, or a single cell, draws few others.
 */
export function* populationStarts(
  population: Population,
): Generator<Start<Cell, PlatformScenario>, void, void> {
  const { start, until, scenarios } = population;
  const today = london.dayAt(start);
  // A day begins in London before it begins in Chicago, the platform's other region.
  const last = london.dayAt(Math.min(until, start + maxLength));
  const groups = groupsOf(population);
  const monthly = new Map(
    scenarios
      .filter(({ dayOfMonth }) => dayOfMonth !== undefined)
      .map((scenario) => [scenario, cellsByDay(population, scenario)]),
  );
  const leads = scenarios.map(({ lead = 0 }) => lead);
  const continued = continuedStarts(population, monthly);
  for (let date = today - Math.max(...leads); date <= last; date++) {
    const starts = continued.get(date) ?? [];
    continued.delete(date);
    for (const scenario of scenarios) {
      const { lead = 0 } = scenario;
      if (date < today - lead) continue;
      const calendar = scenario.calendar ?? london;
      const dayPart = scenario.starts ?? 'waking';
      const open = calendar.hours(date, dayPart);
      if (open === undefined) continue;
      const due = { scenario, dayPart, calendar, date, open, dayIndex: date - today + maxLead };
      const cells = monthly.get(scenario)?.[dateOf(date).dayOfMonth];
      if (monthly.has(scenario)) addMonthlyStarts(starts, population, due, cells ?? []);
      else if (scenario.setting === 'platform') addPlatformStarts(starts, population, due);
      else for (const group of groups) addDailyStarts(starts, population, due, group);
    }
    starts.sort((a, b) => a.at - b.at || a.cell - b.cell);
    for (const each of starts) if (each.at >= start || (each.scenario.lead ?? 0) > 0) yield each;
  }
}

/** Maximum length of a population's starts, in milliseconds. */
const maxLength = 100 * 365 * day;

/** A scenario and a day of its starts. */
interface Due {
  readonly scenario: PlatformScenario;
  readonly dayPart: DayPart;
  readonly calendar: Calendar;
  readonly date: Day;
  readonly dayIndex: number;
  /** Start and end of the day part, in milliseconds after local midnight. */
  readonly open: OpeningHours;
}

type Starts = Start<Cell, PlatformScenario>[];

/** Maximum starts of a scenario in one cell on one day. Only the platform's cell has several. */
const startsPerDay = 100;

/** Minimum cells of a group, which share a random stream. Smaller groups would have a stream for few starts. */
const cellsPerGroup = 4096;

/** The cells `first`, `first + apart`, ... of a population. */
interface Group {
  readonly first: number;
  readonly apart: number;
  readonly count: number;
}

/** Returns the difference between neighbouring cells of a group. */
export function distanceInGroup(accounts: number): number {
  let apart = buckets;
  while (apart > 1 && accounts / apart < cellsPerGroup) apart /= 2;
  return apart;
}

/** Returns the groups with played cells. Each group is a set of buckets. */
function groupsOf({ accounts, inShard }: Population): Group[] {
  const apart = distanceInGroup(accounts);
  const remainders = new Set<number>();
  for (let bucket = 0; bucket < buckets; bucket++) if (inShard(bucket)) remainders.add(bucket % apart);
  return [...remainders].map((rest) => {
    const first = rest === 0 ? apart : rest;
    return { first, apart, count: Math.floor((accounts - first) / apart) + 1 };
  });
}

/**
 * Adds the starts of a day in a group of cells. Draws cells regardless of their kind, and more cells by the share that is
 * not eligible, so that the draws don't depend on which cells are played.
 */
function addDailyStarts(starts: Starts, population: Population, due: Due, group: Group): void {
  const { seed, inShard } = population;
  const { scenario, dayPart, date, dayIndex } = due;
  const { first, apart, count } = group;
  const random = randomStream(seed, 'everyday', scenario.name, first, date);
  const expected = ((scenario.rate ?? 0) / 100_000) * count * dayShape(dayPart, date);
  const drawn = occurrences(expected / eligibleShare(scenario.setting), random);
  const used = new Set<number>();
  for (let nth = 0; nth < drawn; nth++) {
    const cell = first + apart * random.integer(0, count - 1);
    const at = timeIn(due, random);
    if (!inShard(cell) || used.has(cell) || !canRunIn(settingOf(seed, cell), scenario.setting)) continue;
    used.add(cell);
    starts.push({ at, cell, scenario, ordinal: dayIndex * startsPerDay + 1, last: false });
  }
}

function addPlatformStarts(starts: Starts, population: Population, due: Due): void {
  const { seed, accounts, inShard } = population;
  const { scenario, dayPart, date, dayIndex } = due;
  if (!inShard(platformCell)) return;
  const random = randomStream(seed, 'everyday', scenario.name, platformCell, date);
  const expected = ((scenario.rate ?? 0) / 100_000) * accounts * dayShape(dayPart, date);
  const count = Math.min(startsPerDay, occurrences(expected, random));
  for (let nth = 1; nth <= count; nth++) {
    const at = timeIn(due, random);
    starts.push({ at, cell: platformCell, scenario, ordinal: dayIndex * startsPerDay + nth, last: false });
  }
}

function addMonthlyStarts(starts: Starts, population: Population, due: Due, cells: Iterable<number>): void {
  const { seed, start } = population;
  const { scenario, date, calendar } = due;
  const [opens, closes] = due.open;
  // The past has no instance of a night in which the run begins.
  const earliest = (scenario.lead ?? 0) > 0 ? opens : Math.max(opens, start - calendar.instantOf(date));
  if (earliest >= closes) return;
  const month = monthOf(date);
  const left: Due = { ...due, open: [earliest, closes] };
  for (const cell of cells) {
    if (!canRunIn(settingOf(seed, cell), scenario.setting)) continue;
    if (scenario.isDue?.({ seed, index: cell }, month) === false) continue;
    const at = timeIn(left, randomStream(seed, 'everyday', scenario.name, cell, date));
    starts.push({ at, cell, scenario, ordinal: month, last: false });
  }
}

/** Returns the starts of what is left of monthly instances from before the run, by day. */
function continuedStarts(
  { seed, start, until, householdIn }: Population,
  monthly: ReadonlyMap<PlatformScenario, readonly Uint32Array[]>,
): Map<Day, Starts> {
  const starts: Starts = [];
  const last = monthOf(london.dayAt(start));
  for (const [scenario, byDay] of monthly) {
    const { continued } = scenario;
    if (continued === undefined) continue;
    // Equal names give the rest the random numbers of the instance.
    const rest = { ...scenario, run: continued.run };
    for (const index of byDay.flatMap((cells) => [...cells])) {
      if (!canRunIn(settingOf(seed, index), scenario.setting)) continue;
      const cell = householdIn(index);
      for (let month = last - monthsContinued; month <= last; month++) {
        const at = continued.at(cell, month);
        if (at === undefined || at >= until) continue;
        starts.push({ at, cell: index, scenario: rest, ordinal: month, last: false });
      }
    }
  }
  return grouped(starts, ({ at }) => london.dayAt(at));
}

/** Number of months before the run's first in which an instance can have begun that is not over. */
const monthsContinued = 3;

/** Returns the played cells by the day of the month on which a scenario starts in them, in four bytes each. */
function cellsByDay({ seed, accounts, inShard }: Population, scenario: PlatformScenario): Uint32Array[] {
  const days = Array.from({ length: 32 }, () => [] as number[]);
  for (let cell = 1; cell <= accounts; cell++) {
    if (!inShard(cell)) continue;
    days[scenario.dayOfMonth?.({ seed, index: cell }) ?? 0]?.push(cell);
  }
  return days.map((cells) => Uint32Array.from(cells));
}

/**
 * Draws a number of rare occurrences with the mean `expected`. Binomial, because Poisson's distribution needs an exponential,
 * which differs between machines.
 */
function occurrences(expected: number, random: RandomStream): number {
  const trials = Math.max(8, Math.ceil(expected * 4));
  let count = 0;
  for (let trial = 0; trial < trials; trial++) if (random.next() * trials < expected) count++;
  return count;
}

/** Returns the traffic of a day, relative to the mean. A rare day part has the traffic of a week or month on one day. */
function dayShape(dayPart: DayPart, date: Day): number {
  switch (dayPart) {
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

function timeIn({ dayPart, calendar, date, open }: Due, random: RandomStream): Instant {
  return calendar.instantOf(date, timeWithin(open, dayPart, random));
}
