import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { play } from '../scenarios/play.js';
import { emulator, move, openPage, paused, rowsOf, untilRows, untilText } from './open-page.js';

/** Returns the events of the first steps of a house move. */
async function eventsIn(steps: number, options: { readonly instances: number }) {
  const emissions = await play('house-move', options);
  const occurrences = [...new Set(emissions.map(({ headers }) => headers['occurrence-id']))].slice(0, steps);
  return emissions.filter(({ headers }) => occurrences.includes(headers['occurrence-id']));
}

/** Waits until the shown journey has the events of each process, and no others are expected. */
async function untilAllSent(page: Page): Promise<void> {
  await page.locator('.moment.sent').first().waitFor();
  await page.locator('.moment.expected').first().waitFor({ state: 'detached' });
}

describe('the live view', () => {
  it('shows every event as it is sent, newest first', async () => {
    const { url, run } = await emulator(paused);
    const page = await openPage(url);
    await page.getByText('Nothing has been sent yet').waitFor();
    run.step();
    await untilText(page, 'received', '2');
    await expect
      .poll(() => rowsOf(page))
      .toEqual([
        expect.stringMatching(/leave-supplier\.requestedv3.*house-move/),
        expect.stringContaining('leave-supplier.requestedv2'),
      ]);
    run.resume();
    const { events } = await run.finished;
    await untilText(page, 'received', String(events));
    await untilText(page, 'state', 'all sent');
  });

  it('pauses when scrolled, counts new events, and resumes at a click', async () => {
    const { url, run } = await emulator({
      scenario: 'house-move',
      instances: 6,
      run: { paused: true },
    });
    const page = await openPage(url);
    run.step(60);
    await page.getByTestId('events').getByRole('option').nth(20).waitFor();
    const before = (await eventsIn(60, { instances: 6 })).length;
    await untilText(page, 'received', new RegExp(`^${before}$`));
    await page.getByTestId('events').hover();
    await page.mouse.wheel(0, 600);
    await untilText(page, 'fresh', 'Paused');
    await expect
      .poll(() => page.evaluate("document.querySelector('[data-testid=events]').scrollTop"))
      .toBe(600);
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    const [button, list] = [
      await page.getByTestId('fresh').boundingBox(),
      await page.getByTestId('events').boundingBox(),
    ];
    expect(button!.y + button!.height).toBeLessThanOrEqual(list!.y);
    const [top] = await rowsOf(page);
    run.step(10);
    const fresh = (await eventsIn(70, { instances: 6 })).length - before;
    await untilText(page, 'fresh', `${fresh} new`);
    expect((await rowsOf(page))[0]).toBe(top);
    await page.getByTestId('fresh').click();
    await page.getByTestId('fresh').waitFor({ state: 'detached' });
    await expect.poll(async () => (await rowsOf(page))[0]).not.toBe(top);
  });

  it('resumes when an event closes, unless the user paused the list or scrolled it', async () => {
    const { url, run } = await emulator({ scenario: 'house-move', instances: 6, run: { paused: true } });
    const page = await openPage(url);
    const options = page.getByTestId('events').getByRole('option');
    const fresh = page.getByTestId('fresh');
    run.step(60);
    await options.nth(20).waitFor();
    const openAndClose = async (nth: number) => {
      await options.nth(nth).click();
      await page.getByTestId('event').waitFor();
      await page.keyboard.press('Escape');
      await page.getByTestId('event').waitFor({ state: 'detached' });
    };
    await openAndClose(2);
    await fresh.waitFor({ state: 'detached' });
    await page.keyboard.press(' ');
    await openAndClose(3);
    await untilText(page, 'fresh', 'Paused');
    await fresh.click();
    await page.getByTestId('events').hover();
    await page.mouse.wheel(0, 600);
    await untilText(page, 'fresh', 'Paused');
    await openAndClose(12);
    await untilText(page, 'fresh', 'Paused');
  });

  it('filters on the server, suggests terms, and keeps the filter in its address', async () => {
    const { url, run } = await emulator({ ...move, instances: 3 });
    const page = await openPage(url);
    const { events, byType } = await run.finished;
    await untilText(page, 'received', String(events));
    await page.keyboard.press('/');
    await page.keyboard.type('agreement');
    await page.getByRole('option', { name: 'domain agreement', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    const expected = (byType.get('agreement.created') ?? 0) + (byType.get('agreement.terminated') ?? 0);
    await untilText(page, 'received', new RegExp(`^${expected}$`));
    await untilRows(page, 'agreement.');
    expect(new URL(page.url()).search).toBe('?domains=agreement');

    await page.reload();
    await untilText(page, 'received', new RegExp(`^${expected}$`));
    await page.getByRole('button', { name: 'Remove domain agreement' }).click();
    await untilText(page, 'received', String(events));
    await page.getByLabel('Filter events').fill('no such text anywhere');
    await page.keyboard.press('Enter');
    await page.getByText('No event matches this filter yet').waitFor();
    await page.getByRole('button', { name: 'Show all events' }).click();
    await untilText(page, 'received', String(events));
  });

  it('shows each browser the events of its own filter', async () => {
    const { url, run } = await emulator({
      scenario: 'house-move',
      seed: 3,
      instances: 3,
      run: { paused: true },
    });
    const one = await openPage(`${url}/?domains=billing`);
    const other = await openPage(`${url}/?types=account.*`);
    await untilText(one, 'state', 'paused');
    await untilText(other, 'state', 'paused');
    run.resume();
    const { byType } = await run.finished;
    const sum = (domain: string) =>
      [...byType].reduce((all, [type, times]) => (type.startsWith(domain) ? all + times : all), 0);
    await untilText(one, 'received', new RegExp(`^${sum('billing.')}$`));
    await untilText(other, 'received', new RegExp(`^${sum('account.')}$`));
    await untilRows(one, 'billing.');
    await untilRows(other, 'account.');
  });

  it('handles the keys for events, pause, journey and help', async () => {
    const { url, run } = await emulator(paused);
    const page = await openPage(url);
    run.step(4);
    await untilText(page, 'received', /^5$/);
    await page.keyboard.press('ArrowDown');
    await page.getByText('Event 5', { exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.getByText('Event 4', { exact: true }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.getByText('Event 5', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?event=5');
    await page.keyboard.press('Escape');
    await page.getByTestId('event').waitFor({ state: 'detached' });
    await page.getByTestId('fresh').waitFor({ state: 'detached' });
    await page.keyboard.press(' ');
    await untilText(page, 'fresh', 'Paused');
    await page.keyboard.press(' ');
    await page.getByTestId('fresh').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Next older, next newer event').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Customer 1' }).waitFor();
  });
});

describe('the event panel', () => {
  it('shows types, descriptions, validity, envelope, headers and versions', async () => {
    const { url } = await emulator({
      ...move,
      branches: { told: 'web' },
    });
    const page = await openPage(`${url}/?event=2`);
    const event = page.getByTestId('event');
    await event.getByText('Matches its schema').waitFor();
    await event.getByText('Supply points are to leave us').waitFor();
    await event.getByText('list of object').first().waitFor();
    await event.getByText('Day on which supply should end. Unit: ISO 8601 date.').waitFor();
    await event.getByText('told web').waitFor();
    await event.getByText('occurrence-id').waitFor();
    const versions = page.getByTestId('versions');
    await versions.getByRole('columnheader', { name: 'v2' }).waitFor();
    const differing = await versions.locator('tr.differs').allTextContents();
    expect(differing.some((row) => row.startsWith('leave_supplier_process_number'))).toBe(true);
    await versions.getByRole('button', { name: 'v2' }).click();
    await page.getByText('Event 1', { exact: true }).waitFor();
  });

  it('copies a command that sends to this emulator', async () => {
    const { url, run } = await emulator(move);
    await run.finished;
    const page = await openPage(`${url}/?event=1`);
    await page.getByRole('button', { name: 'Command', exact: true }).click();
    await page.getByTestId('copies').getByText(`-v2 --to ${url} --raw`).waitFor();
  });

  it('copies over plain HTTP, where pages have no clipboard of their own', async () => {
    const { url } = await emulator(move);
    const page = await openPage('about:blank');
    await page.addInitScript('Object.defineProperty(navigator, "clipboard", { value: undefined })');
    await page.goto(`${url}/?event=1`);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const filter = page.getByLabel('Filter events');
    await filter.press('Control+V');
    expect(await filter.inputValue()).toMatch(/"account_number":\s*"A-/);
  });

  it('says so when the browser refuses the clipboard', async () => {
    const { url } = await emulator(move);
    const page = await openPage('about:blank');
    await page.addInitScript(`
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.execCommand = () => false`);
    await page.goto(`${url}/?event=1`);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Select to copy' }).waitFor();
  });

  it('shows why a damaged event is invalid', async () => {
    const { url, run } = await emulator({
      ...move,
      faults: 'invalid=100%',
    });
    await run.finished;
    const page = await openPage(`${url}/?event=1`);
    await untilText(page, 'validity', 'Does not match its schema');
    await page.getByTestId('event').getByText('invalid', { exact: true }).waitFor();
  });

  it('reports that a corrupt event is not JSON', async () => {
    const { url, run } = await emulator({
      ...move,
      faults: 'corrupt=100%',
    });
    await run.finished;
    const page = await openPage(`${url}/?event=1`);
    await page.getByText('The value is not JSON. Consumers dead-letter it.').waitFor();
  });
});

const moved = { told: 'web', outcome: 'moved' };

describe('the journey view', () => {
  it('follows a house move from start to end, with expected events', async () => {
    const branches = { ...moved, occupier: 'identified' };
    const { url, run } = await emulator({
      scenario: 'house-move',
      seed: 3,
      branches,
      run: { paused: true },
    });
    run.step(3);
    const page = await openPage(`${url}/?view=journeys`);
    await page.getByRole('link', { name: 'Customer 1' }).click();
    const moments = page.getByTestId('moments').getByRole('listitem');
    await page.locator('.moment.sent').nth(2).waitFor();
    await page.locator('.moment.expected').nth(11).waitFor();
    expect(await page.locator('.moment.sent').count()).toBe(3);
    expect(await page.locator('.moment.expected').count()).toBe(12);
    await page.getByText('occupier identified').waitFor();
    expect(await page.getByTestId('process').allTextContents()).toEqual([
      expect.stringMatching(/^house-move#1 3 sent, 12 expected .*outcome moved/),
    ]);
    await page.locator('.process-bar.ahead').waitFor();
    expect(await page.getByTestId('pause').allTextContents()).toContainEqual(
      expect.stringMatching(/^\d+ days$/),
    );
    expect(await page.getByTestId('journey-now').textContent()).toMatch(/^now \d\d:\d\d$/);

    run.resume();
    const { byType } = await run.finished;
    await page.locator('.moment.expected').first().waitFor({ state: 'detached' });
    expect(await page.locator('.moment.missing').count()).toBe(0);
    const shown = await moments.allTextContents();
    for (const type of byType.keys())
      expect(
        shown.some((text) => text.includes(type)),
        type,
      ).toBe(true);
    expect(shown.at(-1)).toContain('billing.ledger.entry_posted');
    await moments.filter({ hasText: 'billing.final_bill' }).getByRole('button').click();
    await page.getByTestId('event').getByText('Matches its schema').waitFor();
  });

  it('reaches every event of a long journey by clicks, by keys and at every zoom', async () => {
    const { url, run } = await emulator({
      scenario: ['house-move', 'billing-cycle', 'switch-loss'],
      seed: 3,
      instances: 1,
      until: Date.parse('2026-09-01'),
    });
    await run.finished;
    const page = await openPage(`${url}/?view=journeys&customer=1`);
    await untilAllSent(page);
    const ticks = page.locator('.tick');
    const count = await ticks.count();
    expect(count).toBeGreaterThan(20);
    const isOpen = async (index: number) => (await ticks.nth(index).getAttribute('class'))!.includes('open');
    for (let index = 0; index < count; index += 7) {
      await ticks.nth(index).click();
      await expect.poll(() => isOpen(index)).toBe(true);
    }
    await ticks.first().focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => isOpen(1)).toBe(true);
    expect(await ticks.nth(1).getAttribute('aria-label')).toMatch(/^\w[\w.-]+, 2026-03-02 09:00:\d\d, sent$/);
    const hidden = () =>
      page.evaluate<number>(`
        [...document.querySelectorAll('.tick')].filter((tick) => {
          tick.scrollIntoView({ inline: 'center', block: 'center' });
          const { left, top, width, height } = tick.getBoundingClientRect();
          return document.elementFromPoint(left + width / 2, top + height / 2) !== tick;
        }).length`);
    const width = () => page.evaluate<number>("document.querySelector('.waterfall-plane').clientWidth");
    expect(await hidden()).toBe(0);
    const before = await width();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.keyboard.press('+');
    await expect.poll(width).toBeGreaterThan(before * 3);
    expect(await hidden()).toBe(0);
    await page.keyboard.press('0');
    await expect.poll(width).toBe(before);
  });

  it('shows only the chosen span of time', async () => {
    const { url, run } = await emulator({
      scenario: 'house-move',
      seed: 3,
      branches: moved,
    });
    await run.finished;
    const page = await openPage(`${url}/?view=journeys&customer=1`);
    await page.locator('.moment').nth(8).waitFor();
    const all = await page.locator('.tick').count();
    await page.goto(`${page.url()}&from=${Date.parse('2026-03-01')}&to=${Date.parse('2026-03-03')}`);
    await page.locator('.moment').first().waitFor();
    await expect.poll(() => page.locator('.tick').count()).toBeLessThan(all);
    expect(await page.locator('.day').allTextContents()).toEqual(['Mon 2 Mar 2026']);
  });

  it('says that no customer has events in a span of time', async () => {
    const { url, run } = await emulator(move);
    await run.finished;
    const page = await openPage(`${url}/?view=journeys&from=0&to=1`);
    await page.getByText('No customers in this span of time').waitFor();
    await page.getByRole('button', { name: 'Now', exact: true }).click();
    await page.getByRole('link', { name: 'Customer 1' }).waitFor();
  });

  it('tells apart terminations by their supply points', async () => {
    const { url, run } = await emulator({
      scenario: 'house-move',
      seed: 1,
      branches: moved,
    });
    await run.finished;
    const page = await openPage(`${url}/?view=journeys&customer=1`);
    await untilAllSent(page);
    const rows = page.locator('.moment').filter({ hasText: 'termination.initiated' });
    expect(await rows.count()).toBeGreaterThan(1);
    const texts = await rows.locator('.moment-type').allTextContents();
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('marks dropped, duplicate and late events', async () => {
    const { url, run } = await emulator({
      scenario: 'house-move',
      // The last events are sent: a run ends at the last one, and a later one stays expected.
      seed: 2,
      instances: 2,
      faults: 'drop=20%,duplicate=20%,delay=20%:3h',
    });
    const { byFault } = await run.finished;
    let marked = { dropped: 0, doubled: 0, late: 0 };
    for (const customer of [1, 2]) {
      const page = await openPage(`${url}/?view=journeys&customer=${customer}`);
      await page.locator('.moment.missing').first().waitFor();
      await page.locator('.moment.expected').first().waitFor({ state: 'detached' });
      const text = await page.getByTestId('moments').allTextContents();
      const times = (pattern: RegExp) => [...text.join().matchAll(pattern)].length;
      marked = {
        dropped: marked.dropped + times(/not sent/g),
        doubled: marked.doubled + times(/sent 2 times/g),
        late: marked.late + times(/ late/g),
      };
    }
    // An occurrence with one dropped version of two is not missing.
    expect(marked.dropped).toBeGreaterThan(0);
    expect(marked.dropped).toBeLessThanOrEqual(byFault.get('drop') ?? 0);
    expect(marked.doubled).toBeGreaterThan(0);
    expect(marked.late).toBeGreaterThan(0);
  });
});

describe('the world view', () => {
  it.each(['5', '2026-02-31', '09:00', '2 Mar 2026', 'Tuesday'])(
    'explains the wrong time "%s"',
    async (text) => {
      const { url } = await emulator(paused);
      const page = await openPage(`${url}/?view=world&of=A-E23D6D19`);
      await page.getByLabel('At', { exact: true }).fill(text);
      await page.keyboard.press('Enter');
      await untilText(page, 'wrong-time', 'e.g. 2026-03-02 09:00');
      expect(new URL(page.url()).searchParams.get('at')).toBeNull();
    },
  );

  it('takes a time without a zone for UTC, and any other zone as it is', async () => {
    const { url } = await emulator(paused);
    const page = await openPage(`${url}/?view=world&of=A-E23D6D19`, { timezoneId: 'America/New_York' });
    const at = async (text: string) => {
      await page.getByLabel('At', { exact: true }).fill(text);
      await page.keyboard.press('Enter');
      return new URL(page.url()).searchParams.get('at');
    };
    expect(await at('2026-03-02')).toBe('2026-03-02T00:00:00.000Z');
    expect(await at('2026-03-02 09:00')).toBe('2026-03-02T09:00:00.000Z');
    expect(await at('2026-03-02T09:00:00.25+02:00')).toBe('2026-03-02T07:00:00.250Z');
  });

  it('says that an account at a future instant is the present one', async () => {
    const { url } = await emulator(paused);
    const page = await openPage(`${url}/?view=world&of=A-E23D6D19&at=2027-01-01T00:00:00Z`);
    await page.getByText('Virtual time is 2026-03-02 09:00:00. This is the account now.').waitFor();
  });
});

describe('the time line', () => {
  it('leaves a right click to the browser', async () => {
    const { url } = await emulator(move);
    const page = await openPage(url);
    await page.getByTestId('events').waitFor();
    await page.getByRole('slider').click({ button: 'right' });
    expect(new URL(page.url()).search).toBe('');
  });
});

describe('the title of the page', () => {
  it('names the view and its subject', async () => {
    const { url } = await emulator(paused);
    const page = await openPage(`${url}/?view=world`, { expected: /404/ });
    await expect.poll(() => page.title()).toBe('World · Busbar');
    await page.keyboard.press('l');
    await expect.poll(() => page.title()).toBe('Live · Busbar');
    for (const [address, title] of [
      ['event=3', 'Event 3 · Live'],
      ['view=journeys&customer=5', 'Customer 5 · Journeys'],
      ['view=world&of=A-1B2C3D4E', 'A-1B2C3D4E · World'],
      ['view=compose&compose=account.created-v1', 'account.created-v1 · Compose'],
    ]) {
      await page.goto(`${url}/?${address}`);
      await expect.poll(() => page.title()).toBe(`${title} · Busbar`);
    }
  });
});

describe('the focus', () => {
  const focused = 'document.activeElement.getAttribute("aria-label") ?? document.activeElement.className';

  it('returns to the button of the help', async () => {
    const { url } = await emulator(paused);
    const page = await openPage(url);
    for (const key of ['Escape', 'Enter']) {
      await page.getByRole('button', { name: 'Keys' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).waitFor();
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await page.evaluate(focused)).toBe('Keys');
    }
  });

  it('shows the fields of an event only when it knows their schema', async () => {
    const { url } = await emulator(paused);
    const page = await openPage('about:blank');
    let send = (): void => undefined;
    const isKnown = new Promise<void>((resolve) => (send = resolve));
    await page.route(/dashboard\/catalogue\/account/, async (route) => {
      await isKnown;
      await route.continue();
    });
    // The payload is there when it is validated.
    const validated = page.waitForResponse(/dashboard\/validate/);
    await page.goto(`${url}/?view=compose&compose=account.created-v1`);
    await validated;
    expect(await page.locator('.form-field').count()).toBe(0);
    send();
    await page.getByRole('textbox', { name: 'account_number' }).waitFor();
  });

  it.each([
    ['/?event=3', 'Close', 'Filter events'],
    ['/?view=compose&compose=account.created-v1', 'Omit 0', 'Add an entry to account_user_emails'],
  ])('stays near a button of %s that disappears', async (address, name, next) => {
    const { url, run } = await emulator(move);
    await run.finished;
    const page = await openPage(url + address);
    const button = page.getByRole('button', { name, exact: true });
    await button.press('Enter');
    await button.waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    expect(await page.evaluate(focused)).toBe(next);
  });
});
