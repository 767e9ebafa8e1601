import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { type Calendar, chicago, type DayPart, london } from '../../../emulator/engine/calendar.js';
import { day, dayOf, formatDay, hour, minute } from '../../../emulator/engine/time.js';
import { playsAll } from '../../cases.js';

const zone = 'Europe/London';
const endOfYears = dayOf(playsAll ? 2040 : 2012, 1, 1);

describe.each<[string, Calendar]>([
  [zone, london],
  ['America/Chicago', chicago],
])('the calendar of %s', (zone, calendar) => {
  it('agrees with the time zone database', () => {
    for (let date = dayOf(2010, 1, 1); date < endOfYears; date++) {
      const local = DateTime.fromISO(formatDay(date), { zone });
      expect(calendar.instantOf(date)).toBe(local.toMillis());
      const step = mayChange(date) ? 30 * minute : 12 * hour;
      for (let at = date * day; at < (date + 1) * day; at += step) {
        const shown = DateTime.fromMillis(at, { zone });
        expect(formatDay(calendar.dayAt(at))).toBe(shown.toISODate());
      }
    }
  });

  it('returns the first instant of a local time that occurs twice', () => {
    for (let date = dayOf(2010, 1, 1); date < endOfYears; date++) {
      if (!mayChange(date)) continue;
      for (let timeOfDay = 0; timeOfDay < day; timeOfDay += 30 * minute) {
        const { year, month, day: dayOfMonth } = DateTime.fromISO(formatDay(date));
        const [hours, minutes] = [Math.floor(timeOfDay / hour), (timeOfDay % hour) / minute];
        const local = DateTime.fromObject(
          { year, month, day: dayOfMonth, hour: hours, minute: minutes },
          { zone },
        );
        const shown = Math.min(...local.getPossibleOffsets().map((possible) => possible.toMillis()));
        expect(calendar.instantOf(date, timeOfDay)).toBe(shown);
      }
    }
  });
});

/** Clocks change in the last week of March and October here, early in March and November there. */
function mayChange(date: number): boolean {
  const [month, dayOfMonth] = [Number(formatDay(date).slice(5, 7)), Number(formatDay(date).slice(8))];
  return month === 3 || (month === 10 && dayOfMonth >= 24) || (month === 11 && dayOfMonth <= 8);
}

describe('the Chicago calendar', () => {
  it.each([
    [2026, ['01-01', '05-25', '09-07', '11-26', '12-25']],
    [2027, ['01-01', '05-31', '07-05', '09-06', '11-25']],
  ])('keeps the weekday holidays of %i', (year, holidays) => {
    const closed: string[] = [];
    for (let date = dayOf(year, 1, 1); date < dayOf(year + 1, 1, 1); date++) {
      if (!chicago.isWorkingDay(date) && ((date + 4) % 7) % 6 !== 0) closed.push(formatDay(date).slice(5));
    }
    expect(closed).toEqual(holidays);
  });

  it('opens its offices from 08:00 to 17:00 Central in summer and winter', () => {
    const opens = (date: number, from: number) => chicago.next(date * day + from, 'working-day') - date * day;
    expect(opens(dayOf(2026, 1, 20), 0)).toBe(14 * hour);
    expect(opens(dayOf(2026, 6, 9), 0)).toBe(13 * hour);
    expect(opens(dayOf(2026, 6, 9), 22 * hour - 1)).toBe(22 * hour - 1);
    expect(opens(dayOf(2026, 6, 9), 22 * hour)).toBe(37 * hour);
  });
});

describe('the London calendar', () => {
  it('counts 46 and 50 half hours on the days of clock changes', () => {
    const halfHours = (date: number) => (london.instantOf(date + 1) - london.instantOf(date)) / (30 * minute);
    expect(halfHours(dayOf(2026, 3, 29))).toBe(46);
    expect(halfHours(dayOf(2026, 10, 25))).toBe(50);
    expect(halfHours(dayOf(2026, 6, 1))).toBe(48);
  });

  it.each([
    [2026, ['01-01', '04-03', '04-06', '05-04', '05-25', '08-31', '12-25', '12-28']],
    [2027, ['01-01', '03-26', '03-29', '05-03', '05-31', '08-30', '12-27', '12-28']],
  ])('keeps the bank holidays of %i', (year, holidays) => {
    const closed: string[] = [];
    for (let date = dayOf(year, 1, 1); date < dayOf(year + 1, 1, 1); date++) {
      if (!london.isWorkingDay(date) && ((date + 4) % 7) % 6 !== 0) closed.push(formatDay(date).slice(5));
    }
    expect(closed).toEqual(holidays);
  });

  it('counts working days over weekends and bank holidays', () => {
    // Thursday before Easter 2026; Friday and Monday are holidays.
    expect(formatDay(london.addWorkingDays(dayOf(2026, 4, 2), 1))).toBe('2026-04-07');
    expect(formatDay(london.addWorkingDays(dayOf(2026, 11, 20), 5))).toBe('2026-11-27');
  });

  it('opens the day parts of a month once a month', () => {
    const opened = (window: DayPart) => {
      const days: string[] = [];
      for (let at = dayOf(2026, 12, 2) * day; days.length < 5; at += day) {
        at = london.next(at, window);
        days.push(formatDay(london.dayAt(at)));
      }
      return days;
    };
    expect(opened('month-start-night')).toEqual([
      '2027-01-01',
      '2027-02-01',
      '2027-03-01',
      '2027-04-01',
      '2027-05-01',
    ]);
    // New Year's Day is a holiday, and so is the weekend after it; 1 May 2027 is a Saturday before a bank holiday.
    expect(opened('month-start-working-night')).toEqual([
      '2027-01-04',
      '2027-02-01',
      '2027-03-01',
      '2027-04-01',
      '2027-05-04',
    ]);
  });

  it('opens a day part at or after any instant, within its hours', () => {
    const hours: Record<DayPart, [number, number]> = {
      'working-day': [8, 18],
      office: [8, 18],
      night: [0.5, 5],
      'working-morning': [6, 10],
      industry: [6, 20],
      'evening-batch': [20, 23.5],
      waking: [7, 23],
      daytime: [8, 20],
      evening: [17, 22],
      'month-start-night': [0.5, 5],
      'month-start-working-night': [0.5, 5],
    };
    fc.assert(
      fc.property(
        fc.integer({ min: dayOf(2024, 1, 1) * day, max: dayOf(2030, 1, 1) * day }),
        fc.constantFrom(...(Object.keys(hours) as DayPart[])),
        (at, window) => {
          const opened = london.next(at, window);
          expect(opened).toBeGreaterThanOrEqual(at);
          expect(london.next(opened, window)).toBe(opened);
          if (opened > at) expect(london.next(opened - 1, window)).toBe(opened);
          const local = DateTime.fromMillis(opened, { zone });
          const timeOfDay = local.hour + local.minute / 60 + local.second / 3600;
          expect(timeOfDay).toBeGreaterThanOrEqual(hours[window][0]);
          expect(timeOfDay).toBeLessThan(hours[window][1]);
        },
      ),
    );
  });
});
