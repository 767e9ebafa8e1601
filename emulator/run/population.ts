import { type Calendar, london, type Window } from '../engine/calendar.js';
import { hash32, type RandomStream, randomStream } from '../engine/random.js';
import type { Start } from '../engine/simulation.js';
import { dateOf, type Day, hour, type Instant, weekday } from '../engine/time.js';
import type { PlatformScenario } from '../scenarios/define.js';
import type { Cell, Setting } from '../world/cell.js';
import { bucketOf, buckets } from './shard.js';

export interface Population {
  readonly seed: number;
  readonly start: Instant;
  /** Cells 1 to this number; cell 0 is the platform itself. */
  readonly accounts: number;
  /** Those with a rate, or a day of the month, take part. */
  readonly scenarios: readonly PlatformScenario[];
  /** Which cells are wanted: others are not even drawn. */
  readonly inShard: (cell: number) => boolean;
}

/**
 * The everyday life of a population: every scenario starts at its daily rate, in cells that it fits, with the shape of
 * day and week that its window has. Endless. The starts of a day are drawn bucket by bucket, so that a shard draws its
 * own and no others; whole days are drawn at a time, and sorted.
 */
export function* populationStarts(
  population: Population,
): Generator<Start<Cell, PlatformScenario>, void, void> {
  const { start, scenarios, inShard } = population;
  const today = london.dayAt(start);
  const wanted = Array.from({ length: buckets }, (_, bucket) => bucket).filter(inShard);
  for (let date = today; ; date++) {
    const starts: Start<Cell, PlatformScenario>[] = [];
    for (const scenario of scenarios) {
      const calendar = scenario.calendar ?? london;
      const open = calendar.hours(date, scenario.starts ?? 'waking');
      if (open === undefined) continue;
      const due = { scenario, calendar, date, open, dayIndex: date - today };
      if (scenario.dayOfMonth !== undefined)
        for (const start of monthlyStarts(population, due)) starts.push(start);
      else for (const bucket of wanted) starts.push(...dailyStarts(population, due, bucket));
    }
    yield* starts.filter(({ at }) => at >= start).sort((a, b) => a.at - b.at || a.cell - b.cell);
  }
}

/** What kind of cell stands at that number of a population. */
export function settingOf(seed: number, cell: number): Setting {
  if (cell === 0) return 'platform';
  const share = hash32(seed, cell, 'setting') / 2 ** 32;
  let least = 0;
  for (const [setting, part] of Object.entries(settingShares)) {
    least += part;
    if (share < least) return setting as Setting;
  }
  return 'household';
}

const settingShares = { newcomer: 0.02, dormant: 0.03, business: 0.05, texas: 0.02 } as const satisfies {
  [S in Setting]?: number;
};

/** A scenario that is to start on a day. */
interface Due {
  readonly scenario: PlatformScenario;
  readonly calendar: Calendar;
  readonly date: Day;
  readonly dayIndex: number;
  /** Milliseconds after local midnight between which it may start. */
  readonly open: readonly [from: number, to: number];
}

/** Starts a scenario may have in one cell on one day: the platform's own cell has several. */
const startsPerDay = 100;

function* dailyStarts(
  population: Population,
  due: Due,
  bucket: number,
): Generator<Start<Cell, PlatformScenario>> {
  const { seed, accounts } = population;
  const { scenario, date, dayIndex } = due;
  const cells = cellsIn(bucket, accounts, scenario.setting === 'platform');
  if (cells.count === 0) return;
  const random = randomStream(seed, 'everyday', scenario.name, bucket, date);
  const reached = scenario.setting === 'platform' ? accounts : cells.count;
  const expected = ((scenario.rate ?? 0) / 100_000) * reached * dayShape(scenario.starts ?? 'waking', date);
  const count = occurrences(expected, random);
  const taken = new Map<number, number>();
  for (let drawn = 0; drawn < count; drawn++) {
    const cell = drawCell(seed, cells, scenario.setting, random);
    if (cell === undefined) continue;
    const nth = taken.get(cell) ?? 0;
    taken.set(cell, nth + 1);
    if (nth > 0 && cell !== 0) continue;
    const at = timeIn(due, random);
    yield { at, cell, scenario, ordinal: dayIndex * startsPerDay + nth + 1, last: false };
  }
}

function* monthlyStarts(population: Population, due: Due): Generator<Start<Cell, PlatformScenario>> {
  const { seed, accounts, inShard } = population;
  const { scenario, date, dayIndex } = due;
  const { dayOfMonth } = dateOf(date);
  for (let cell = 1; cell <= accounts; cell++) {
    if (!inShard(cell) || scenario.dayOfMonth?.({ seed, index: cell }) !== dayOfMonth) continue;
    if (!fits(settingOf(seed, cell), scenario.setting)) continue;
    const at = timeIn(due, randomStream(seed, 'everyday', scenario.name, cell, date));
    yield { at, cell, scenario, ordinal: dayIndex * startsPerDay + 1, last: false };
  }
}

interface Cells {
  readonly first: number;
  readonly count: number;
}

/** The cells of a bucket are `first`, `first + buckets`, ...; the platform's is number 0. */
function cellsIn(bucket: number, accounts: number, platform: boolean): Cells {
  if (platform) return { first: 0, count: bucket === bucketOf(0) ? 1 : 0 };
  const first = bucket === 0 ? buckets : bucket;
  return { first, count: first > accounts ? 0 : Math.floor((accounts - first) / buckets) + 1 };
}

/** A cell that the scenario fits; undefined where there seems to be none, as in a small population. */
function drawCell(
  seed: number,
  { first, count }: Cells,
  setting: Setting | undefined,
  random: RandomStream,
): number | undefined {
  for (let tries = 0; tries < 100; tries++) {
    const cell = first + buckets * random.integer(0, count - 1);
    if (fits(settingOf(seed, cell), setting)) return cell;
  }
  return undefined;
}

/** Whether what plays in a `wanted` cell can play in that one. */
export function fits(cell: Setting, wanted: Setting = 'household'): boolean {
  const isHousehold = cell === 'household' || cell === 'newcomer' || cell === 'dual-fuel';
  return cell === wanted || (isHousehold && (wanted === 'household' || wanted === 'dual-fuel'));
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

function timeIn({ scenario, calendar, date, open: [from, to] }: Due, random: RandomStream): Instant {
  if ((scenario.starts ?? 'waking') !== 'waking') {
    return calendar.instantOf(date, from + Math.floor(random.next() * (to - from)));
  }
  return calendar.instantOf(
    date,
    Number(random.weighted(wakingHours)) * hour + Math.floor(random.next() * hour),
  );
}
