import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { london, type Window } from '../../../emulator/engine/calendar.js';
import { day, dayOf, formatDay, hour, minute } from '../../../emulator/engine/time.js';

const zone = 'Europe/London';

describe('the London calendar', () => {
  it('agrees with the time zone database on every half hour around the clock changes of 30 years, and daily between', () => {
    for (let date = dayOf(2010, 1, 1); date < dayOf(2040, 1, 1); date++) {
      const local = DateTime.fromISO(formatDay(date), { zone });
      expect(london.instantOf(date)).toBe(local.toMillis());
      const month = local.month;
      const step = (month === 3 || month === 10) && local.day >= 25 ? 30 * minute : 12 * hour;
      for (let at = date * day; at < (date + 1) * day; at += step) {
        expect(formatDay(london.dayAt(at))).toBe(DateTime.fromMillis(at, { zone }).toISODate());
      }
    }
  });

  it('has days of 46 and 50 half hours when the clocks change', () => {
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

  it('opens a window at or after any instant, within its hours, and no earlier than it must', () => {
    const hours: Record<Window, [number, number]> = {
      'working-day': [8, 18],
      office: [8, 18],
      night: [0.5, 5],
      'working-morning': [6, 10],
      waking: [7, 23],
      daytime: [8, 20],
      evening: [17, 22],
    };
    fc.assert(
      fc.property(
        fc.integer({ min: dayOf(2024, 1, 1) * day, max: dayOf(2030, 1, 1) * day }),
        fc.constantFrom(...(Object.keys(hours) as Window[])),
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
