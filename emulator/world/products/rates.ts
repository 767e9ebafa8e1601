import { london } from '../../engine/calendar.js';
import { hash32 } from '../../engine/random.js';
import { dateOf, type Day, dayOf, hour } from '../../engine/time.js';
import { shapes } from './shapes.js';
import { capOf, firstDayOf, type Quarter, quarterOf, regional } from './caps.js';
import { findProduct, type Product } from './products.js';
import { halfHour, wholesaleOn } from './wholesale.js';

export type PaymentMethod = 'DIRECT_DEBIT' | 'NON_DIRECT_DEBIT' | 'PREPAYMENT';

/** A product for a fuel in a region. */
export interface Tariff {
  readonly product: Product;
  readonly fuel: 'electricity' | 'gas';
  /** Letter of the region. */
  readonly region: string;
  /** Number of registers of the meter: the second one counts at night. */
  readonly registers: 1 | 2;
}

/** The rates of a day, in hundredths of a penny without VAT. */
export interface DayRates {
  /** For the day. */
  readonly standing: number;
  /**
   * For a kilowatt-hour. By night for two registers, and from 00:30 to 05:30 on a product for cars, `night` replaces it. Of
   * a half-hourly product, it is the mean by the shape of the day.
   */
  readonly unit: number;
  readonly night?: number;
}

/** Returns the rates of a tariff on a day. A product without rates by payment method ignores the method. */
export function ratesOn(seed: number, tariff: Tariff, method: PaymentMethod, date: Day): DayRates {
  const { product, fuel, registers } = tariff;
  const { line } = product;
  if (isExport(product)) {
    return { standing: 0, unit: isMarket(product) ? meanRate(seed, tariff, date, shapes.export) : 1_500 };
  }
  if (line.price === 'quarterly' || line.price === 'fixed') {
    const factor = methodFactors[method] * (vatOf(product) === 20 ? 970 : 1000) * fixedFactor(product);
    const quarter = quarterOf(line.price === 'fixed' ? product.from : date);
    const { unit, standing } = capped(tariff, quarter, factor / 1e9);
    if (registers === 1) return { standing, unit };
    return { standing, unit: Math.round(unit * 1.26), night: Math.round(unit * 0.52) };
  }
  const { standing } = capped(tariff, quarterOf(date), 1);
  switch (line.price) {
    case 'two-rate': {
      const { unit } = capped(tariff, quarterOf(date), 1.02);
      return { standing, unit, night: Math.round((700 + (hash32('night', product.code) % 151)) / 1.05) };
    }
    case 'daily': {
      const market = 1.2 * wholesaleOn(seed, date).mean;
      return { standing, unit: Math.round(fuel === 'gas' ? 220 + 0.4 * market : 1_200 + market) };
    }
    case 'half-hourly':
      return { standing, unit: meanRate(seed, tariff, date, shapes.home) };
  }
}

/** Returns the rates of the 46, 48 or 50 half-hours of a day, of a half-hourly product. */
export function halfHourRates(seed: number, { product, region }: Tariff, date: Day): (nth: number) => number {
  const { prices } = wholesaleOn(seed, date);
  const priceAt = (nth: number) => prices[nth] as number;
  if (isExport(product)) return (nth) => Math.max(0, Math.round(0.95 * priceAt(nth)));
  const { wholesale } = regional(region);
  const peak = (london.instantOf(date, 16 * hour) - london.instantOf(date)) / halfHour;
  return (nth) =>
    Math.min(
      9_500,
      Math.round((wholesale * priceAt(nth)) / 1000) + (nth >= peak && nth < peak + 6 ? 1_200 : 0),
    );
}

/** Returns the period of constant rates that a day is in: its number, and the day after its last one. */
export function ratePeriod(product: Product, date: Day): { readonly nth: number; readonly until: Day } {
  if (product.line.price === 'fixed') return { nth: 0, until: Infinity };
  if (isMarket(product)) return { nth: date, until: date + 1 };
  const nth = quarterOf(date);
  return { nth, until: firstDayOf(nth + 1) };
}

/** Returns the payment methods with rates of their own, or one undefined for a product without. */
export function methodsOf({ line: { price, is } }: Product): readonly (PaymentMethod | undefined)[] {
  if (is?.includes('prepay')) return ['PREPAYMENT'];
  const differs = (price === 'quarterly' || price === 'fixed') && !is?.includes('export');
  return differs ? ['DIRECT_DEBIT', 'NON_DIRECT_DEBIT'] : [undefined];
}

/** Returns VAT in per cent: 5 for households, 20 for businesses, none for exported energy, which the platform buys. */
export function vatOf({ line }: Product): 0 | 5 | 20 {
  return line.is?.includes('export') ? 0 : line.is?.includes('business') ? 20 : 5;
}

/** Returns the last day on which an agreement on the product can end, exclusive; undefined without a term. */
export function lastEnd({ line: { term }, to }: Product): Day | undefined {
  return term === undefined || to === undefined ? undefined : addMonths(to - 1, term);
}

/** Returns the same day of a later month, or its last day. */
export function addMonths(date: Day, months: number): Day {
  const { year, month, dayOfMonth } = dateOf(date);
  const later = (nth: number) => dayOf(year, month + months, nth);
  return Math.min(later(dayOfMonth), dayOf(year, month + months + 1, 0));
}

/** Returns a tariff code, for example `E-1R-AGILE-24-10-01-C`. */
export function tariffCodeOf({
  product,
  fuel,
  region,
  registers,
}: Omit<Tariff, 'product'> & { readonly product: string }): string {
  return `${fuel === 'gas' ? 'G' : 'E'}-${registers}R-${product}-${region}`;
}

/** Returns the tariff with a code, or undefined if there is none. */
export function findTariff(code: string): Tariff | undefined {
  const [, letter, registers, productCode = '', region = ''] =
    /^([EG])-([12])R-(.+)-([A-HJ-NP])$/.exec(code) ?? [];
  const product = findProduct(productCode);
  if (product === undefined) return undefined;
  const { gas, twoRegisters } = product.line;
  if (registers === '2' && (letter === 'G' || !twoRegisters)) return undefined;
  if (letter === 'G' && !gas) return undefined;
  return {
    product,
    fuel: letter === 'G' ? 'gas' : 'electricity',
    region,
    registers: registers === '2' ? 2 : 1,
  };
}

/** Per mille of the price for direct debit. */
const methodFactors = { DIRECT_DEBIT: 1000, NON_DIRECT_DEBIT: 1056, PREPAYMENT: 969 } as const;

/** Returns per mille of the cap. A price that is fixed is below the cap of the quarter in which its sale begins. */
function fixedFactor({ line, code }: Product): number {
  return line.price === 'fixed' ? 900 + (hash32('fixed', code) % 61) : 1000;
}

/** Returns the cap of a quarter in a region, without VAT. */
function capped({ fuel, region }: Tariff, quarter: Quarter, factor: number) {
  const { unit, standing } = capOf(quarter)[fuel];
  const local = regional(region);
  const [ofUnit, ofStanding] = fuel === 'gas' ? [local.gas, 1000] : [local.unit, local.standing];
  return {
    unit: Math.round((unit * ofUnit * factor) / 1050),
    standing: Math.round((standing * ofStanding * factor) / 1050),
  };
}

function meanRate(seed: number, tariff: Tariff, date: Day, weights: readonly number[]): number {
  const rateAt = halfHourRates(seed, tariff, date);
  const { length } = wholesaleOn(seed, date).prices;
  let [sum, total] = [0, 0];
  for (let nth = 0; nth < length; nth++) {
    const weight = weights[Math.min(nth, weights.length - 1)] as number;
    sum += rateAt(nth) * weight;
    total += weight;
  }
  return Math.floor(sum / total);
}

function isExport({ line }: Product): boolean {
  return line.is?.includes('export') === true;
}

/** Whether the rates follow the wholesale prices, which depend on the seed. */
export function isMarket({ line: { price } }: Product): boolean {
  return price === 'daily' || price === 'half-hourly';
}
