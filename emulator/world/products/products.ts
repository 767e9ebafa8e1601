import type { platformApi } from 'busbar/catalogue';
import { london } from '../../engine/calendar.js';
import { hash32 } from '../../engine/random.js';
import { dateOf, dayOf } from '../../engine/time.js';
import { regions } from '../identifiers.js';
import { type BaseProduct, baseProducts } from './base-products.js';
import { shortInstant } from '../formats.js';
import type { Tariff } from './unit-rates.js';

/** A product without its links, which depend on the URL of the request. */
export type Product = Omit<platformApi.Product, 'links'>;

export type Products = ReturnType<typeof createProducts>;

/** Returns a function for the products of the current run, which depend on its seed. */
export function productsOf(count: number, world: { readonly seed: () => number }): () => Products {
  let current: { readonly seed: number; readonly products: Products } | undefined;
  return () => {
    const seed = world.seed();
    if (current?.seed !== seed) current = { seed, products: createProducts(count, seed) };
    return current.products;
  };
}

/** Creates that many products: those of events, then fixed ones, a few for each month back from December 2025. */
function createProducts(count: number, seed: number) {
  const listed = [...baseProducts, ...fixedProducts(count - baseProducts.length, seed)];
  const byCode = new Map(listed.map((product) => [product.code, product]));
  return {
    /** All products, sorted by code. */
    all: listed.map(productOf).sort((one, other) => (one.code < other.code ? -1 : 1)),
    find(code: string): Product | undefined {
      const found = byCode.get(code);
      return found && productOf(found);
    },
    /** Returns a tariff of the product, or undefined for a code of another product. */
    tariff(code: string, tariffCode: string): Tariff | undefined {
      const product = byCode.get(code);
      const region = regions.find(({ letter }) => tariffCode === tariffCodeOf('electricity', code, letter));
      if (product === undefined || region === undefined) return undefined;
      return {
        seed,
        product: code,
        price: product.price,
        region: region.letter,
        from: midnight(product.from),
        isExport: product.is?.includes('export') ?? false,
        isBusiness: product.is?.includes('business') ?? false,
      };
    },
  };
}

/** Returns a tariff code, for example `E-1R-AGILE-24-10-01-C`. */
export function tariffCodeOf(fuel: 'electricity' | 'gas', product: string, region: string): string {
  return `${fuel === 'gas' ? 'G' : 'E'}-1R-${product}-${region}`;
}

/** Parses a tariff code, or returns undefined. Does not check that the product exists. */
export function readTariffCode(
  code: string,
): { readonly fuel: 'electricity' | 'gas'; readonly product: string; readonly region: string } | undefined {
  const [, fuel, product, region] = /^([EG])-1R-(.+)-([A-HJ-NP])$/.exec(code) ?? [];
  if (product === undefined || region === undefined) return undefined;
  return { fuel: fuel === 'G' ? 'gas' : 'electricity', product, region };
}

const ownBrand = 'EMULATOR_ENERGY';

function productOf(product: BaseProduct): Product {
  const { code, name, description, from, to, term, brand = ownBrand, is = [] } = product;
  return {
    code,
    direction: is.includes('export') ? 'EXPORT' : 'IMPORT',
    full_name: name,
    display_name: name.replace(/ \d+ Months.*/, ''),
    description,
    is_variable: is.includes('variable'),
    is_green: is.includes('green'),
    is_tracker: is.includes('tracker'),
    is_prepay: is.includes('prepay'),
    is_business: is.includes('business'),
    is_restricted: is.includes('restricted'),
    term: term ?? null,
    available_from: shortInstant(midnight(from)),
    available_to: to === undefined ? null : shortInstant(midnight(to)),
    brand,
  };
}

/** Kinds of fixed products; each month has one of each kind. */
const families = [
  { code: 'FIX-12M', name: 'Fixed Lantern 12 Months', term: 12, is: ['green'] },
  { code: 'FIX-24M', name: 'Fixed Lantern 24 Months', term: 24, is: [] },
  { code: 'BUS-24M-FIXED', name: 'Fixed Business Lantern 24 Months', term: 24, is: ['business', 'green'] },
  { code: 'PREPAY-FIX-12M', name: 'Prepaid Fixed Lantern 12 Months', term: 12, is: ['prepay'] },
  {
    code: 'HARBOUR-FIX-12M',
    name: 'Harbour Fixed 12 Months',
    term: 12,
    is: ['green'],
    brand: 'HARBOUR_POWER',
  },
] as const;

function fixedProducts(count: number, seed: number): BaseProduct[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const family = families[index % families.length] as (typeof families)[number];
    // Later months than those of base products of the same family, so codes differ.
    const first = dayOf(2025, 12 - Math.floor(index / families.length), 1);
    const { year, month } = dateOf(first);
    const date = `${year}-${two(month)}-${two(2 + (hash32(seed, 'product', index) % 10))}`;
    const sold = new Date(Date.parse(date) + 45 * 86_400_000).toISOString().slice(0, 10);
    return {
      code: `${family.code}-${date.slice(2)}`,
      name: `${family.name} ${date}`,
      description: 'One price for the whole term.',
      price: 'fixed',
      from: date,
      to: sold,
      term: family.term,
      is: family.is,
      ...('brand' in family && { brand: family.brand }),
    };
  });
}

function midnight(date: string): number {
  return london.instantOf(Date.parse(date) / 86_400_000);
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
