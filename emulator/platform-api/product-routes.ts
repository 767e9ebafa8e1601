import type { platformApi } from 'busbar/catalogue';
import type { Responses } from './responses.js';
import { notFound } from './api-error.js';
import type { PlatformHandler } from './document.js';
import { baseUrl, locatorOf } from './locator.js';
import { pageOf } from './pages.js';
import type { Product, Products } from '../world/products/products.js';

/** The maximum number of cached pages: products do not change during a run, and clients request few pages. */
const maxCachedPages = 200;

/** Handles `GET products/`: the products that match all filters, in pages. */
export function listProducts(
  products: () => Products,
  responses: Responses,
): PlatformHandler<'listProducts'> {
  const cache = new Map<string, platformApi.ProductList>();
  let cached: Products | undefined;
  return ({ parameters: { brand, is_green, is_prepay, ...page }, request }) => {
    const current = products();
    if (cached !== current) cache.clear();
    cached = current;
    const base = baseUrl(request);
    const address = base + request.originalUrl;
    const before = cache.get(address);
    if (before !== undefined) return before;
    const found = current.all.filter(
      (product) =>
        (brand === undefined || product.brand === brand) &&
        (is_green === undefined || product.is_green === is_green) &&
        (is_prepay === undefined || product.is_prepay === is_prepay),
    );
    const at = (index: number) => withLinks(found[index] as Product, base);
    const body = responses.cache(pageOf({ count: found.length, at }, page, locatorOf(request)));
    if (cache.size >= maxCachedPages) cache.clear();
    cache.set(address, body);
    return body;
  };
}

/** Handles `GET products/<code>/`, the target of the link `self` of a product. */
export function readProduct(products: () => Products): PlatformHandler<'readProduct'> {
  return ({ parameters: { product_code }, request }) => {
    const product = products().find(product_code);
    if (product === undefined) throw notFound();
    return withLinks(product, baseUrl(request));
  };
}

function withLinks({ brand, ...product }: Product, base: string): platformApi.Product {
  return {
    ...product,
    links: [{ href: `${base}products/${product.code}/`, method: 'GET', rel: 'self' }],
    brand,
  };
}
