import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cases, playsAll } from '../../cases.js';
import { failingGroup } from './failing-group.js';
import { emulator, move, openPage, paused } from './open-page.js';
import { views } from './views.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Resolves when observers of sizes have run, and what they changed is drawn. */
const twoFrames = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** Finds content outside the window that cannot be scrolled to, and text cut off without an ellipsis. */
const layoutFaults = `(() => {
  const faults = [];
  if (document.documentElement.scrollWidth > window.innerWidth) faults.push('the page is wider than the window');
  const scrolls = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(each);
      if (/auto|scroll/.test(overflowX + overflowY)) return true;
    }
    return false;
  };
  for (const element of document.body.querySelectorAll('*')) {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) continue;
    const name = element.tagName + '.' + element.className + ' ' + (element.textContent ?? '').slice(0, 40);
    if ((box.right > window.innerWidth + 1 || box.left < -1) && !scrolls(element.parentElement)) faults.push('outside: ' + name);
    const { overflowX, textOverflow } = getComputedStyle(element);
    if (overflowX === 'hidden' && textOverflow !== 'ellipsis' && element.scrollWidth > element.clientWidth + 1) {
      faults.push('cut off: ' + name);
    }
  }
  return faults;
})()`;

function axeFindings(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`
    axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 200) + failureSummary)))`);
}

const looks = [
  ['light', 1280],
  ['dark', 390],
  ['dark', 1280],
  ['light', 390],
  ['light', 700],
  ['dark', 870],
] as const;

/** Every third view, each with the next colour scheme and width; in the long suite every view with all of them. */
const viewsToLookAt = views
  .filter((_, nth) => playsAll || nth % 3 === 1)
  .map((view, nth) => {
    const first = nth % looks.length;
    return {
      ...view,
      looks: [...looks.slice(first), ...looks.slice(0, first)].slice(0, cases(1, looks.length)),
    };
  });

it.each(viewsToLookAt)(
  'the view $name passes axe and cuts off no text',
  async ({ address, options, shown, company, expected, steps = 60, looks }) => {
    const started = await emulator({ ...options, run: { paused: true } });
    const { url, run } = started;
    run.step(steps);
    const leave = await company?.(started);
    onTestFinished(() => leave?.());
    const page = await openPage(url + address, { ...(expected && { expected }) });
    await page.getByTestId('sent').waitFor();
    await page.evaluate(axe);
    for (const [colorScheme, width] of looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.locator(shown).first().waitFor();
      await page.evaluate(twoFrames);
      const look = `${colorScheme}, ${width} px wide`;
      expect(await axeFindings(page), look).toEqual([]);
      expect(await page.evaluate(layoutFaults), look).toEqual([]);
    }
  },
);

it.each([
  [200, 640, 400],
  [400, 320, 200],
])('lets the view fill the window at %i percent zoom', async (_, width, height) => {
  const { options } = views.find(({ name }) => name === 'live')!;
  const { url, run } = await emulator({ ...options, run: { paused: true } });
  run.step(60);
  const page = await openPage(url);
  await page.setViewportSize({ width, height });
  await page.getByTestId('events').waitFor();
  await page.getByTestId('speed').waitFor();
  const viewBox = () =>
    page.evaluate<number[]>(`{
      scrollTo(0, 1_000);
      const { top, height } = document.querySelector('main').getBoundingClientRect();
      [Math.abs(Math.round(top)), height];
    }`);
  await expect.poll(viewBox).toEqual([0, height]);
  expect(await page.evaluate(layoutFaults)).toEqual([]);
});

it('keeps the actions of an event in one line of a narrow window', async () => {
  const { url, run } = await emulator(paused);
  run.step(5);
  const page = await openPage(`${url}/?event=3`, { width: 360 });
  await page.getByRole('button', { name: 'Close' }).waitFor();
  const boxes = await page.locator('.panel-bar button').all();
  const tops = await Promise.all(boxes.map(async (box) => (await box.boundingBox())?.y));
  expect(tops).toHaveLength(5);
  expect(new Set(tops).size).toBe(1);
});

it('writes no label of the time axis over another', async () => {
  const { url, run } = await emulator({ scenario: 'everyday', accounts: 20, seed: 3, run: { paused: true } });
  run.step(600);
  const page = await openPage(`${url}/?view=journeys&customer=5`, { width: 700 });
  for (const state of ['sent', 'expected']) await page.locator(`.moment.${state}`).first().waitFor();
  const labels = await page.evaluate<{ text: string; left: number; right: number; top: number }[]>(`
    Array.from(document.querySelectorAll('.waterfall-time > span'), (label) => {
      const range = document.createRange();
      range.selectNodeContents(label);
      const { left, right, top } = range.getBoundingClientRect();
      return { text: label.textContent, left, right, top: Math.round(top) };
    }).sort((one, other) => one.top - other.top || one.left - other.left)`);
  expect(labels.length).toBeGreaterThan(8);
  const overlapping = labels.filter(({ top, left }, index) => {
    const before = labels[index - 1];
    return before !== undefined && before.top === top && before.right > left;
  });
  expect(overlapping).toEqual([]);
});

describe('moved rows', () => {
  it('keep the colours of their domains', async () => {
    const { address, options, shown } = views.find(({ name }) => name === 'event')!;
    const { url, run } = await emulator({ ...options, run: { paused: true } });
    run.step(60);
    const page = await openPage(url + address);
    await page.locator(shown).first().waitFor();
    const dots = await page.evaluate<[string, string][]>(`
      Array.from(document.querySelectorAll('[data-testid=events] .row'), (row) => [
        row.querySelector('.domain').textContent,
        getComputedStyle(row.querySelector('.domain')).backgroundColor,
      ])`);
    const pairs = new Set(dots.map((dot) => dot.join(' ')));
    const domains = new Set(dots.map(([domain]) => domain));
    expect(domains.size).toBeGreaterThan(2);
    expect([...pairs].sort()).toHaveLength(domains.size);
  });
});

describe('the colours', () => {
  it('change by the switch, and stay after a reload', async () => {
    const { url } = await emulator(move);
    const page = await openPage(url);
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    await page.getByTestId('events').waitFor();
    const light = await background();
    await page.getByRole('button', { name: 'Dark colours' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Light colours' }).waitFor();
    expect(await background()).not.toBe(light);
    await page.getByRole('button', { name: 'Light colours' }).click();
    expect(await background()).toBe(light);
  });

  it('print light, and keep those of the events', async () => {
    const { url } = await emulator(move);
    const page = await openPage(`${url}/?view=journeys&customer=1`);
    await page.locator('.tick').first().waitFor();
    const looks = () =>
      page.evaluate<string[]>(`[
        getComputedStyle(document.body).color,
        getComputedStyle(document.querySelector('.tick')).backgroundColor,
        getComputedStyle(document.querySelector('.tick')).printColorAdjust,
      ]`);
    const [text, tick] = await looks();
    await page.getByRole('button', { name: 'Dark colours' }).click();
    await page.emulateMedia({ media: 'print' });
    expect(await looks()).toEqual([text, tick, 'exact']);
  });
});

it('shows the events in a browser that refuses to store data', async () => {
  const { url } = await emulator(move);
  const page = await openPage('about:blank');
  await page.addInitScript(`Object.defineProperty(window, 'localStorage', {
    get() { throw new DOMException('denied', 'SecurityError'); },
  })`);
  await page.goto(url);
  await page.getByTestId('events').waitFor();
  await page.getByRole('button', { name: 'Dark colours' }).click();
  await page.getByRole('button', { name: 'Light colours' }).waitFor();
});

describe('forced colours', () => {
  it('show the current view, the open event, pressed buttons, differences and domains', async () => {
    const { url } = await emulator(move);
    const page = await openPage(`${url}/?event=3`);
    await page.emulateMedia({ forcedColors: 'active' });
    await page.getByTestId('copies').waitFor();
    const looks = (selector: string, property: string) =>
      page.evaluate<string[]>(`Array.from(document.querySelectorAll('${selector}'), (each) =>
        getComputedStyle(each).${property})`);
    const [live, journeys] = await looks('.top nav a', 'borderBottomColor');
    expect(live).not.toBe(journeys);
    const count = (outlines: readonly string[]) =>
      outlines.filter((outline) => outline.includes('solid')).length;
    expect(count(await looks('.row', 'outline'))).toBe(1);
    expect(count(await looks('.panel .segments button', 'outline'))).toBe(1);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.keyboard.press('ArrowDown');
    await page.locator('tr.differs').first().waitFor();
    expect(count(await looks('tr.differs', 'outline'))).toBeGreaterThan(0);
    expect(await looks('.event-head .dot', 'forcedColorAdjust')).toEqual(['none']);
  });
});

describe('the dashboard on the network', () => {
  it('loads only from its server, without inline scripts and styles', async () => {
    const { url } = await emulator(move);
    const page = await openPage('about:blank');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const response = await page.goto(url);
    await page.getByTestId('events').waitFor();
    expect(asked.filter((each) => !each.startsWith(url))).toEqual([]);
    const html = await response!.text();
    expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/);
    expect(response!.headers()['content-security-policy']).toMatch(
      /default-src 'none'; script-src 'self'; style-src 'self';/,
    );
  });

  it('caches the files with a hash in their name', async () => {
    const { url } = await emulator(move);
    const headers = { accept: 'text/html' };
    const document = await fetch(url, { headers });
    const html = await document.text();
    const etag = document.headers.get('etag')!;
    expect(document.headers.get('cache-control')).toBe('no-cache');
    // Not with `fetch`, which requests a fresh document.
    const [again] = (await once(
      get(url, { headers: { ...headers, 'if-none-match': etag } }),
      'response',
    )) as [IncomingMessage];
    again.resume();
    expect(again.statusCode).toBe(304);
    const script = /src="([^"]+\.js)"/.exec(html)![1]!;
    const asset = await fetch(url + script);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await fetch(`${url}/dashboard/assets/..%2f..%2f..%2fpackage.json`)).status).toBe(404);
  });

  it('leaves the list of services to clients other than browsers', async () => {
    const { url } = await emulator(move);
    const text = await (await fetch(url, { headers: { accept: '*/*' } })).text();
    expect(text).toContain('/events');
  });

  it('responds to requests for data, and explains invalid ones', async () => {
    const { url } = await emulator(move);
    const post = async (body: string, type = 'application/json') => {
      const response = await fetch(`${url}/dashboard/validate`, {
        method: 'POST',
        body,
        headers: { 'content-type': type },
      });
      return [response.status, await response.json()] as const;
    };
    const question = (type: string) => JSON.stringify({ type, version: 'v1', payload: {} });
    expect(await post(question('account.created'))).toMatchObject([
      200,
      { violations: [{ rule: 'required' }, {}] },
    ]);
    expect(await post(question('account.created'), 'text/plain')).toMatchObject([
      400,
      { error: 'invalid-option' },
    ]);
    expect(await post(question('no.such'))).toMatchObject([400, { error: 'unknown-event' }]);
    expect(await post('{"type":')).toMatchObject([400, { error: 'bad-request' }]);
    expect((await fetch(`${url}/dashboard/catalogue/no.such-v1`)).status).toBe(404);
    for (const body of ['{}', '{"value":1}', '{"value":"null","headers":null}']) {
      const headers = { 'content-type': 'application/json' };
      const encoded = await fetch(`${url}/dashboard/encode`, { method: 'POST', body, headers });
      expect(encoded.status, body).toBe(404);
    }
    for (const cell of ['-1', '1.5', 'x', '1e99']) {
      expect((await fetch(`${url}/dashboard/course/${cell}`)).status, cell).toBe(404);
    }
  });
});

describe('the journey of an unknown customer', () => {
  it('waits ten seconds before it asks again', async () => {
    const { url } = await emulator();
    const page = await openPage(`${url}/?view=live`, { expected: /404/ });
    await page.clock.install();
    const asked: string[] = [];
    page.on('response', (response) => asked.push(response.url()));
    const refused = () => asked.filter((each) => each.endsWith('/dashboard/course/99')).length;
    await page.goto(`${url}/?view=journeys&customer=99`);
    await expect.poll(refused).toBe(1);
    await page.clock.runFor(9_000);
    await page.getByText('No events of this customer yet').waitFor();
    expect(refused()).toBe(1);
    await page.clock.runFor(2_000);
    await expect.poll(refused).toBe(2);
  });
});

describe('a consumer with a long name', () => {
  it('hides neither the summary of an event nor the number of dead letters', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    const name = 'long-name.'.repeat(16);
    await failingGroup(started, name);
    for (let times = 0; times < 12; times++) await started.trigger('account.created-v1');
    const page = await openPage(started.url, { width: 390 });
    await page.getByRole('link', { name: '12 dead letters' }).waitFor();
    await page
      .locator('.row-about')
      .filter({ hasText: `✓ ${name}` })
      .first()
      .waitFor();
    const [cut, room] = await page.evaluate<[number, number]>(`{
      const link = document.querySelector('.run-bar .fault');
      const mark = document.querySelector('.outcome-mark');
      const right = (element) => element.getBoundingClientRect().right;
      [link.scrollWidth - link.clientWidth, right(mark.parentElement) - right(mark)];
    }`);
    expect(cut).toBe(0);
    expect(room).toBeGreaterThan(100);
  });
});

describe('the lag chart', () => {
  it('begins again when the clock of this machine is set back', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    await failingGroup(started, 'billing');
    const page = await openPage('about:blank');
    await page.clock.install();
    await page.goto(`${started.url}/?view=consumers`);
    await page.locator('.legend li').waitFor();
    await page.clock.setSystemTime(Date.now() - 3_600_000);
    const points = async () =>
      (await page.locator('.lag-plot path').getAttribute('d'))!.match(/[\d.]+ 150/g)!;
    await page.clock.runFor(3_000);
    await expect.poll(async () => (await points()).at(-1)).toBe('600 150');
    expect(Math.max(...(await points()).map(Number.parseFloat))).toBe(600);
  });
});

describe('the age of a commit', () => {
  it('follows the clock of the emulator', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    await failingGroup(started, 'billing');
    await started.trigger('account.created-v1');
    const page = await openPage('about:blank');
    await page.clock.setFixedTime(Date.now() + 3 * 3_600_000);
    await page.goto(`${started.url}/?view=consumers`);
    const group = page.getByTestId('group-billing');
    await group.getByText(/^last commit/).waitFor();
    expect(await group.textContent()).toMatch(/last commit [\d:]{8} UTC \([\d.]+ m?s ago\)/);
  });
});

describe('the state of a dead letter', () => {
  it('stays smaller than its cause, whichever view opens first', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    await failingGroup(started, 'billing');
    await started.trigger('account.created-v1');
    const page = await openPage(`${started.url}/?view=consumers`);
    const cause = page.locator('.cause');
    await cause.getByRole('button', { name: 'Discard' }).click();
    await cause.getByRole('button', { name: 'Discard 1?' }).click();
    await page.getByRole('button', { name: '1 discarded' }).click();
    const letter = page.locator('.letter');
    await letter.getByText('discarded', { exact: true }).waitFor();
    const sizes = await page.evaluate<string[]>(`
      ['.letter', '.letter .mark'].map((each) => getComputedStyle(document.querySelector(each)).fontSize)`);
    expect(sizes).toEqual(['13px', '12px']);
  });
});
