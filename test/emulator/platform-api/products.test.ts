import { describe, expect, it } from 'vitest';
import type { platformApi } from '../../../catalogue/index.js';
import { play } from '../scenarios/play.js';
import { serve } from './serve.js';

type List = platformApi.ProductList;

/** Every page, by following `next`. */
async function all(api: Awaited<ReturnType<typeof serve>>, path: string) {
  const pages: List[] = [];
  for await (const page of api.pages<List>(path)) pages.push(page);
  return { pages, products: pages.flatMap(({ results }) => results) };
}

describe('GET products/', () => {
  it('returns a hundred products per page, each once when next is followed', async () => {
    const { pages, products } = await all(await serve(), 'products/');
    const count = products.length;
    expect(count).toBeGreaterThan(500);
    expect(pages.slice(0, -1).map((page) => [page.count, page.results.length])).toEqual(
      Array.from({ length: Math.floor(count / 100) }, () => [count, 100]),
    );
    expect(new Set(products.map(({ code }) => code)).size).toBe(count);
    expect(pages[0]?.previous).toBeNull();
    expect(pages[1]?.previous).toMatch(/\/v1\/products\/\?page=1$/);
  });

  it('answers the same with and without a slash at the end, but for the locators', async () => {
    const { get } = await serve();
    const [one, other] = [await get<List>('products/?page=2'), await get<List>('products?page=2')];
    expect(one.results).toEqual(other.results);
    expect(other.previous).toMatch(/\/v1\/products\?page=1$/);
  });

  it('returns every field of a product, and working links', async () => {
    const api = await serve();
    const { get, base } = api;
    const { products } = await all(api, 'products/?brand=HARBOUR_POWER&page_size=70');
    for (const product of products) {
      expect(product.links).toEqual([
        { href: `${base}products/${product.code}/`, method: 'GET', rel: 'self' },
      ]);
      expect(await get(product.links[0]!.href)).toEqual(product);
    }
    expect(Object.keys(products[0]!)).toEqual(
      `code direction full_name display_name description is_variable is_green is_tracker is_prepay is_business
       is_restricted term available_from available_to links brand`.split(/\s+/),
    );
    expect(new Set(products.map(({ direction }) => direction))).toEqual(new Set(['IMPORT', 'EXPORT']));
  });

  it('combines its filters, and keeps them in next', async () => {
    const api = await serve();
    const { products: every } = await all(api, 'products/');
    for (const [query, matches] of [
      ['brand=HARBOUR_POWER', (each) => each.brand === 'HARBOUR_POWER'],
      ['is_green=true', (each) => each.is_green],
      ['is_prepay=false', (each) => !each.is_prepay],
      ['is_green=True', (each) => each.is_green],
      ['is_green=1', (each) => each.is_green],
      ['is_prepay=False', (each) => !each.is_prepay],
      ['is_prepay=0&is_green=TRUE', (each) => !each.is_prepay && each.is_green],
      ['brand=EMULATOR_ENERGY&is_green=true', (each) => each.brand === 'EMULATOR_ENERGY' && each.is_green],
      ['is_prepay=true&is_green=true&brand=HARBOUR_POWER', () => false],
      ['brand=NOBODY', () => false],
      ['is_orange=true', () => true],
    ] as [string, (each: platformApi.Product) => boolean][]) {
      const { pages, products } = await all(api, `products/?${query}&page_size=90`);
      expect(
        products.map(({ code }) => code),
        query,
      ).toEqual(every.filter(matches).map(({ code }) => code));
      for (const { next } of pages) if (next !== null) expect(next).toContain(`?${query}&page_size=90&page=`);
    }
  });

  it.each([
    ['is_green=maybe', '400 invalid_request is_green:invalid_boolean'],
    ['is_green=', '400 invalid_request is_green:invalid_boolean'],
    ['is_green=yes&is_prepay=2', '400 invalid_request is_green:invalid_boolean is_prepay:invalid_boolean'],
    ['is_green=true&is_green=true', '400 invalid_request is_green:repeated_parameter'],
    ["brand='; DROP TABLE products; --", '400 invalid_request brand:invalid_brand'],
    ['brand=%00', '400 invalid_request brand:invalid_brand'],
    ['brand=', '400 invalid_request brand:invalid_brand'],
    ['page=0', '400 invalid_request page:invalid_page'],
    ['page=-1', '400 invalid_request page:invalid_page'],
    ['page=1e3', '400 invalid_request page:invalid_page'],
    ['page=99999999999999', '400 invalid_request page:invalid_page'],
    ['page=300', '404 invalid_page'],
    ['page_size=0', '400 invalid_request page_size:invalid_page_size'],
    ['page_size=101', '400 invalid_request page_size:invalid_page_size'],
  ])('answers ?%s with %s', async (query, expected) => {
    const { refused } = await serve();
    expect(await refused(`products/?${query}`)).toBe(expected);
  });

  it('contains every product of events', async () => {
    // A year later, when all of them are on sale or have been.
    const { ask } = await serve({ start: Date.UTC(2027, 2, 2) });
    const sent = new Set<string>();
    for (const { bytes } of await play(
      ['house-move', 'agreement-changes', 'contract-life', 'export-installation'],
      {
        instances: 40,
      },
    )) {
      for (const [, code] of String(bytes).matchAll(/"product_code":"([^"]+)"/g)) sent.add(code!);
    }
    expect(sent.size).toBeGreaterThan(5);
    for (const code of sent) expect([code, (await ask(`products/${code}/`)).status]).toEqual([code, 200]);
  });

  it('answers for a product that there is not, or not in that spelling, with 404', async () => {
    const { refused } = await serve();
    for (const code of [
      'NONE',
      'agile-24-10-01',
      '..',
      '%2e%2e',
      '__proto__',
      "x'%20OR%201=1",
      'a'.repeat(2000),
    ]) {
      expect(await refused(`products/${code}/`)).toMatch(/^404 not_found|^not/);
    }
  });
});
