import { bankHolidays, marketHolidays } from './holidays.js';
import { dateOf, type Day, day, dayOf, hour, type Instant, minute, weekday, yearOf } from './time.js';

/**
 * When things happen in a place: its clock, its working days, and the windows in which offices, night batches and
 * people are active. Computed from rules, never from the zone data of the runtime, which differ between versions.
 */
export interface Calendar {
  /** The local day that an instant falls on. */
  dayAt(at: Instant): Day;
  /** The instant of a local time of day, in milliseconds after local midnight as clocks show it. */
  instantOf(date: Day, timeOfDay?: number): Instant;
  /** Monday to Friday, public holidays aside. */
  isWorkingDay(date: Day): boolean;
  /** The `count`-th working day after `date`. */
  addWorkingDays(date: Day, count: number): Day;
  /** When the window opens and closes on that day, in milliseconds after local midnight; undefined when it does not. */
  hours(date: Day, window: Window): OpeningHours | undefined;
  /** `at` itself when it lies in the window, else the moment when the window next opens. */
  next(at: Instant, window: Window): Instant;
}

/**
 * - `working-day`: working days 08:00 to 18:00
 * - `office`: Monday to Friday 08:00 to 18:00 and Saturday 09:00 to 15:00, bank holidays aside
 * - `night`: 00:30 to 05:00, any day
 * - `working-morning`: working days 06:00 to 10:00
 * - `industry`: working days 06:00 to 20:00, when networks and market operators send their messages
 * - `evening-batch`: working days 20:00 to 23:30, when accounts are migrated
 * - `waking`: 07:00 to 23:00, any day: what people do on the web
 * - `daytime`: 08:00 to 20:00, any day: when somebody answers a chat
 * - `evening`: 17:00 to 22:00, any day: when cars come home
 * - `month-start-night`: 00:30 to 05:00 on the first day of a month
 * - `month-start-working-night`: 00:30 to 05:00 on the first working day of a month
 */
export type Window = keyof typeof windows;

/** What tells the calendar of one place from that of another. */
export interface Place {
  /** Local time minus UTC in winter, in milliseconds; in summer it is one hour more. */
  readonly winterOffset: number;
  /** The instants of a year between which it is summer. */
  summer(year: number): { readonly begins: Instant; readonly ends: Instant };
  /** Days of a year on which offices are closed. */
  holidays(year: number): ReadonlySet<Day>;
  /** Windows whose hours are others here than in Great Britain. */
  readonly hours?: Partial<Record<Window, Hours>>;
}

/** The calendar of a place north of the equator, where summer time lies within one year. */
export function calendarOf(place: Place): Calendar {
  const summers = perYear((year) => place.summer(year));
  const holidays = perYear((year) => place.holidays(year));
  const offset = (at: Instant) => {
    const { begins, ends } = summers(yearOf(Math.floor(at / day)));
    return at >= begins && at < ends ? place.winterOffset + hour : place.winterOffset;
  };
  const isWorkingDay = (date: Day) => weekday(date) % 6 !== 0 && !holidays(yearOf(date)).has(date);
  /** Whether the day begins a month, or is the first of its working days. */
  const isFirst = (date: Day, of: 'day' | 'working-day') => {
    const { year, month } = dateOf(date);
    let first = dayOf(year, month, 1);
    while (of === 'working-day' && !isWorkingDay(first)) first++;
    return date === first;
  };
  const openingHours = (date: Day, window: Window): OpeningHours | undefined => {
    const hours: Hours = place.hours?.[window] ?? windows[window];
    if ('daily' in hours) return hours.daily;
    if ('monthly' in hours) return isFirst(date, hours.first) ? hours.monthly : undefined;
    if (weekday(date) === 0 || holidays(yearOf(date)).has(date)) return undefined;
    return weekday(date) === 6 ? hours.saturdays : hours.workingDays;
  };

  return {
    dayAt: (at) => Math.floor((at + offset(at)) / day),
    instantOf(date, timeOfDay = 0) {
      const winter = date * day + timeOfDay - place.winterOffset;
      // The hour that spring skips reads one hour later; of the hour that autumn repeats, the first is meant.
      const summer = winter - hour;
      return offset(summer) === place.winterOffset ? winter : summer;
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
    next(at, window) {
      for (let date = this.dayAt(at); ; date++) {
        const hours = openingHours(date, window);
        if (hours === undefined) continue;
        if (at < this.instantOf(date, hours[1])) return Math.max(at, this.instantOf(date, hours[0]));
      }
    },
  };
}

export type OpeningHours = readonly [from: number, to: number];

/** When a window is open: every day, or on working days and, perhaps, on Saturdays. */
export type Hours =
  | { readonly daily: OpeningHours }
  | { readonly monthly: OpeningHours; readonly first: 'day' | 'working-day' }
  | { readonly workingDays: OpeningHours; readonly saturdays?: OpeningHours };

const windows = {
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
  /** From the last Sunday of March to the last Sunday of October, 01:00 UTC (Directive 2000/84/EC). */
  summer: (year) => ({
    begins: lastSunday(year, 3) * day + hour,
    ends: lastSunday(year, 10) * day + hour,
  }),
  holidays: bankHolidays,
});

/** Texas: America/Chicago clocks, holidays of the North American electricity market, offices from 08:00 to 17:00. */
export const chicago: Calendar = calendarOf({
  winterOffset: -6 * hour,
  /** From the second Sunday of March to the first Sunday of November, 02:00 by the clock (15 U.S.C. 260a). */
  summer: (year) => ({
    begins: firstSunday(year, 3, 8) * day + 8 * hour,
    ends: firstSunday(year, 11, 1) * day + 7 * hour,
  }),
  holidays: marketHolidays,
  hours: {
    'working-day': { workingDays: [8 * hour, 17 * hour] },
    office: { workingDays: [8 * hour, 17 * hour] },
  },
});

/** The first Sunday of a month on or after that day of it. */
function firstSunday(year: number, month: number, from: number): Day {
  const earliest = dayOf(year, month, from);
  return earliest + ((7 - weekday(earliest)) % 7);
}

function lastSunday(year: number, month: number): Day {
  const end = dayOf(year, month + 1, 1) - 1;
  return end - weekday(end);
}

/** Remembers what was computed for a year: a run asks for few years, and very often. */
function perYear<T>(compute: (year: number) => T): (year: number) => T {
  const known = new Map<number, T>();
  return (year) => {
    let found = known.get(year);
    if (found === undefined) known.set(year, (found = compute(year)));
    return found;
  };
}
