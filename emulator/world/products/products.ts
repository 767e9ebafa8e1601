import { hash32 } from '../../engine/random.js';
import { type Day, dateOf, day, dayOf, formatDay } from '../../engine/time.js';
import { type Line, type LineCode, lines } from './lines.js';

export type Brand = 'EMULATOR_ENERGY' | 'HARBOUR_POWER';

/** A product of a line. It depends on its code alone. */
export interface Product {
  readonly code: string;
  readonly line: Line;
  readonly lineCode: LineCode;
  readonly brand: Brand;
  /** The first day of sale. */
  readonly from: Day;
  /** The day after the last day of sale; undefined for the newest product of a line without a term. */
  readonly to: Day | undefined;
}

/** Days for which a product and its successor are both sold, so that agreements can be made well before they begin. */
const overlap = 70;

/**
 * Returns the newest product of a line on a day, or of the line that came before it. It is on sale for ten weeks at least.
 */
export function productOf(line: LineCode, brand: Brand, date: Day): Product {
  const launches = launchDays[line];
  if (launches !== undefined) {
    const nth = launches.findLastIndex((day) => day <= date);
    return nth < 0 ? productOf(lines[line].before ?? 'VAR', brand, date) : productAt(line, brand, nth);
  }
  const { year, month } = dateOf(date);
  const nth = year * 12 + month - 1;
  return productAt(line, brand, launchOf(line, nth) <= date ? nth : nth - 1);
}

/** Returns the product with a code, or undefined if there is none. */
export function findProduct(code: string): Product | undefined {
  const found = products.get(code);
  if (found !== undefined) return found;
  const [, prefix, line = '', date = ''] = /^(HARBOUR-)?([A-Z\d-]+?)-(\d\d-\d\d-\d\d)$/.exec(code) ?? [];
  if (!Object.hasOwn(lines, line) || Number.isNaN(dayIn(date))) return undefined;
  const product = productOf(line as LineCode, prefix === undefined ? brands[0] : brands[1], dayIn(date));
  return product.code === code ? product : undefined;
}

/** Returns the products that were on sale on a day between the two, sorted by code. */
export function productsBetween(from: Day, to: Day): Product[] {
  const found = new Set<Product>();
  for (const brand of brands) {
    for (const line of Object.keys(lines) as LineCode[]) {
      for (let date = from; date <= to; date += 14) found.add(productOf(line, brand, date));
      found.add(productOf(line, brand, to));
    }
  }
  return [...found].sort((one, other) => (one.code < other.code ? -1 : 1));
}

export const brands = ['EMULATOR_ENERGY', 'HARBOUR_POWER'] as const satisfies readonly Brand[];

/** First days of sale of the lines that do not have a product a month. */
const launchDays = Object.fromEntries(
  Object.entries(lines).map(([code, { launches }]) => [code, launches?.map(dayIn)]),
) as Readonly<Record<LineCode, readonly Day[] | undefined>>;

/** Returns the first day of sale of a line, or undefined for a line that has had a product every month. */
export function firstLaunch(line: LineCode): Day | undefined {
  return launchDays[line]?.[0];
}

/** Products by code, each created on first use. */
const products = new Map<string, Product>();
const productLists: Record<Brand, Partial<Record<LineCode, Product[]>>> = {
  EMULATOR_ENERGY: {},
  HARBOUR_POWER: {},
};

/** @param nth Index of the launch: in the list, or the number of the month. */
function productAt(line: LineCode, brand: Brand, nth: number): Product {
  const list = (productLists[brand][line] ??= []);
  return (list[nth] ??= newProduct(line, brand, nth));
}

function newProduct(code: LineCode, brand: Brand, nth: number): Product {
  const line = lines[code];
  const from = launchOf(code, nth);
  const next = launchOf(code, nth + 1);
  const product: Product = {
    code: `${brand === brands[1] ? 'HARBOUR-' : ''}${code}-${formatDay(from).slice(2)}`,
    line,
    lineCode: code,
    brand,
    from,
    to: Number.isNaN(next) ? undefined : next + overlap,
  };
  products.set(product.code, product);
  return product;
}

function launchOf(code: LineCode, nth: number): Day {
  const launches = launchDays[code];
  if (launches !== undefined) return launches[nth] ?? Number.NaN;
  return dayOf(Math.floor(nth / 12), (nth % 12) + 1, 3 + (hash32('launch', code, nth) % 12));
}

/** Reads a date with two digits of the year, from 2005 to 2104. NaN if it is none. */
function dayIn(text: string): Day {
  return Date.parse(`${text < '05' ? 21 : 20}${text}`) / day;
}
