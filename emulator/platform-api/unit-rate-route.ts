import type { RequestHandler } from 'express';
import type { platformApi } from '../../catalogue/index.js';
import type { Instant } from '../engine/time.js';
import type { Answers } from './answers.js';
import { invalidRequest, notFound } from './api-error.js';
import { shortInstant } from './local-time.js';
import { locatorOf, pathParameter } from './locator.js';
import { pageOf, type Records } from './pages.js';
import type { Products } from './products.js';
import { datetime, pageNumber, pageSize, readQuery } from './query.js';
import { periodsOf, priceOf, type Tariff, withVat } from './unit-rates.js';
import type { WorldView } from './world-view.js';

/** Records on a page of unit rates, at most: a month of half-hours. */
const mostRates = 1500;

/** `GET products/<product>/electricity-tariffs/<tariff>/standard-unit-rates/`: what overlaps the window, newest first. */
export function listUnitRates(products: () => Products, world: WorldView, answers: Answers): RequestHandler {
  return (request, response) => {
    const locator = locatorOf(request);
    const { period_from, period_to, ...page } = readQuery(locator.searchParams, {
      period_from: datetime,
      period_to: datetime,
      page: pageNumber,
      page_size: pageSize(mostRates),
    });
    requireWindow(period_from, period_to);
    const [product, code] = [pathParameter(request, 'product_code'), pathParameter(request, 'tariff_code')];
    const tariff = products().tariff(product, code);
    if (tariff === undefined) throw notFound();
    answers.send(response, pageOf(ratesIn(tariff, world.now(), period_from, period_to), page, locator));
  };
}

/** @throws ApiError 400 */
function requireWindow(from: Instant | undefined, to: Instant | undefined): void {
  if (to === undefined) return;
  if (from === undefined) {
    const detail = 'period_to needs a period_from.';
    throw invalidRequest([{ detail, code: 'required', attr: 'period_from' }]);
  }
  if (to <= from) {
    const detail = 'The window must end after it begins.';
    throw invalidRequest([{ detail, code: 'invalid_period', attr: 'period_to' }]);
  }
}

function ratesIn(
  tariff: Tariff,
  now: Instant,
  from: Instant = tariff.from,
  to: Instant = Infinity,
): Records<platformApi.UnitRate> {
  const { indexAt, begin, published } = periodsOf(tariff.price);
  const first = indexAt(Math.max(from, tariff.from));
  const last = Math.min(published(now), to === Infinity ? Infinity : indexAt(to - 1));
  const methods = tariff.price === 'quarterly' || tariff.price === 'fixed' ? billed : everybody;
  return {
    count: Math.max(0, last - first + 1) * methods.length,
    at(place) {
      const index = last - Math.floor(place / methods.length);
      const method = methods[place % methods.length] ?? null;
      // Who does not pay by direct debit costs more to serve.
      const value =
        Math.round((priceOf(tariff, index) + (method === 'NON_DIRECT_DEBIT' ? 1.25 : 0)) * 100) / 100;
      return {
        value_exc_vat: value,
        value_inc_vat: withVat(value, tariff),
        valid_from: shortInstant(begin(index)),
        valid_to: shortInstant(begin(index + 1)),
        payment_method: method,
      };
    },
  };
}

const billed = ['DIRECT_DEBIT', 'NON_DIRECT_DEBIT'] as const;
const everybody = [null] as const;
