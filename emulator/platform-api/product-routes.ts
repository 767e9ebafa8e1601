import type { platformApi } from 'busbar/catalogue';
import { london } from '../engine/calendar.js';
import { type Day, dayOf, yearOf } from '../engine/time.js';
import { shortInstant } from '../world/formats.js';
import { findProduct, type Product, productsBetween } from '../world/products/products.js';
import type { Responses } from './responses.js';
import { notFound } from './api-error.js';
import type { PlatformHandler } from './document.js';
import { baseUrl, locatorOf } from './locator.js';
import { pageOf } from './pages.js';
import type { WorldView } from './world-view.js';

/** The maximum number of cached pages: products change once a day at most, and clients request few pages. */
const maxCachedPages = 200;

/** Handles `GET products/`: the products of the last ten years that match all filters, in pages. */
export function listProducts(world: WorldView, responses: Responses): PlatformHandler<'listProducts'> {
  const cache = new Map<string, platformApi.ProductList>();
  let today: Day | undefined;
  let products: Product[] = [];
  return ({ parameters: { brand, is_green, is_prepay, ...page }, request }) => {
    if (today !== london.dayAt(world.now())) {
      today = london.dayAt(world.now());
      products = productsBetween(dayOf(yearOf(today) - 10, 1, 1), today);
      cache.clear();
    }
    const base = baseUrl(request);
    const address = base + request.originalUrl;
    const before = cache.get(address);
    if (before !== undefined) return before;
    const found = products.filter(
      (product) =>
        (brand === undefined || product.brand === brand) &&
        (is_green === undefined || is(product, 'green') === is_green) &&
        (is_prepay === undefined || is(product, 'prepay') === is_prepay),
    );
    const at = (index: number) => productBody(found[index] as Product, base);
    const body = responses.cache(pageOf({ count: found.length, at }, page, locatorOf(request)));
    if (cache.size >= maxCachedPages) cache.clear();
    cache.set(address, body);
    return body;
  };
}

/** Handles `GET products/<code>/`, the target of the link `self` of a product. */
export function readProduct(world: WorldView): PlatformHandler<'readProduct'> {
  return ({ parameters: { product_code }, request }) => {
    const product = findProduct(product_code);
    if (product === undefined || london.instantOf(product.from) > world.now()) throw notFound();
    return productBody(product, baseUrl(request));
  };
}

function productBody(product: Product, base: string): platformApi.Product {
  const { code, line, brand, from, to } = product;
  const name = line.name.replace('#', brand === 'EMULATOR_ENERGY' ? 'Lantern' : 'Harbour');
  return {
    code,
    direction: is(product, 'export') ? 'EXPORT' : 'IMPORT',
    full_name: name + (line.launches === undefined ? ` ${code.slice(-8)}` : ''),
    display_name: name.replace(/ \d+ Months$/, ''),
    description: line.description,
    is_variable: is(product, 'variable'),
    is_green: is(product, 'green'),
    is_tracker: is(product, 'tracker'),
    is_prepay: is(product, 'prepay'),
    is_business: is(product, 'business'),
    is_restricted: is(product, 'restricted'),
    term: line.term ?? null,
    available_from: shortInstant(london.instantOf(from)),
    available_to: to === undefined ? null : shortInstant(london.instantOf(to)),
    links: [{ href: `${base}products/${code}/`, method: 'GET', rel: 'self' }],
    brand,
  };
}

function is({ line }: Product, property: NonNullable<Product['line']['is']>[number]): boolean {
  return line.is?.includes(property) ?? false;
}
