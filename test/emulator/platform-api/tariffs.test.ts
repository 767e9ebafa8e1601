import { describe, expect, it } from 'vitest';
import type { platformApi } from '../../../catalogue/index.js';
import type { Operations } from '../../../emulator/control-api/generated/operations.js';
import { serve } from './serve.js';

describe('GET /emulator/v1/world/tariffs/', () => {
  it('follows the price cap, the region and the payment method', async () => {
    const { rate } = await tariffs();
    // The cap of the first quarter of 2026 is 27.69p and 54.75p in a region with the average price.
    expect(await rate('E-1R-VAR-22-11-01-E', 'unit', 'DIRECT_DEBIT')).toBe(2637);
    expect((await rate('E-1R-VAR-22-11-01-D', 'standing')) / (5475 / 1.05)).toBeCloseTo(1.3, 3);
    expect((await rate('E-1R-VAR-22-11-01-H', 'standing')) / (5475 / 1.05)).toBeCloseTo(0.83, 3);
    expect((await rate('E-1R-VAR-22-11-01-E', 'unit', 'NON_DIRECT_DEBIT')) / 2637).toBeCloseTo(1.056, 3);
    expect((await rate('E-1R-PREPAY-VAR-18-09-21-E', 'unit', 'PREPAYMENT')) / 2637).toBeCloseTo(0.969, 3);
    expect(await rate('G-1R-VAR-22-11-01-E', 'unit')).toBe(Math.round(593 / 1.05));
  });

  it('serves a day and a night rate for two registers', async () => {
    const { rate } = await tariffs();
    expect((await rate('E-2R-VAR-22-11-01-E', 'day')) / 2637).toBeCloseTo(1.26, 3);
    expect((await rate('E-2R-VAR-22-11-01-E', 'night')) / 2637).toBeCloseTo(0.52, 3);
  });

  it('returns the rates of a period, the newest first', async () => {
    const { ratesOf } = await tariffs();
    const rates = await ratesOf('E-1R-SILVER-17-06-08-C', '?from=2026-02-27&to=2026-03-02');
    expect(rates.filter(({ kind }) => kind === 'unit').map((rate) => rate.valid_from)).toEqual([
      '2026-03-01T00:00:00.000Z',
      '2026-02-28T00:00:00.000Z',
      '2026-02-27T00:00:00.000Z',
    ]);
    const [onlyRate] = await ratesOf('E-1R-SILVER-17-06-08-C', '?at=2026-02-28');
    expect(onlyRate).toEqual(rates[1]);
    expect(await ratesOf('E-1R-SILVER-17-06-08-C', '?from=2026-02-28')).toHaveLength(2);
  });

  it.each(['?from=2026-03-02&to=2026-03-02', '?from=2025-01-01&to=2026-03-02', '?to=2026-03-01'])(
    'refuses the period %s',
    async (query) => {
      const { ask } = await tariffs();
      const response = await ask(`E-1R-SILVER-17-06-08-C${query}`);
      const message = '"to" is not within 366 days after "from". Correct the period.';
      expect([response.status, await response.json()]).toEqual([400, { error: 'invalid-option', message }]);
    },
  );

  it.each(['G-1R-AGILE-24-10-01-C', 'E-2R-AGILE-24-10-01-C', 'G-2R-VAR-22-11-01-C', 'E-1R-NONE-24-10-01-C'])(
    'knows no tariff %s',
    async (code) => {
      const { status } = await tariffs();
      expect(await status(code)).toBe(404);
    },
  );
});

it('sells every line of products without a gap, under both brands', async () => {
  const { pages } = await serve();
  const lines = new Map<string, platformApi.Product[]>();
  for await (const { results } of pages<platformApi.ProductList>('products/')) {
    for (const product of results) {
      const line = product.code.slice(0, -9);
      lines.set(line, [...(lines.get(line) ?? []), product]);
    }
  }
  expect(lines.size).toBe(24);
  for (const [line, products] of lines) {
    // The youngest line began in May 2019.
    let sold = Date.UTC(2019, 5, 1);
    for (const { available_from, available_to } of products) {
      expect(Date.parse(available_from), line).toBeLessThanOrEqual(sold);
      sold = available_to === null ? Infinity : Date.parse(available_to);
    }
    expect(sold).toBeGreaterThan(Date.UTC(2026, 2, 2));
  }
});

async function tariffs() {
  const { base } = await serve();
  const ask = (code: string) => fetch(new URL(`/emulator/v1/world/tariffs/${code}`, base));
  const ratesOf = async (code: string, query = '') =>
    ((await (await ask(code + query)).json()) as Operations['getTariff']['response']).rates;
  return {
    ask,
    ratesOf,
    status: async (code: string) => (await ask(code)).status,
    /** Returns hundredths of a penny without VAT. */
    async rate(code: string, kind: string, method = 'DIRECT_DEBIT'): Promise<number> {
      const rates = await ratesOf(code);
      const found = rates.find((each) => each.kind === kind && each.payment_method === method);
      return Math.round((found?.value_exc_vat ?? Number.NaN) * 100);
    },
  };
}
