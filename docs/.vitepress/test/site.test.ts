import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { launchBrowser } from '../../../test/browser/launch.js';
import { openSearch } from '../../../test/first-run/search-site.js';
import { deadLinks } from './links.js';
import { serve } from './serve.js';

const dist = join(import.meta.dirname, '../dist');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A page of each kind. */
const kinds = [
  '/',
  '/reference/events/',
  '/reference/events/billing.final_bill-v1.html',
  '/reference/api/busbar.html',
  '/reference/api/busbar-emulator/',
  '/reference/cli.html',
  '/reference/invariants.html',
  '/reference/stream.html',
  '/tutorial/verify-a-python-service.html',
];

/** Lists the findings of axe. VitePress itself leaves the key out of the search button's name for screen readers. */
const axeFindings = `axe
  .run(document, { resultTypes: ['violations'], rules: { 'label-content-name-mismatch': { enabled: false } } })
  .then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + failureSummary)),
  )`;

describe('the built site', () => {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    browser = await launchBrowser();
    site = await serve(dist);
  });
  afterAll(async () => {
    site.stop();
    await browser.close();
  });

  /** Opens a page of the site. The test fails if the browser reports an error or asks another host. */
  async function open(path: string, options?: Parameters<Browser['newPage']>[0]): Promise<Page> {
    const page = await browser.newPage(options);
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('request', (request) => {
      if (!/^data:/.test(request.url()) && !request.url().startsWith(site.url)) problems.push(request.url());
    });
    onTestFinished(async () => {
      await page.close();
      expect(problems).toEqual([]);
    });
    await page.goto(site.url + path, { waitUntil: 'networkidle' });
    return page;
  }

  it('links only to pages and headings that exist', () => {
    expect(deadLinks(dist)).toEqual([]);
  });

  it('leaves no text of a removed link alone in parentheses', () => {
    const pages = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.html'),
    );
    expect(pages.filter((path) => readFileSync(join(dist, path), 'utf8').includes('(why)'))).toEqual([]);
  });

  it('takes at most 25 MB', () => {
    const sizes = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((path) => {
      return statSync(join(dist, path)).size;
    });
    expect(sizes.reduce((sum, size) => sum + size) / 2 ** 20).toBeLessThan(25);
  });

  it.each(kinds)('shows %s without a horizontal scroll bar', async (path) => {
    const page = await open(path);
    for (const width of [400, 768, 800, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      const shown = await page.evaluate('document.documentElement.scrollWidth');
      expect(shown, `at a width of ${width}`).toBeLessThanOrEqual(width);
    }
  });

  it.each(['/reference/cli.html', '/tutorial/test-your-consumer.html'])(
    'shows whole lines of help and output: %s',
    async (path) => {
      const page = await open(path, { viewport: { width: 1280, height: 800 } });
      const cut = `[...document.querySelectorAll('.language-text pre')].filter((pre) => pre.scrollWidth > pre.clientWidth).length`;
      expect(await page.evaluate(cut)).toBe(0);
    },
  );

  it.each(kinds)('shows %s as axe demands', async (path) => {
    const page = await open(path);
    await page.evaluate(axe);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate(axeFindings), colorScheme).toEqual([]);
    }
  });

  it('opens the menu where its links do not fit', async () => {
    const page = await open('/', { viewport: { width: 800, height: 800 } });
    await page.getByRole('button', { name: 'mobile navigation' }).click();
    await page.locator('#VPNavScreen').getByRole('link', { name: 'Guides' }).click();
    await page.waitForURL('**/guides/**');
  });

  it.each(['final_bill', 'billing.final_bill', 'leave-supplier.completed', 'account.updated-v1'])(
    'finds the page of the event first when you search for %s',
    async (query) => {
      const page = await open('/');
      await page.getByRole('button', { name: 'Search' }).click();
      await page.locator('#localsearch-input').fill(query);
      const first = page.locator('.results a.result').first();
      await first.filter({ hasText: query }).waitFor();
      expect(await first.getAttribute('href')).toMatch(/\/reference\/events\/.+\.html$/);
      await first.click();
      await page.locator('h1').filter({ hasText: query }).waitFor();
    },
  );

  it('finds the page of each event first by its name and by its type', async () => {
    const search = await openSearch(dist);
    const wrong: string[] = [];
    for (const { name, type } of openCatalogue().events) {
      const [byName] = search(name);
      const [byType = ''] = search(type);
      if (byName !== `/reference/events/${name}.html`) wrong.push(`${name}: ${byName}`);
      if (!byType.startsWith(`/reference/events/${type}-`)) wrong.push(`${type}: ${byType}`);
    }
    expect(wrong).toEqual([]);
  });

  it('filters the events by domain, field, key and scenario', async () => {
    const page = await open('/reference/events/account_user.created-v1.html');
    const counts = (found: number) =>
      page
        .getByRole('status')
        .filter({ hasText: `${found} of 268 event versions` })
        .waitFor();
    await page.getByRole('link', { name: 'user', exact: true }).click();
    await counts(22);
    await page.getByLabel('Partition key').selectOption('all');
    await counts(268);
    await page.getByLabel('Domain').selectOption('billing');
    await page.getByLabel('Scenario').selectOption('house-move');
    await page.getByLabel('Name, field or description').fill('statement_id');
    await counts(2);
    await page.getByRole('link', { name: 'billing.final_bill-v1' }).waitFor();
    expect(page.url()).toContain('?text=statement_id&domain=billing&scenario=house-move');
  });
});
