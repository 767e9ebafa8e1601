import { type Day, dayOf, weekday } from './time.js';

/** Returns the bank holidays of England and Wales. A fixed holiday on a weekend moves to the next free weekday. */
export function bankHolidays(year: number): ReadonlySet<Day> {
  const easter = easterSunday(year);
  const holidays = new Set([
    easter - 2,
    easter + 1,
    firstOf(monday, year, 5),
    lastMonday(year, 5),
    lastMonday(year, 8),
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
export function marketHolidays(year: number): ReadonlySet<Day> {
  const fixed = [dayOf(year, 1, 1), dayOf(year, 7, 4), dayOf(year, 12, 25)];
  return new Set([
    ...fixed.map((date) => (weekday(date) === 0 ? date + 1 : date)),
    lastMonday(year, 5),
    firstOf(monday, year, 9),
    firstOf(thursday, year, 11) + 21,
  ]);
}

const monday = 1;
const thursday = 4;

function firstOf(day: number, year: number, month: number): Day {
  const first = dayOf(year, month, 1);
  return first + ((day - weekday(first) + 7) % 7);
}

function lastMonday(year: number, month: number): Day {
  const end = dayOf(year, month + 1, 1) - 1;
  return end - ((weekday(end) + 6) % 7);
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
