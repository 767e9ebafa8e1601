import { grouped } from 'busbar/base';
import type { platformApi } from 'busbar/catalogue';
import { day, hour } from '../engine/time.js';
import { member } from '../invariants/payload.js';
import { productCodeOf } from '../start/http-reader.js';
import {
  type Agreement,
  meterPointsOf,
  type Objection,
  ratesAt,
  type Served,
  type ServedInvariant,
} from './served.js';

export const termInvariants: readonly ServedInvariant[] = [
  {
    name: 'agreements-without-gap',
    statement:
      'The agreements of a meter point follow one another without gap or overlap, from the first day of supply to the last.',
    *objections(served) {
      // An import comes before its supply: some days, or as many as a client wants.
      if (served.first.events.some(({ payload }) => member(payload, 'is_imported') === true)) return;
      for (const { agreements, isExport, moved_in_at, moved_out_at } of meterPointsOf(served)) {
        for (const [nth, agreement] of agreements.entries()) {
          const next = agreements[nth + 1];
          if (next !== undefined && agreement.valid_to !== next.valid_from)
            yield about(agreement, 'does not end when the next begins');
          const since = Date.parse(agreement.valid_from) - Date.parse(moved_in_at ?? '');
          if (nth === 0 && !isExport && since > fortnight)
            yield about(agreement, 'begins long after the customer moved in, but is the first');
          if (next === undefined && !isExport && agreement.valid_to !== moved_out_at && moved_out_at !== null)
            yield about(agreement, 'does not end when supply does, but is the last');
        }
      }
    },
  },
  {
    name: 'supply-on-agreement',
    statement:
      'Each meter point in the home of an active account has an agreement from the first day on, which does not end long before that of the other fuel.',
    *objections(served) {
      if (served.account.status !== 'ACTIVE') return;
      const homes = grouped(
        meterPointsOf(served).filter(
          ({ isExport, moved_in_at, moved_out_at }) =>
            !isExport && moved_in_at !== null && moved_out_at === null,
        ),
        ({ home }) => home,
      );
      for (const points of homes.values()) {
        const ends = points.map(({ agreements }) => Date.parse(agreements.at(-1)?.valid_to ?? served.at));
        const entity = `account "${served.account.number}"`;
        if (points.some(({ agreements }) => agreements.length === 0))
          yield { entity, what: 'has a meter point without an agreement' };
        else if (Math.min(...ends) < Math.min(Math.max(...ends), Date.parse(served.at)) - maxReversal)
          yield { entity, what: 'has a meter point whose agreement ended alone' };
      }
    },
  },
  {
    name: 'withdrawn-without-supply',
    statement:
      'An account that is withdrawn before its first event has never had a home, an agreement or a bill.',
    *objections({ account: { number }, first }) {
      if (first.before?.own.status !== 'WITHDRAWN') return;
      const { own, bills } = first.before;
      const supplies = [...own.occupancies, ...own.agreements].filter(({ from, to }) => from !== to);
      if (supplies.length + bills.length > 0)
        yield { entity: `account "${number}"`, what: 'was withdrawn, but supplied' };
    },
  },
  agreementInvariant(
    'agreements-while-on-sale',
    'An agreement begins while its product is on sale, on a tariff that the product has.',
    function* (agreement, { available_from, available_to }, served) {
      const { tariff_code, valid_from } = agreement;
      if (valid_from < available_from) yield 'begins before its product is on sale';
      if (available_to !== null && valid_from > available_to) yield 'begins after the sale of its product';
      if (ratesAt(served, tariff_code, valid_from).length === 0) yield 'is on a tariff that does not exist';
    },
  ),
  agreementInvariant(
    'terms-end',
    'An agreement on a product with a term ends no later than its term.',
    function* ({ valid_from, valid_to }, { term }) {
      if (term === null) return;
      if (valid_to === null) yield 'has a term, but no end';
      else if (dayOf(valid_to) > monthsAfter(valid_from, term)) yield 'ends after its term';
    },
  ),
  agreementInvariant(
    'products-for-the-customer',
    'Prepaid meters, businesses, exported energy and meters with two registers have products of their own.',
    function* ({ tariff_code }, { is_prepay, is_business, direction }, { own }, point) {
      if (is_prepay !== (own.payment_method === 'PREPAYMENT') && !point.isExport && !is_business)
        yield 'is not on a product for the payment method';
      if ((direction === 'EXPORT') !== point.isExport) yield 'is on a product for the other direction';
      if (tariff_code.startsWith('E-2R') && !point.isSecondClass) yield 'has a night rate without a register';
    },
  ),
  {
    name: 'one-brand',
    statement: 'All products of an account are of one brand, and either all for businesses or none.',
    *objections({ account, products, ...served }) {
      const sold = meterPointsOf({ account, ...served })
        .flatMap(({ agreements }) => agreements)
        .flatMap(({ tariff_code }) => products.get(productCodeOf(tariff_code)) ?? []);
      const entity = `account "${account.number}"`;
      if (new Set(sold.map(({ brand }) => brand)).size > 1)
        yield { entity, what: 'has products of two brands' };
      if (new Set(sold.map(({ is_business }) => is_business)).size > 1)
        yield { entity, what: 'has products for businesses and for homes' };
    },
  },
  {
    name: 'rates-without-holes',
    statement:
      'The unit rates of a tariff follow one another without gaps, for each payment method that its product has, from its sale on.',
    *objections({ unitRates, products }) {
      for (const [tariff, { results: rates, isCut }] of unitRates) {
        const product = products.get(productCodeOf(tariff));
        if (product === undefined) continue;
        for (const what of objectionsToRates(product, rates, isCut))
          yield { entity: `tariff "${tariff}"`, what };
      }
    },
  },
];

function agreementInvariant(
  name: string,
  statement: string,
  object: (
    agreement: Agreement,
    product: platformApi.Product,
    served: Served,
    point: ReturnType<typeof meterPointsOf>[number],
  ) => Iterable<string>,
): ServedInvariant {
  return {
    name,
    statement,
    *objections(served) {
      for (const point of meterPointsOf(served)) {
        for (const agreement of point.agreements) {
          const product = served.products.get(productCodeOf(agreement.tariff_code));
          if (product === undefined) continue;
          for (const what of object(agreement, product, served, point)) yield about(agreement, what);
        }
      }
    },
  };
}

function* objectionsToRates(
  product: platformApi.Product,
  rates: readonly platformApi.UnitRate[],
  isCut: boolean,
): Generator<string> {
  const byMethod = grouped(rates, ({ payment_method }) => payment_method);
  const methods = [...byMethod.keys()].map(String).sort().join();
  if (methods !== methodsOf(product)) yield 'has rates for other payment methods';
  const vat = product.direction === 'EXPORT' ? 0 : product.is_business ? 20 : 5;
  for (const { value_exc_vat, value_inc_vat } of rates) {
    if (Math.abs(value_inc_vat - (value_exc_vat * (100 + vat)) / 100) > 1e-6)
      yield 'has a rate with wrong VAT';
  }
  for (const rows of byMethod.values()) {
    if (product.term !== null && rows.length > 1) yield 'has a term, but more than one rate';
    for (const [nth, { valid_from }] of rows.entries()) {
      const before = rows[nth + 1];
      if (before !== undefined && before.valid_to !== valid_from) yield 'has a hole between two rates';
      if (before === undefined && !isCut && valid_from !== product.available_from)
        yield 'has its first rate at another time than its sale';
    }
  }
}

/** Payment methods with rates of their own, in order; null for a product without. */
function methodsOf({
  is_prepay,
  is_tracker,
  is_restricted,
  is_variable,
  is_green,
  direction,
}: platformApi.Product) {
  if (is_prepay) return 'PREPAYMENT';
  const hasOnePrice = is_tracker || is_restricted || direction === 'EXPORT' || (is_variable && is_green);
  return hasOnePrice ? 'null' : 'DIRECT_DEBIT,NON_DIRECT_DEBIT';
}

function about({ id }: Agreement, what: string): Objection {
  return { entity: `agreement "${id}"`, what };
}

/** Returns the day of a midnight in London. */
function dayOf(midnight: string): string {
  return new Date(Date.parse(midnight) + 2 * hour).toISOString().slice(0, 10);
}

const fortnight = 14 * day;

/** A reversed process resumes agreements within this time after their end. */
const maxReversal = 45 * day;

/** Returns the same day of a later month, or its last day. */
function monthsAfter(midnight: string, months: number): string {
  const [year = 0, month = 0, date = 0] = dayOf(midnight).split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}
