import type { RequestHandler } from 'express';
import type { Answers } from './answers.js';
import { notFound } from './api-error.js';
import { baseUrl, locatorOf, pathParameter } from './locator.js';
import { defaultPageSize, pageOf } from './pages.js';
import type { Product, Products } from './products.js';
import { boolean, brandCode, pageNumber, pageSize, readQuery } from './query.js';

/** Answers that are kept as text: products do not change while a run goes on, and clients ask for few of their pages. */
const keptAnswers = 200;

/** `GET products/`: those that match all filters, page by page. */
export function listProducts(products: () => Products, answers: Answers): RequestHandler {
  const kept = new Map<string, string>();
  let listed: Products | undefined;
  return (request, response) => {
    const present = products();
    if (listed !== present) kept.clear();
    listed = present;
    const locator = locatorOf(request);
    let text = kept.get(locator.href);
    if (text === undefined) {
      const { brand, is_green, is_prepay, ...page } = readQuery(locator.searchParams, {
        brand: brandCode,
        is_green: boolean,
        is_prepay: boolean,
        page: pageNumber,
        page_size: pageSize(defaultPageSize),
      });
      const found = present.all.filter(
        (product) =>
          (brand === undefined || product.brand === brand) &&
          (is_green === undefined || product.is_green === is_green) &&
          (is_prepay === undefined || product.is_prepay === is_prepay),
      );
      const base = baseUrl(request);
      const at = (place: number) => linked(found[place] as Product, base);
      text = answers.text(pageOf({ count: found.length, at }, page, locator));
      if (kept.size >= keptAnswers) kept.clear();
      kept.set(locator.href, text);
    }
    response.type('json').send(text);
  };
}

/** `GET products/<code>/`: where the link `self` of a product leads. */
export function readProduct(products: () => Products, answers: Answers): RequestHandler {
  return (request, response) => {
    const product = products().find(pathParameter(request, 'product_code'));
    if (product === undefined) throw notFound();
    answers.send(response, linked(product, baseUrl(request)));
  };
}

function linked({ brand, ...product }: Product, base: string) {
  return {
    ...product,
    links: [{ href: `${base}products/${product.code}/`, method: 'GET', rel: 'self' }],
    brand,
  };
}
