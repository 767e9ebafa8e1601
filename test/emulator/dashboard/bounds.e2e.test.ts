import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { restartPort } from '../../restart-port.js';
import { openCatalogue } from '../../../catalogue/index.js';
import { after, replayRecording } from '../../../emulator/index.js';
import { silentLogger } from '../../../src/base/logger.js';
import { occur } from '../../../emulator/engine/scenario.js';
import { defineScenario } from '../../../emulator/scenarios/define.js';
import { cases, playsAll } from '../../cases.js';
import { liveMemory } from '../../live-memory.js';
import { lossyProxy } from './lossy-proxy.js';
import { emulator, move, openPage, paused, rowsOf, untilRows, untilText } from './open-page.js';

/** Returns options of a run that sends these payloads. */
function sending(...payloads: readonly unknown[]) {
  return sendingAs('hostile.text', payloads);
}

function sendingAs(type: string, payloads: readonly unknown[], note = 'string') {
  const catalogue = openCatalogue({
    events: [
      {
        $id: `${type}-v1`,
        title: 'HostileTextV1',
        description: 'Any typed text.',
        'x-event-type': type,
        'x-event-version': 'v1',
        'x-group': 'communications',
        type: 'object',
        properties: { note: { type: note } },
      },
    ],
  });
  const scenario = defineScenario({
    name: 'hostile',
    title: 'Hostile',
    description: 'Sends hostile payloads.',
    branches: {},
    *run({ cell }) {
      for (const payload of payloads) {
        yield* occur({
          type,
          key: cell.account.number,
          versions: [{ version: 'v1', payload }],
        });
        yield* after({ seconds: 1 });
      }
    },
  });
  return { catalogue, scenario };
}

/** Returns the heap of a page after a garbage collection, in bytes. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
}

/** Returns the numbers of events that the page has received and reports as missed. */
async function countsOn(page: Page) {
  const [received = '', missed = ''] = await Promise.all(
    ['received', 'missed'].map((id) => page.getByTestId(id).allTextContents().then(String)),
  );
  const numberIn = (text: string) => Number(text.replaceAll(/\D/g, ''));
  return { received: numberIn(received), missed: numberIn(missed) };
}

async function sumOn(page: Page): Promise<number> {
  const { received, missed } = await countsOn(page);
  return received + missed;
}

describe('the dashboard with hostile payloads', () => {
  it('shows markup as text, never as HTML', async () => {
    const hostile = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';
    const payload = { text: hostile, [hostile]: [hostile], __proto__x: { '</script>': '\u2028${1}`' } };
    const { url, run } = await emulator(sending(payload));
    await run.finished;
    const page = await openPage(`${url}/?event=1`);
    await untilText(page, 'validity', 'Matches its schema');
    expect(await page.getByTestId('event').getByText(hostile, { exact: true }).count()).toBeGreaterThan(1);
    for (const form of ['Command', 'Handler', 'Test', 'JSON']) {
      await page.getByRole('button', { name: form, exact: true }).click();
      await page.getByLabel(`The event as ${form}`).waitFor();
    }
    expect(await page.locator('img, #app script').count()).toBe(0);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    // Neither does text in the address.
    await page.goto(`${url}/?text=${encodeURIComponent(hostile)}&types=${encodeURIComponent(hostile)}`);
    await page.getByText('No event matches this filter yet').waitFor();
    expect(await page.evaluate('window.pwned')).toBeUndefined();
  });

  it('shows control and bidirectional characters as escapes', async () => {
    const { url, run } = await emulator(
      sending({ text: 'abc\u202edcba\u0007', 'na\u2066me': 'first\nsecond' }),
    );
    await run.finished;
    const page = await openPage(`${url}/?event=1`);
    await untilText(page, 'validity', 'Matches its schema');
    const shown = await page.evaluate<string>('document.body.textContent');
    expect(shown).toContain('abc\\u202edcba\\u0007');
    expect(shown).toContain('first\nsecond');
    expect(shown).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  });

  it.each([
    ['account', 'view=world&of=A-\u202e1'],
    ['event', 'view=compose&compose=a\u202e.b-v1'],
    ['text', 'text=a\u202eb'],
  ])('shows control characters in the %s of an address as escapes', async (_, search) => {
    const { url } = await emulator(paused);
    const page = await openPage(`${url}/?${search}`, { expected: /404/ });
    await page.locator('.empty').waitFor();
    await expect.poll(() => page.title()).toContain('Busbar');
    const shown = await page.evaluate<string>(`[
      document.title, document.body.textContent,
      ...Array.from(document.querySelectorAll('[aria-label]'), (each) => each.ariaLabel),
    ].join()`);
    expect(shown).toContain('\\u202e');
    expect(shown).not.toMatch(/\p{Cf}/u);
  });

  it('keeps the line breaks of a string that is edited', async () => {
    const { url, run } = await emulator(sending({ note: 'one\ntwo' }));
    await run.finished;
    const page = await openPage(`${url}/?event=1`);
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByLabel('note', { exact: true }).press('Control+End');
    await page.keyboard.type('!');
    await page.getByRole('button', { name: 'JSON' }).click();
    expect(JSON.parse(await page.getByLabel('Payload as JSON').inputValue())).toEqual({ note: 'one\ntwo!' });
  });

  it('shows a payload of a megabyte', async () => {
    const { url, run } = await emulator(
      sending({ text: `${'x'.repeat(1_000_000)}<end>` }, { text: 'short' }),
    );
    await run.finished;
    const page = await openPage(`${url}/?event=1`);
    await page.getByTestId('event').getByRole('button', { name: 'Show all 1,000,005 characters' }).waitFor();
    await untilText(page, 'received', '2');
    expect(await page.evaluate('document.body.textContent.length')).toBeLessThan(60_000);
  });

  it('composes and filters events with a name of 240 characters', async () => {
    const type = `hostile.${'long_'.repeat(46)}`;
    const { url, run } = await emulator(sendingAs(type, [{ note: 'one' }]));
    await run.finished;
    const page = await openPage(`${url}/?view=compose&compose=${type}-v1`);
    await page.getByRole('button', { name: 'Add note' }).waitFor();
    await page.keyboard.press('l');
    await page.getByLabel('Filter events').fill('long_long');
    await page.keyboard.press('Enter');
    await untilRows(page, 'long_long');
    await page.getByTestId('received').filter({ hasText: '1' }).waitFor();
  });

  it('shows a deeply nested payload', async () => {
    const nested = JSON.parse('{"a":'.repeat(1_500) + '1' + '}'.repeat(1_500)) as unknown;
    const { url, run } = await emulator(sending({ nested }));
    await run.finished;
    const page = await openPage(`${url}/?event=1`);
    const tree = page.getByTestId('event').locator('.tree');
    await tree.getByRole('button', { expanded: false }).click();
    await tree.getByRole('button', { expanded: false }).waitFor();
    expect(await tree.locator('li').count()).toBeLessThan(20);
  });
});

describe('the dashboard', () => {
  it('does not show events that the emulator no longer has as dropped', async () => {
    const { catalogue, scenario } = sending(...Array<object>(10_000).fill({}));
    const { url, run } = await emulator({ ...move, scenario: ['house-move', scenario], catalogue });
    await run.finished;
    const page = await openPage(`${url}/?view=journeys&customer=1`);
    await page
      .getByTestId('process')
      .getByText(/^\d+ sent, \d+ no longer kept$/)
      .waitFor();
    expect(await page.locator('.moment').first().textContent()).toMatch(/requested.*no longer kept/);
    expect(await page.locator('.moment.missing, .moment.expected').count()).toBe(0);
  });

  it('does not count events on the time line that the emulator no longer has', async () => {
    const { url, run } = await emulator({ scenario: 'everyday', accounts: 600, duration: 30 * 86_400_000 });
    await run.finished;
    const page = await openPage(url);
    await page.getByTestId('events').getByRole('option').first().waitFor();
    const slider = page.getByRole('slider');
    const first = () => slider.press('Home').then(() => slider.getAttribute('aria-valuetext'));
    await expect.poll(first).toBe('2026-03-02 09:00 · events no longer kept');
  });

  it('draws the last events of a long journey, and others in a span of time', async () => {
    const { url, run, ...started } = await emulator();
    await started.trigger('account.created-v1', { count: 700 });
    await expect.poll(() => run.summary.events).toBe(700);
    const page = await openPage(`${url}/?view=journeys&customer=0`);
    await page.getByText('The last 300 of 700 events.').waitFor();
    expect(await page.locator('.moment').count()).toBe(300);
    expect(await page.getByTestId('process').count()).toBe(300);
  });

  it('counts an event that the catalogue lacks in the domain that filters it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dashboard-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const record = join(folder, 'run.ndjson');
    const sent = await emulator({ ...sendingAs('order_placed_late', [{}]), run: { record } });
    await sent.finished;
    const http = { port: 0 };
    const replay = await replayRecording({
      file: record,
      kafka: false,
      http,
      speed: 'instant',
      logger: silentLogger,
    });
    onTestFinished(() => replay.stop());
    await replay.finished;
    const page = await openPage(`${replay.url}/?domains=order_placed`, { expected: /status of 404/ });
    await untilText(page, 'received', '1');
    await page.getByRole('slider').press('Home');
    expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toMatch(/· order_placed( ·|$)/);
  });

  it('compares with no event of another run', async () => {
    const { url, run, reset } = await emulator(move);
    await run.finished;
    const page = await openPage(`${url}/?event=2`);
    await page.getByRole('button', { name: 'Compare', pressed: false }).click();
    await page.keyboard.press('ArrowUp');
    await page.getByTestId('comparison').waitFor();
    await reset();
    await page.getByTestId('comparison').waitFor({ state: 'detached' });
  });

  it('shows each event once after a restart of the emulator', async () => {
    const http = { port: await restartPort() };
    const first = await emulator({ ...move, instances: 2, http });
    const { events } = await first.run.finished;
    const page = await openPage(first.url);
    await untilText(page, 'received', new RegExp(`^${events}$`));
    await first.stop();
    await untilText(page, 'state', 'not connected');
    const second = await emulator({ ...move, instances: 3, http });
    const again = await second.run.finished;
    await untilText(page, 'received', new RegExp(`^${again.events}$`));
    await untilText(page, 'state', 'all sent');
    await page.getByTestId('events').press('End');
    await page.getByText('leave-supplier.requested').first().waitFor();
    expect(new Set(await rowsOf(page)).size).toBeGreaterThan(5);
  });

  it('offers the events of another catalogue after a restart of the emulator', async () => {
    const http = { port: await restartPort() };
    const first = await emulator({ http });
    const page = await openPage(`${first.url}/?view=compose`);
    const names = page.getByLabel('Event').locator('option');
    await expect.poll(() => names.count()).toBeGreaterThan(200);
    const before = await names.count();
    await first.stop();
    await emulator({ http, catalogue: sending({}).catalogue });
    await expect.poll(() => names.count()).toBe(before + 1);
  });

  it('validates the event in the form by the catalogue of another emulator', async () => {
    const http = { port: await restartPort() };
    const first = await emulator({ http, ...sendingAs('hostile.text', [{ note: 'one' }]) });
    await first.run.finished;
    const page = await openPage(`${first.url}/?event=1`);
    await page.getByRole('button', { name: 'Resend' }).click();
    await untilText(page, 'validity', 'Matches its schema');
    await first.stop();
    await emulator({ http, ...sendingAs('hostile.text', [], 'integer') });
    await untilText(page, 'validity', 'Does not match its schema');
  });

  it('resumes after a lost connection', async () => {
    const { url, run } = await emulator(paused);
    const proxy = await lossyProxy(Number(new URL(url).port));
    const page = await openPage(proxy.url);
    run.step(5);
    await untilText(page, 'received', /^6$/);
    proxy.sever();
    await untilText(page, 'state', 'not connected');
    run.resume();
    const { events } = await run.finished;
    proxy.restore();
    await untilText(page, 'received', new RegExp(`^${events}$`));
  });

  it.runIf(playsAll)('uses bounded memory for many events, in browser and server', async () => {
    const { url, run } = await emulator({
      scenario: 'house-move',
      instances: 7_500,
      run: { paused: true },
    });
    const page = await openPage(url);
    run.step(200);
    await page.getByTestId('events').getByRole('option').first().waitFor();
    const before = await heapOf(page);
    const ours = liveMemory().heap;
    run.resume();
    const { events } = await run.finished;
    expect(events).toBeGreaterThan(200_000);
    await untilText(page, 'state', 'all sent');
    await expect.poll(() => sumOn(page)).toBe(events);
    expect((await heapOf(page)) - before).toBeLessThan(120 * 1024 * 1024);
    expect(liveMemory().heap - ours).toBeLessThan(150 * 1024 * 1024);
    expect(await page.getByTestId('events').getByRole('option').count()).toBeLessThan(60);
  });

  it('misses events after a stall instead of slowing the run, and reports their number', async () => {
    const { url, run } = await emulator({
      scenario: 'house-move',
      // The emulator keeps the last 10,000 events, and the connection holds some thousand.
      instances: cases(600, 2_000),
      run: { paused: true },
    });
    const page = await openPage(url);
    await untilText(page, 'state', 'paused');
    // A dialog blocks the page until it is closed.
    const isStuck = page.waitForEvent('dialog');
    const stuck = page.evaluate(`alert('stuck')`);
    const dialog = await isStuck;
    run.resume();
    const { events } = await run.finished;
    await dialog.accept();
    await stuck;
    await untilText(page, 'state', 'all sent');
    await expect.poll(() => sumOn(page)).toBe(events);
    expect((await countsOn(page)).missed).toBeGreaterThan(0);
    expect(await page.getByTestId('events').getByRole('option').count()).toBeLessThan(60);
  });
});
