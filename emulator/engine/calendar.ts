import { memoized } from 'busbar/base';
import { dateOf, type Day, day, dayOf, hour, type Instant, minute, weekday, yearOf } from './time.js';

/**
 * Clock, working days and day parts of a region. Computed from rules instead of the runtime's time zone data, which differ
 * between versions of Node.
 */
export interface Calendar {
  /** Returns the local day of an instant. */
  dayAt(at: Instant): Day;
  /** Returns the instant of a local time. @param timeOfDay Milliseconds after midnight by the local clock. Default 0. */
  instantOf(date: Day, timeOfDay?: number): Instant;
  /** Whether the day is from Monday to Friday and not a public holiday. */
  isWorkingDay(date: Day): boolean;
  /** Returns the `count`-th working day after `date`. */
  addWorkingDays(date: Day, count: number): Day;
  /** Returns the start and end of the day part on that day, in milliseconds after midnight, or undefined if it has none. */
  hours(date: Day, dayPart: DayPart): OpeningHours | undefined;
  /** Returns `at` if it is within the day part, else the next start of the day part. */
  next(at: Instant, dayPart: DayPart): Instant;
}

/**
 * A recurring part of the day:
 *
 * - `working-day`: working days 08:00 to 18:00
 * - `office`: Monday to Friday 08:00 to 18:00 and Saturday 09:00 to 15:00, without bank holidays
 * - `night`: 00:30 to 05:00, any day
 * - `working-morning`: working days 06:00 to 10:00
 * - `industry`: working days 06:00 to 20:00, messages of networks and market operators
 * - `evening-batch`: working days 20:00 to 23:30, migration of accounts
 * - `waking`: 07:00 to 23:00, any day: activity on the web
 * - `daytime`: 08:00 to 20:00, any day: staffed chat
 * - `evening`: 17:00 to 22:00, any day: cars return home
 * - `month-start-night`: 00:30 to 05:00 on the first day of a month
 * - `month-start-working-night`: 00:30 to 05:00 on the first working day of a month
 */
export type DayPart = keyof typeof dayParts;

/** Time zone, holidays and opening hours of a region. */
interface CalendarRegion {
  /** Local time minus UTC in winter, in milliseconds. Summer time is one hour more. */
  readonly winterOffset: number;
  /** Returns start and end of summer time in a year. */
  summer(year: number): { readonly begins: Instant; readonly ends: Instant };
  /** Returns the days of a year on which offices are closed. */
  holidays(year: number): ReadonlySet<Day>;
  /** Day parts with other hours than in Great Britain. */
  readonly hours?: Partial<Record<DayPart, Hours>>;
}

/** Returns the calendar of a region in the northern hemisphere, with summer time within one year. */
export function calendarOf(region: CalendarRegion): Calendar {
  // A run needs few years, very often.
  const summers = memoized((year: number) => region.summer(year));
  const holidays = memoized((year: number) => region.holidays(year));
  const offset = (at: Instant) => {
    const { begins, ends } = summers(yearOf(Math.floor(at / day)));
    return at >= begins && at < ends ? region.winterOffset + hour : region.winterOffset;
  };
  const isWorkingDay = (date: Day) => weekday(date) % 6 !== 0 && !holidays(yearOf(date)).has(date);
  /** Whether the date is the first day, or the first working day, of its month. */
  const isFirst = (date: Day, of: 'day' | 'working-day') => {
    const { year, month } = dateOf(date);
    let first = dayOf(year, month, 1);
    while (of === 'working-day' && !isWorkingDay(first)) first++;
    return date === first;
  };
  const openingHours = (date: Day, dayPart: DayPart): OpeningHours | undefined => {
    const hours: Hours = region.hours?.[dayPart] ?? dayParts[dayPart];
    if ('daily' in hours) return hours.daily;
    if ('monthly' in hours) return isFirst(date, hours.first) ? hours.monthly : undefined;
    if (weekday(date) === 0 || holidays(yearOf(date)).has(date)) return undefined;
    return weekday(date) === 6 ? hours.saturdays : hours.workingDays;
  };

  return {
    dayAt: (at) => Math.floor((at + offset(at)) / day),
    instantOf(date, timeOfDay = 0) {
      const winter = date * day + timeOfDay - region.winterOffset;
      // The hour that spring skips reads one hour later. Of the hour that autumn repeats, the first counts.
      const summer = winter - hour;
      return offset(summer) === region.winterOffset ? winter : summer;
    },
    isWorkingDay,
    hours: openingHours,
    addWorkingDays(date, count) {
      let result = date;
      for (let left = count; left > 0; ) {
        result++;
        if (isWorkingDay(result)) left--;
      }
      return result;
    },
    next(at, dayPart) {
      for (let date = this.dayAt(at); ; date++) {
        const hours = openingHours(date, dayPart);
        if (hours === undefined) continue;
        if (at < this.instantOf(date, hours[1])) return Math.max(at, this.instantOf(date, hours[0]));
      }
    },
  };
}

/** Start and end, in milliseconds after local midnight. */
export type OpeningHours = readonly [from: number, to: number];

/** Hours of a day part: every day, once a month, or on working days with optional hours on Saturdays. */
type Hours =
  | { readonly daily: OpeningHours }
  | { readonly monthly: OpeningHours; readonly first: 'day' | 'working-day' }
  | { readonly workingDays: OpeningHours; readonly saturdays?: OpeningHours };

const dayParts = {
  'working-day': { workingDays: [8 * hour, 18 * hour] },
  office: { workingDays: [8 * hour, 18 * hour], saturdays: [9 * hour, 15 * hour] },
  night: { daily: [30 * minute, 5 * hour] },
  'working-morning': { workingDays: [6 * hour, 10 * hour] },
  industry: { workingDays: [6 * hour, 20 * hour] },
  'evening-batch': { workingDays: [20 * hour, 23 * hour + 30 * minute] },
  waking: { daily: [7 * hour, 23 * hour] },
  daytime: { daily: [8 * hour, 20 * hour] },
  evening: { daily: [17 * hour, 22 * hour] },
  'month-start-night': { monthly: [30 * minute, 5 * hour], first: 'day' },
  'month-start-working-night': { monthly: [30 * minute, 5 * hour], first: 'working-day' },
} as const satisfies Record<string, Hours>;

/** Great Britain: Europe/London clocks, bank holidays of England and Wales. */
export const london: Calendar = calendarOf({
  winterOffset: 0,
  /** Summer time from the last Sunday of March to the last Sunday of October, 01:00 UTC (Directive 2000/84/EC). */
  summer: (year) => ({
    begins: lastOf(sunday, year, 3) * day + hour,
    ends: lastOf(sunday, year, 10) * day + hour,
  }),
  holidays: bankHolidays,
});

/** Default virtual start time, in milliseconds since the epoch: Monday 2 March 2026, 09:00 in London. */
export const defaultStart = Date.UTC(2026, 2, 2, 9);

/** Texas: America/Chicago clocks, holidays of the North American electricity market, offices from 08:00 to 17:00. */
export const chicago: Calendar = calendarOf({
  winterOffset: -6 * hour,
  /** Summer time from the second Sunday of March to the first Sunday of November, 02:00 by the clock (15 U.S.C. 260a). */
  summer: (year) => ({
    begins: firstOf(sunday, year, 3, 8) * day + 8 * hour,
    ends: firstOf(sunday, year, 11) * day + 7 * hour,
  }),
  holidays: marketHolidays,
  hours: {
    'working-day': { workingDays: [8 * hour, 17 * hour] },
    office: { workingDays: [8 * hour, 17 * hour] },
  },
});

/** Returns the bank holidays of England and Wales. A fixed holiday on a weekend moves to the next free weekday. */
function bankHolidays(year: number): ReadonlySet<Day> {
  const easter = easterSunday(year);
  const holidays = new Set([
    easter - 2,
    easter + 1,
    firstOf(monday, year, 5),
    lastOf(monday, year, 5),
    lastOf(monday, year, 8),
  ]);
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

/**
 * Returns the six holidays of the North American electricity market (NERC): New Year, Memorial Day, Independence Day, Labor
 * Day, Thanksgiving, Christmas. A fixed holiday on a Sunday moves to Monday.
 */
function marketHolidays(year: number): ReadonlySet<Day> {
  const fixed = [dayOf(year, 1, 1), dayOf(year, 7, 4), dayOf(year, 12, 25)];
  return new Set([
    ...fixed.map((date) => (weekday(date) === 0 ? date + 1 : date)),
    lastOf(monday, year, 5),
    firstOf(monday, year, 9),
    firstOf(thursday, year, 11) + 21,
  ]);
}

const sunday = 0;
const monday = 1;
const thursday = 4;

/** Returns the first of a weekday in a month, on or after its day `from`. */
function firstOf(wanted: number, year: number, month: number, from = 1): Day {
  const earliest = dayOf(year, month, from);
  return earliest + ((wanted - weekday(earliest) + 7) % 7);
}

function lastOf(wanted: number, year: number, month: number): Day {
  const end = dayOf(year, month + 1, 1) - 1;
  return end - ((weekday(end) - wanted + 7) % 7);
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
