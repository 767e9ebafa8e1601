import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { readDatetime } from '../../../emulator/platform-api/local-time.js';

/** Local times of London at half hours, half of them on the days on which its clocks change. */
const localTimes = fc
  .record({
    year: fc.integer({ min: 1996, max: 2100 }),
    day: fc.oneof(fc.integer({ min: 0, max: 364 }), fc.constantFrom('spring' as const, 'autumn' as const)),
    halfHour: fc.integer({ min: 0, max: 47 }),
  })
  .map(({ year, day, halfHour }) => {
    const lastDay = DateTime.utc(year, day === 'spring' ? 3 : 10, 31);
    const date =
      typeof day === 'number'
        ? DateTime.utc(year, 1, 1).plus({ days: day })
        : lastDay.minus({ days: lastDay.weekday % 7 });
    return date.plus({ minutes: 30 * halfHour }).toFormat("yyyy-MM-dd'T'HH:mm");
  });

describe('a datetime', () => {
  it('means London time without a zone: the first of two, none that spring skips', () => {
    fc.assert(
      fc.property(localTimes, (local) => {
        const read = DateTime.fromISO(local, { zone: 'Europe/London' });
        const isSkipped = read.toFormat("yyyy-MM-dd'T'HH:mm") !== local;
        const earlier = read.minus({ hours: 1 });
        const first = earlier.hour === read.hour ? earlier : read;
        expect(readDatetime(local)).toBe(isSkipped ? 'nonexistent_local_time' : first.toMillis());
      }),
      { numRuns: 1_000 },
    );
  });

  it('with an offset is that instant, also where the plus sign was not escaped', () => {
    const instant = Date.UTC(2026, 6, 1, 9, 30, 5, 125);
    for (const text of [
      '2026-07-01T09:30:05.125Z',
      '2026-07-01T10:30:05.125+01:00',
      '2026-07-01T10:30:05.125 0100',
      '2026-07-01T04:30:05.125999-0500',
    ]) {
      expect(readDatetime(text)).toBe(instant);
    }
  });

  it.each([
    '',
    '2026-02-30T10:00',
    '2026-02-29T10:00Z',
    '2026-13-01T10:00',
    '2026-01-01',
    '2026-01-01T24:00',
    '2026-01-01T10:00+15:00',
  ])('cannot be %j', (text) => {
    expect(readDatetime(text)).toBe('invalid_datetime');
  });
});
