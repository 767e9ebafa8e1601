import { type Day, day, dayOf, hour, type Instant, minute, weekday, yearOf } from './time.js';

/**
 * When things happen in a place: its clock, its working days, and the windows in which offices, night batches and
 * people are active. Computed from rules, never from the zone data of the runtime, which differ between versions.
 */
export interface Calendar {
  /** The local day that an instant falls on. */
  dayAt(at: Instant): Day;
  /** The instant of a local time of day, in milliseconds after local midnight as clocks show it. */
  instantOf(date: Day, timeOfDay?: number): Instant;
  /** Monday to Friday, bank holidays aside. */
  isWorkingDay(date: Day): boolean;
  /** The `count`-th working day after `date`. */
  addWorkingDays(date: Day, count: number): Day;
  /** `at` itself when it lies in the window, else the moment when the window next opens. */
  next(at: Instant, window: Window): Instant;
}

/**
 * - `working-day`: working days 08:00 to 18:00
 * - `office`: Monday to Friday 08:00 to 18:00 and Saturday 09:00 to 15:00, bank holidays aside
 * - `night`: 00:30 to 05:00, any day
 * - `working-morning`: working days 06:00 to 10:00
 * - `waking`: 07:00 to 23:00, any day: what people do on the web
 * - `daytime`: 08:00 to 20:00, any day: when somebody answers a chat
 * - `evening`: 17:00 to 22:00, any day: when cars come home
 */
export type Window =
  | 'working-day'
  | 'office'
  | 'night'
  | 'working-morning'
  | 'waking'
  | 'daytime'
  | 'evening';

/** Great Britain: Europe/London clocks, bank holidays of England and Wales. */
export const london: Calendar = {
  dayAt: (at) => Math.floor((at + londonOffset(at)) / day),
  instantOf(date, timeOfDay = 0) {
    const asIfUtc = date * day + timeOfDay;
    // The hour that spring skips reads one hour later; of the hour that autumn repeats, the first is meant.
    const summer = asIfUtc - hour;
    return londonOffset(summer) === hour ? summer : asIfUtc;
  },
  isWorkingDay: (date) => weekday(date) % 6 !== 0 && !bankHolidays(yearOf(date)).has(date),
  addWorkingDays(date, count) {
    let result = date;
    for (let left = count; left > 0; ) {
      result++;
      if (london.isWorkingDay(result)) left--;
    }
    return result;
  },
  next(at, window) {
    for (let date = london.dayAt(at); ; date++) {
      const hours = openingHours(date, window);
      if (hours === undefined) continue;
      if (at < london.instantOf(date, hours[1])) return Math.max(at, london.instantOf(date, hours[0]));
    }
  },
};

type OpeningHours = readonly [from: number, to: number];

function openingHours(date: Day, window: Window): OpeningHours | undefined {
  switch (window) {
    case 'night':
      return [30 * minute, 5 * hour];
    case 'waking':
      return [7 * hour, 23 * hour];
    case 'daytime':
      return [8 * hour, 20 * hour];
    case 'evening':
      return [17 * hour, 22 * hour];
    case 'working-day':
      return london.isWorkingDay(date) ? [8 * hour, 18 * hour] : undefined;
    case 'working-morning':
      return london.isWorkingDay(date) ? [6 * hour, 10 * hour] : undefined;
    case 'office':
      if (london.isWorkingDay(date)) return [8 * hour, 18 * hour];
      return weekday(date) === 6 && !bankHolidays(yearOf(date)).has(date) ? [9 * hour, 15 * hour] : undefined;
  }
}

/** Summer time runs from the last Sunday of March to the last Sunday of October, 01:00 UTC (Directive 2000/84/EC). */
function londonOffset(at: Instant): number {
  const year = yearOf(Math.floor(at / day));
  const begins = lastSunday(year, 3) * day + hour;
  const ends = lastSunday(year, 10) * day + hour;
  return at >= begins && at < ends ? hour : 0;
}

function lastSunday(year: number, month: number): Day {
  const end = dayOf(year, month + 1, 1) - 1;
  return end - weekday(end);
}

const holidaysByYear = new Map<number, ReadonlySet<Day>>();

function bankHolidays(year: number): ReadonlySet<Day> {
  let holidays = holidaysByYear.get(year);
  if (holidays === undefined) {
    holidays = computeBankHolidays(year);
    holidaysByYear.set(year, holidays);
  }
  return holidays;
}

/** The rule for England and Wales; a fixed holiday on a weekend moves to the next free weekday. */
function computeBankHolidays(year: number): ReadonlySet<Day> {
  const easter = easterSunday(year);
  const firstMonday = (month: number) => {
    const first = dayOf(year, month, 1);
    return first + ((8 - weekday(first)) % 7);
  };
  const lastMonday = (month: number) => {
    const end = dayOf(year, month + 1, 1) - 1;
    return end - ((weekday(end) + 6) % 7);
  };
  const holidays = new Set([easter - 2, easter + 1, firstMonday(5), lastMonday(5), lastMonday(8)]);
  for (const [month, dayOfMonth] of [
    [1, 1],
    [12, 25],
    [12, 26],
  ] as const) {
    let observed = dayOf(year, month, dayOfMonth);
    while (weekday(observed) % 6 === 0 || holidays.has(observed)) observed++;
    holidays.add(observed);
  }
  return holidays;
}

/** Anonymous Gregorian computus (Meeus, Jones, Butcher). */
function easterSunday(year: number): Day {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const e = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - d - (c % 4)) % 7;
  const f = d + e - 7 * Math.floor((a + 11 * d + 22 * e) / 451) + 114;
  return dayOf(year, Math.floor(f / 31), (f % 31) + 1);
}
