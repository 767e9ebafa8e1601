import type { platformApi } from 'busbar/catalogue';
import type { Instant } from '../engine/time.js';
import { invalidRequest, notFound } from './api-error.js';
import type { PlatformHandler } from './document.js';
import { shortInstant } from '../world/formats.js';
import { readDatetime } from './local-time.js';
import { locatorOf } from './locator.js';
import { pageOf, type Records } from './pages.js';
import type { Products } from '../world/products/products.js';
import { periodsOf, priceOf, type Tariff, withVat } from '../world/products/unit-rates.js';
import type { WorldView } from './world-view.js';

/** Lists the standard unit rates of a tariff that overlap the window, newest first. */
export function listUnitRates(
  products: () => Products,
  world: WorldView,
): PlatformHandler<'listStandardUnitRates'> {
  return ({ parameters: { product_code, tariff_code, period_from, period_to, ...page }, request }) => {
    const [from, to] = [instantOf(period_from), instantOf(period_to)];
    requireWindow(from, to);
    const tariff = products().tariff(product_code, tariff_code);
    if (tariff === undefined) throw notFound();
    return pageOf(ratesIn(tariff, world.now(), from, to), page, locatorOf(request));
  };
}

function instantOf(text: string | undefined): Instant | undefined {
  return text === undefined ? undefined : (readDatetime(text) as Instant);
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
  const methods = tariff.price === 'quarterly' || tariff.price === 'fixed' ? paymentMethods : allMethods;
  return {
    count: Math.max(0, last - first + 1) * methods.length,
    at(nth) {
      const index = last - Math.floor(nth / methods.length);
      const method = methods[nth % methods.length] ?? null;
      // Other payment methods than direct debit cost more.
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

const paymentMethods = ['DIRECT_DEBIT', 'NON_DIRECT_DEBIT'] as const;
const allMethods = [null] as const;
