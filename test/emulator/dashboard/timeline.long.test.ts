import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { emulator, move, openPage, paused, untilText } from './open-page.js';

const moves = { ...move, instances: 3 } as const;

/** Presses at one share of the time line, and releases at another one. */
async function drag(page: Page, from: number, to = from): Promise<void> {
  const { x, y, width, height } = (await page.getByRole('slider').boundingBox())!;
  await page.mouse.move(x + width * from, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width * to, y + height / 2);
  await page.mouse.up();
}

/** Moves the focused slice of the time line, and returns its text. */
async function press(page: Page, key: string): Promise<string> {
  await page.getByRole('slider').press(key);
  return (await page.getByRole('slider').getAttribute('aria-valuetext'))!;
}

/** Returns the paths that are drawn, by class. */
function drawn(page: Page, of: string): Promise<string | null> {
  return page.locator(`.density-${of}`).getAttribute('d');
}

describe('the time line', () => {
  it('shows events, faults, inputs and the known future by picture, keys and text', async () => {
    const { url, run, trigger, setFaults } = await emulator({ ...moves, run: { paused: true } });
    setFaults('duplicate=100%');
    run.step(1);
    const page = await openPage(`${url}/?view=world`);
    await expect.poll(() => drawn(page, 'ahead')).toMatch(/^M/);
    await expect.poll(() => drawn(page, 'faults')).toMatch(/^M/);
    expect(await drawn(page, 'inputs')).toMatch(/^M/);
    expect(await press(page, 'Home')).toMatch(
      /^2026-03-02 09:00 · \d+ events · lifecycle · .*faults · Faults set/,
    );
    let text = '';
    for (let pressed = 0; !text.includes('planned') && pressed < 170; pressed++)
      text = await press(page, 'ArrowRight');
    expect(text).toMatch(/^2026-03-\d\d \d\d:\d\d · \d+ planned events?$/);
    await trigger('account.created-v1');
    await press(page, 'End');
    await expect.poll(() => page.getByRole('slider').getAttribute('aria-valuetext')).toMatch(/injected/);
    run.resume();
    await run.finished;
    await expect.poll(() => drawn(page, 'ahead')).toBe('');
  });

  it('draws nothing before it knows the start of the run', async () => {
    const { url, run } = await emulator(paused);
    run.step(5);
    const page = await openPage(url);
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    await page.route(/dashboard\/timeline/, async (route) => {
      await asked;
      await route.continue();
    });
    await page.reload();
    await page.getByTestId('events').getByRole('option').first().waitFor();
    expect(await page.getByTestId('timeline-text').count()).toBe(0);
    answer();
    await page.getByTestId('timeline-text').waitFor();
  });

  it('shows the known future without waiting for a timer', async () => {
    const { url, run } = await emulator({ ...moves, run: { paused: true } });
    run.step(1);
    const page = await openPage('about:blank');
    await page.addInitScript(`
      const { setTimeout: schedule } = window;
      window.setTimeout = (act, delay = 0) => (delay > 100 ? 0 : schedule(act, delay));`);
    await page.goto(url);
    await expect.poll(() => drawn(page, 'ahead')).toMatch(/^M/);
  });

  it('filters Live and Journeys by a dragged span, until a click on Now', async () => {
    const { url, run } = await emulator(moves);
    const { events } = await run.finished;
    const page = await openPage(url);
    await untilText(page, 'received', new RegExp(`^${events}$`));
    await drag(page, 0.5, 1);
    await page.getByRole('button', { name: /^Remove time 2026-/ }).waitFor();
    await page.getByText(/[1-9]\d* matching$/).waitFor();
    const some = Number(await page.getByTestId('received').textContent());
    expect(some).toBeLessThan(events);
    await page.getByRole('link', { name: 'Journeys' }).click();
    const listed = async () =>
      (await page.locator('td.number').allTextContents()).reduce((sum, text) => sum + Number(text), 0);
    await expect.poll(listed).toBe(some);
    await page.reload();
    await expect.poll(listed).toBe(some);
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await expect.poll(listed).toBe(events);
    expect(new URL(page.url()).search).toBe('?view=journeys');
    await page.goBack();
    await expect.poll(listed).toBe(some);
  });

  it('chooses a span by keys', async () => {
    const { url, run } = await emulator(moves);
    await run.finished;
    const page = await openPage(url);
    await page.getByTestId('events').waitFor();
    await press(page, 'Home');
    for (let step = 0; step < 20; step++) await press(page, 'Shift+ArrowRight');
    await press(page, 'Enter');
    await page.getByRole('button', { name: /^Remove time 2026-03-02 09:00 to/ }).click();
    await page.getByRole('button', { name: /^Remove time/ }).waitFor({ state: 'detached' });
  });

  it('shows the world at a clicked instant, and the world of now by a click on Now', async () => {
    const { url, run } = await emulator(moves);
    await run.finished;
    const page = await openPage(url);
    await page.getByTestId('events').waitFor();
    await drag(page, 0.3);
    await expect.poll(() => new URL(page.url()).searchParams.get('view')).toBe('world');
    const at = Date.parse(new URL(page.url()).searchParams.get('at')!);
    expect(at).toBeGreaterThan(Date.parse('2026-03-02T09:00'));
    expect(at).toBeLessThan(run.now);
    await page.locator('td a').first().click();
    await page.getByRole('heading', { name: /^A-/ }).waitFor();
    await page.locator('.history .later').first().waitFor();
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await page.locator('.history .later').first().waitFor({ state: 'detached' });
  });

  it('marks the restart that began a run', async () => {
    const { url, run, reset } = await emulator(moves);
    await run.finished;
    const page = await openPage(url);
    await page.getByTestId('events').waitFor();
    expect(await drawn(page, 'inputs')).toBe('');
    await reset();
    await expect.poll(() => drawn(page, 'inputs')).toMatch(/^M/);
    expect(await press(page, 'Home')).toContain('Run 2 started');
  });
});
