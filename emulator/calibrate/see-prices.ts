import type { platformApi } from 'busbar/catalogue';
import { hour } from '../engine/time.js';
import type { HttpReader } from '../start/http-reader.js';
import caps from './caps.json' with { type: 'json' };
import type { Products } from './see-account.js';
import type { Tally } from './tally.js';

const regions = 'A,B,C,D,E,F,G,H,J,K,L,M,N,P'.split(',');

/** Counts the unit rates of a product of each kind. */
export async function seePrices(products: Products, { list }: HttpReader, tally: Tally): Promise<void> {
  const current = [...products.values()].filter(({ available_to }) => available_to === null);
  const variable = current.find(({ code }) => code.startsWith('VAR-'));
  const prepaid = current.find(({ code }) => code.startsWith('PREPAY-VAR-'));
  const ratesOf = async (product: platformApi.Product | undefined, region: string) => {
    if (product === undefined) return [];
    const { code, direction, is_business } = product;
    const path = `/v1/products/${code}/electricity-tariffs/E-1R-${code}-${region}/standard-unit-rates/`;
    const { results: rates } = await list<platformApi.UnitRate>(`${path}?page_size=100`);
    const vat = direction === 'EXPORT' ? 1 : is_business ? 1.2 : 1.05;
    for (const { value_exc_vat, value_inc_vat } of rates) {
      tally.add('unit rates');
      tally.add('right VAT', Math.abs(value_inc_vat - value_exc_vat * vat) < 1e-6);
    }
    return rates;
  };
  for (const region of regions) {
    const rates = await ratesOf(variable, region);
    const byDebit = new Map(
      rates
        .filter(({ payment_method }) => payment_method === 'DIRECT_DEBIT')
        .map((rate) => [rate.valid_from, rate.value_inc_vat]),
    );
    const factors = [...byDebit].flatMap(([from, value]) => {
      const cap = (caps as Readonly<Record<string, number>>)[monthOf(from)];
      return cap === undefined ? [] : [value / cap];
    });
    const [usual = NaN] = factors;
    for (const factor of factors) {
      tally.add('variable rates');
      tally.add('rates at the cap', Math.abs(usual - 1) < 0.07 && Math.abs(factor / usual - 1) < 0.001);
    }
    for (const { payment_method, valid_from, value_inc_vat } of [
      ...rates,
      ...(await ratesOf(prepaid, region)),
    ]) {
      const name = ratesAgainst[payment_method ?? ''];
      const debit = byDebit.get(valid_from);
      if (name !== undefined && debit !== undefined) tally.keep(name, 100 * (value_inc_vat / debit - 1));
    }
  }
  for (const product of [
    current.find(({ is_business }) => is_business),
    current.find(({ direction, is_variable }) => direction === 'EXPORT' && !is_variable),
  ]) {
    await ratesOf(product, 'C');
  }
}

/** Returns the month of a midnight in London. */
function monthOf(midnight: string): string {
  return new Date(Date.parse(midnight) + 2 * hour).toISOString().slice(0, 7);
}

const ratesAgainst: Readonly<Record<string, string>> = {
  NON_DIRECT_DEBIT: 'on receipt',
  PREPAYMENT: 'prepaid rates',
};
