import type { platformApi } from 'busbar/catalogue';
import type { Instant } from '../engine/time.js';
import { invalidRequest, notFound } from './api-error.js';
import type { PlatformHandler } from './document.js';
import { shortInstant } from '../world/formats.js';
import { readDatetime } from './local-time.js';
import { locatorOf } from './locator.js';
import { pageOf } from './pages.js';
import { findTariff } from '../world/products/rates.js';
import { rateRows, type RateRow } from '../world/products/unit-rates.js';
import type { WorldView } from './world-view.js';

/** Lists the standard unit rates of a tariff that overlap the window, newest first. */
export function listUnitRates(world: WorldView): PlatformHandler<'listStandardUnitRates'> {
  return ({ parameters: { product_code, tariff_code, period_from, period_to, ...page }, request }) => {
    const [from, to] = [instantOf(period_from), instantOf(period_to)];
    requireWindow(from, to);
    const tariff = findTariff(tariff_code);
    if (tariff?.product.code !== product_code || tariff.fuel === 'gas' || tariff.registers === 2) {
      throw notFound();
    }
    const { count, at } = rateRows({ seed: world.seed(), now: world.now() }, tariff, 'unit', { from, to });
    return pageOf({ count, at: (index) => unitRate(at(index)) }, page, locatorOf(request));
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

function unitRate({ withoutVat, withVat, from, to, method }: RateRow): platformApi.UnitRate {
  return {
    value_exc_vat: withoutVat,
    value_inc_vat: withVat,
    valid_from: shortInstant(from),
    valid_to: shortInstant(to),
    payment_method: method ?? null,
  };
}
