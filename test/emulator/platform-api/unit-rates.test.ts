import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { platformApi } from '../../../catalogue/index.js';
import { cases } from '../../cases.js';
import { serve } from './serve.js';

type List = platformApi.UnitRateList;
const agile = 'products/AGILE-24-10-01/electricity-tariffs/E-1R-AGILE-24-10-01-C/standard-unit-rates/';
const ratesOf = (product: string) =>
  `products/${product}/electricity-tariffs/E-1R-${product}-C/standard-unit-rates/`;
const begins = (list: List) => list.results.map(({ valid_from }) => valid_from);
const june = { start: Date.UTC(2026, 11, 1, 9) };

describe('GET standard-unit-rates/', () => {
  it('covers a window of almost two and a half hours by five half-hours', async () => {
    const { get } = await serve();
    const list = await get<List>(`${agile}?period_from=2026-03-02T00:00:00Z&period_to=2026-03-02T02:29:00Z`);
    expect(list).toMatchObject({ count: 5, next: null, previous: null });
    expect(begins(list)).toEqual(
      ['02:00', '01:30', '01:00', '00:30', '00:00'].map((t) => `2026-03-02T${t}:00Z`),
    );
    for (const { valid_from, valid_to, payment_method } of list.results) {
      expect(Date.parse(valid_to) - Date.parse(valid_from)).toBe(1_800_000);
      expect(payment_method).toBeNull();
    }
  });

  it('reads datetimes without a zone in London time, in January and July', async () => {
    const { get } = await serve(june);
    const first = async (day: string, zone: string) =>
      begins(await get<List>(`${agile}?period_from=${day}T10:00:00${zone}&period_to=${day}T10:30:00${zone}`));
    expect(await first('2026-01-15', '')).toEqual(['2026-01-15T10:00:00Z']);
    expect(await first('2026-07-15', '')).toEqual(['2026-07-15T09:00:00Z']);
    expect(await first('2026-07-15', 'Z')).toEqual(['2026-07-15T10:00:00Z']);
    expect(await first('2026-07-15', '%2B01:00')).toEqual(['2026-07-15T09:00:00Z']);
    // Not escaped, a plus reads as a space: what was meant is plain.
    expect(await first('2026-07-15', '+01:00')).toEqual(['2026-07-15T09:00:00Z']);
  });

  it('returns 46, 48 or 50 half-hours a day', async () => {
    const { get } = await serve(june);
    const count = async (from: string, to: string) =>
      (await get<List>(`${agile}?period_from=${from}T00:00&period_to=${to}T00:00`)).count;
    expect(await count('2026-03-29', '2026-03-30')).toBe(46);
    expect(await count('2026-03-30', '2026-03-31')).toBe(48);
    expect(await count('2026-10-25', '2026-10-26')).toBe(50);
  });

  it('knows tomorrow only in the afternoon, and then up to 23:00', async () => {
    const last = async (hour: number) => {
      const { get } = await serve({ start: Date.UTC(2026, 2, 2, hour) });
      return (await get<List>(agile)).results[0]?.valid_to;
    };
    expect(await last(15)).toBe('2026-03-02T23:00:00Z');
    expect(await last(21)).toBe('2026-03-03T23:00:00Z');
  });

  it('gives each rate once when next is followed, whose query stays what it was', async () => {
    const { pages } = await serve(june);
    const query = 'period_from=2026-06-01T00:00&period_to=2026-06-04T00:00&page_size=50';
    const seen: string[] = [];
    for await (const list of pages<List>(`${agile}?${query}`)) {
      expect(list.count).toBe(144);
      if (list.next !== null) expect(decodeURIComponent(list.next)).toContain(`?${query}&page=`);
      seen.push(...begins(list));
    }
    expect(seen).toHaveLength(144);
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
  });

  it('varies like a market, and repeats', async () => {
    const read = async (seed: number) => {
      const { pages } = await serve({ ...june, seed });
      const rates: platformApi.UnitRate[] = [];
      const year = 'period_from=2025-11-01T00:00&period_to=2026-11-01T00:00&page_size=1500';
      for await (const { results } of pages<List>(`${agile}?${year}`)) rates.push(...results);
      return rates;
    };
    const rates = await read(1);
    expect(rates).toHaveLength(365 * 48);
    const mean = (values: platformApi.UnitRate[]) =>
      values.reduce((sum, { value_exc_vat }) => sum + value_exc_vat, 0) / values.length;
    const isPeak = ({ valid_from }: platformApi.UnitRate) => /T1[78]:/.test(valid_from);
    expect(mean(rates)).toBeGreaterThan(13);
    expect(mean(rates)).toBeLessThan(20);
    expect(mean(rates.filter(isPeak))).toBeGreaterThan(1.8 * mean(rates.filter((each) => !isPeak(each))));
    const negative = rates.filter(({ value_exc_vat }) => value_exc_vat < 0).length / rates.length;
    expect(negative).toBeGreaterThan(0.015);
    expect(negative).toBeLessThan(0.06);
    for (const { value_exc_vat, value_inc_vat } of rates) {
      expect(value_inc_vat).toBeCloseTo(value_exc_vat * 1.05, 3);
      expect(value_exc_vat).toBeLessThanOrEqual(95);
    }
    expect(await read(1)).toEqual(rates);
    expect(await read(2)).not.toEqual(rates);
  });

  it('gives back exactly the half-hours that overlap any window', async () => {
    const { get } = await serve(june);
    const [earliest, latest] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 10, 20)];
    const instant = fc.integer({ min: earliest, max: latest });
    await fc.assert(
      fc.asyncProperty(instant, fc.integer({ min: 1, max: 40 * 3_600_000 }), async (from, length) => {
        const to = from + length;
        const window = `period_from=${new Date(from).toISOString()}&period_to=${new Date(to).toISOString()}`;
        const list = await get<List>(`${agile}?${window}`);
        const half = 1_800_000;
        const expected = [];
        for (let at = Math.floor(from / half) * half; at < to; at += half) {
          expected.unshift(new Date(at).toISOString().replace('.000', ''));
        }
        expect(begins(list)).toEqual(expected);
      }),
      { numRuns: cases(10, 50) },
    );
  });

  it.each(['VAR-22-11-01', 'SILVER-25-04-11', 'GO-VAR-22-10-14', 'OUTGOING-19-05-13'])(
    'returns consecutive periods for %s',
    async (product) => {
      const { get } = await serve(june);
      const { results, count } = await get<List>(`${ratesOf(product)}?page_size=1500`);
      expect(count).toBeGreaterThan(3);
      const times = [...new Set(results.map(({ valid_from, valid_to }) => `${valid_to} ${valid_from}`))];
      times.reduce((later, earlier) => {
        expect(earlier.split(' ')[0]).toBe(later.split(' ')[1]);
        return earlier;
      });
    },
  );

  it.each([
    ['?period_from=yesterday', '400 invalid_request period_from:invalid_datetime'],
    ['?period_from=2026-02-30T00:00Z', '400 invalid_request period_from:invalid_datetime'],
    ['?period_from=2026-03-29T01:30', '400 invalid_request period_from:nonexistent_local_time'],
    ['?period_to=2026-03-29T00:00Z', '400 invalid_request period_from:required'],
    [
      '?period_from=2026-03-02T00:00Z&period_to=2026-03-02T00:00Z',
      '400 invalid_request period_to:invalid_period',
    ],
    ['?period_from=x&page=0', '400 invalid_request period_from:invalid_datetime page:invalid_page'],
    ['?page_size=1501', '400 invalid_request page_size:invalid_page_size'],
    ['?page=400', '404 invalid_page'],
  ])('answers %s with %s', async (query, expected) => {
    const { refused } = await serve();
    expect(await refused(agile + query)).toBe(expected);
  });

  it('takes the first of a local time that autumn repeats', async () => {
    const { get } = await serve(june);
    const list = await get<List>(`${agile}?period_from=2026-10-25T01:00&period_to=2026-10-25T01:30`);
    expect(begins(list)).toEqual(['2026-10-25T00:00:00Z']);
  });

  it('knows no tariff of another product or region', async () => {
    const { refused } = await serve();
    expect(await refused(agile.replace('-C/', '-I/'))).toBe('404 not_found');
    expect(await refused(agile.replace('/AGILE', '/VAR'))).toBe('404 not_found');
  });
});
