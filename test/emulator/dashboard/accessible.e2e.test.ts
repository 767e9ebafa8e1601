import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { restartPort } from '../../restart-port.js';
import { failingGroup } from './failing-group.js';
import { emulator, move, openPage, paused, untilText } from './open-page.js';

type Pressed = Readonly<Record<string, string | boolean>>;

/** Presses keys on an element, and returns those that the page has taken from the browser. */
function takenOn(page: Page, selector: string, ...keys: readonly Pressed[]): Promise<string[]> {
  return page.evaluate<string[]>(`
    ${JSON.stringify(keys)}.filter((init) => {
      const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init });
      return !document.querySelector('${selector}').dispatchEvent(event);
    }).map(({ key }) => key)`);
}

describe('the keys of the dashboard', () => {
  it('leave zooming and going back to the browser', async () => {
    const { url, run } = await emulator(move);
    await run.finished;
    const page = await openPage(`${url}/?view=journeys&customer=1`);
    await page.locator('.tick').first().waitFor();
    await page.getByRole('slider').waitFor();
    const back = { key: 'ArrowLeft', altKey: true };
    const zoom = ['+', '-', '0'].map((key) => ({ key, ctrlKey: true }));
    expect(await takenOn(page, '.tick', back, ...zoom, { key: '0', metaKey: true })).toEqual([]);
    expect(await takenOn(page, '[role=slider]', back)).toEqual([]);
    expect(await takenOn(page, '[role=slider]', { key: 'ArrowLeft' })).toEqual(['ArrowLeft']);
  });

  it('act no longer when switched off, also after a reload in a narrow window', async () => {
    const { url } = await emulator(move);
    const page = await openPage(url, { width: 320 });
    const view = () => new URL(page.url()).searchParams.get('view');
    const turn = async () => {
      await page.getByRole('button', { name: 'Keys' }).click();
      await page.getByLabel('Use letters and signs as shortcuts').click();
      await page.keyboard.press('Escape');
    };
    await turn();
    await page.reload();
    await page.getByTestId('events').press('r');
    await page.getByTestId('events').press('ArrowDown');
    await page.getByTestId('event').waitFor();
    expect(view()).toBe(null);
    await turn();
    await page.keyboard.press('r');
    expect(view()).toBe('run');
  });

  it('change no view behind the open help', async () => {
    const { url } = await emulator(move);
    const page = await openPage(url);
    await page.getByTestId('events').press('?');
    await page.getByRole('dialog').waitFor();
    for (const key of ['r', 'ArrowDown']) await page.keyboard.press(key);
    expect(new URL(page.url()).search).toBe('');
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('choose no suggestion while an input method composes text', async () => {
    const { url } = await emulator(move);
    const page = await openPage(url);
    await page.getByLabel('Filter events').fill('billing');
    await page.getByRole('option', { name: 'domain billing', exact: true }).waitFor();
    expect(await takenOn(page, '#filter', { key: 'Enter', isComposing: true })).toEqual([]);
    expect(await takenOn(page, '#filter', { key: 'Enter' })).toEqual(['Enter']);
  });
});

describe('the focus', () => {
  it('stays in a field while the emulator restarts, so that no letter acts as a key', async () => {
    const http = { port: await restartPort() };
    const first = await emulator({ ...paused, http });
    const page = await openPage(`${first.url}/?view=compose&compose=account.created-v1`);
    await untilText(page, 'validity', 'Matches its schema');
    await page.getByLabel('account_number').fill('');
    await page.keyboard.type('A-1');
    await first.stop();
    await untilText(page, 'state', 'not connected');
    const send = page.getByRole('button', { name: 'Send' });
    expect(await send.isDisabled()).toBe(true);
    await page.keyboard.type('rc');
    expect(new URL(page.url()).searchParams.get('view')).toBe('compose');
    await emulator({ ...paused, http, seed: 4 });
    await untilText(page, 'state', 'paused');
    await page.keyboard.type('lw');
    await expect.poll(() => send.isEnabled()).toBe(true);
    expect(await page.getByLabel('account_number').inputValue()).toBe('A-1rclw');
  });

  it('stays near a button that becomes disabled', async () => {
    const { url, run } = await emulator(move);
    await run.finished;
    const page = await openPage(`${url}/?view=journeys&customer=1`);
    const button = page.getByRole('button', { name: 'Zoom in' });
    for (let times = 0; times < 4; times++) await button.press('Enter');
    await expect.poll(() => button.isDisabled()).toBe(true);
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    await page.keyboard.press('-');
    expect(await button.isEnabled()).toBe(true);
  });

  it.each([
    [1280, 800],
    [640, 400],
  ])('returns to the list from a closed event in a window of %i by %i pixels', async (width, height) => {
    const { url } = await emulator(move);
    const page = await openPage(url);
    await page.setViewportSize({ width, height });
    const list = page.getByTestId('events');
    await list.press('ArrowDown');
    await page.getByRole('button', { name: 'Close' }).press('Enter');
    await page.getByTestId('event').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.dataset.testid')).toBe('events');
    await list.press('ArrowDown');
    await page.getByTestId('event').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('event').waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.dataset.testid')).toBe('events');
  });

  it.each([
    [1280, 800],
    [320, 200],
  ])('never hides behind a bar in a window of %i by %i pixels', async (width, height) => {
    const { url } = await emulator({ ...move, instances: 3 });
    const page = await openPage(`${url}/?event=5`);
    await page.setViewportSize({ width, height });
    await page.getByTestId('copies').getByRole('button', { name: 'Copy' }).focus();
    const shown: boolean[] = [];
    const close = 'document.activeElement.matches(".panel-bar *")';
    while (!(await page.evaluate<boolean>(close))) {
      shown.push(
        await page.evaluate<boolean>(`{
          const { left, top, width, height } = document.activeElement.getBoundingClientRect();
          document.activeElement.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }`),
      );
      await page.keyboard.press('Shift+Tab');
    }
    expect(shown.length).toBeGreaterThan(10);
    expect(shown).not.toContain(false);
  });
});

describe('a screen reader', () => {
  it('finds the position of each event in the whole list', async () => {
    const { url, run } = await emulator({ ...move, instances: 3 });
    const { events } = await run.finished;
    const page = await openPage(url);
    await untilText(page, 'received', new RegExp(`^${events}$`));
    await page.getByTestId('events').press('ArrowDown');
    await page.getByTestId('events').press('ArrowDown');
    const open = page.locator(`[id="event-${events - 1}"]`);
    await open.and(page.locator('[aria-selected=true]')).waitFor();
    expect(await open.getAttribute('aria-posinset')).toBe('2');
    expect(await open.getAttribute('aria-setsize')).toBe(String(events));
  });

  it('reads the versions and the supply point of a moment as words of their own', async () => {
    const { url, run } = await emulator(move);
    await run.finished;
    const page = await openPage(`${url}/?view=journeys&customer=1`);
    await page.getByRole('button', { name: /leave-supplier\.requested v2 v3 \d+$/ }).waitFor();
  });

  it('tells apart the buttons of dead letters', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    await failingGroup(started, 'billing');
    for (let times = 0; times < 2; times++) await started.trigger('account.created-v1');
    const page = await openPage(`${started.url}/?view=consumers`);
    await page.locator('.letter').nth(1).waitFor();
    const actions = await page.locator('.letter .buttons > *').all();
    const names = await Promise.all(actions.map((action) => action.ariaSnapshot()));
    expect(new Set(names.map((name) => name.split('\n')[0])).size).toBe(6);
    for (const button of ['Replay 2', 'Discard'])
      await page
        .getByRole('button', { name: new RegExp(`^${button},? account\\.created-v1, TypeError, .*billing$`) })
        .waitFor();
  });

  it('finds the places of announcements before there are any', async () => {
    const { url } = await emulator(paused);
    const page = await openPage(`${url}/?view=run`);
    await page.getByRole('button', { name: 'Start', exact: true }).waitFor();
    expect(await page.getByTestId('run').getByRole('status').count()).toBe(4);
  });

  it('reads the problem of a field, also if its name has spaces', async () => {
    const catalogue = openCatalogue({
      events: [
        {
          $id: 'note.written-v1',
          title: 'NoteWrittenV1',
          description: 'A note.',
          'x-event-type': 'note.written',
          'x-event-version': 'v1',
          'x-group': 'communications',
          type: 'object',
          properties: { 'number of pages': { type: 'integer' } },
          required: ['number of pages'],
        },
      ],
    });
    const { url } = await emulator({ catalogue });
    const page = await openPage(`${url}/?view=compose&compose=note.written-v1`);
    await page.getByRole('textbox', { name: 'number of pages' }).fill('few');
    await page.locator('.form-wrong').waitFor();
    const described = 'document.activeElement.ariaDescribedByElements.map((each) => each.textContent)';
    expect(await page.evaluate(described)).toEqual(['must be integer']);
  });

  it('hears no events from the focused time line', async () => {
    const { url, run } = await emulator(paused);
    const page = await openPage(url);
    const slider = page.getByRole('slider');
    await slider.focus();
    const picture = () => page.locator('.density').innerHTML();
    const [text, drawn] = [await slider.getAttribute('aria-valuetext'), await picture()];
    run.step(3);
    await expect.poll(picture).not.toBe(drawn);
    expect(await slider.getAttribute('aria-valuetext')).toBe(text);
  });
});
