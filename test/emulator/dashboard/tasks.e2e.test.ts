import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createConsumer, silentLogger } from '../../../src/index.js';
import { kafka } from '../../../src/transports/kafka/index.js';
import { sharedBrowser } from '../../browser/shared.js';
import { emulator, openPage, untilText } from './open-page.js';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});

/** Counts clicks, choices and submitted inputs. */
function actionsOn(page: Page) {
  let count = 0;
  return {
    get count() {
      return count;
    },
    async click(role: 'button' | 'link', name: string | RegExp) {
      count++;
      await page.getByRole(role, { name }).first().click();
    },
    async choose(label: string, option: string) {
      count++;
      await page.getByLabel(label, { exact: true }).selectOption(option);
    },
    async enter(label: string, text: string) {
      count++;
      await page.getByLabel(label, { exact: true }).fill(text);
    },
  };
}

/** A group whose handler fails until it is fixed. */
async function billing({ bootstrapServers }: { readonly bootstrapServers: string | undefined }) {
  const handler = { isFixed: false, handled: 0 };
  const consumer = createConsumer({ logger: silentLogger });
  consumer.on(
    'account.created',
    'v1',
    () => {
      if (!handler.isFixed) throw Object.assign(new TypeError('unknown ledger'), { code: '23503' });
      handler.handled++;
    },
    { retry: { attempts: 1 } },
  );
  const running = await consumer.run(
    kafka({
      brokers: [bootstrapServers!],
      groupId: 'billing',
      topics: ['platform.events'],
      fromBeginning: true,
      maxWait: 20,
      commitInterval: 50,
    }),
  );
  onTestFinished(() => running.stop());
  return { handler, running };
}

describe('with few actions, a user of the dashboard', () => {
  it('finds why an event was dead-lettered, and replays its group after a fix (3)', async () => {
    const started = await emulator({ speed: 'instant', kafka: { port: 0 } });
    const { handler } = await billing(started);
    await started.trigger('account.created-v1', { count: 3 });
    const page = await openPage(browser, started.url);
    const actions = actionsOn(page);
    await actions.click('link', /^3 dead letters$/);
    const cause = page.locator('.cause');
    await cause.getByText('TypeError').waitFor();
    await cause.getByText(/tasks\.e2e\.test\.ts:\d+:\d+/).waitFor();
    handler.isFixed = true;
    await actions.click('button', 'Replay 3');
    await untilText(page, 'replayed', '3 records replayed.');
    await expect.poll(() => handler.handled).toBe(3);
    await cause.getByText('3 replayed').waitFor();
    expect(actions.count).toBeLessThanOrEqual(3);
  });

  it('discards dead letters of one cause, which no replay sends', async () => {
    const started = await emulator({ speed: 'instant', kafka: { port: 0 } });
    const { handler } = await billing(started);
    await started.trigger('account.created-v1', { count: 2 });
    const page = await openPage(browser, `${started.url}/?view=consumers`);
    const cause = page.locator('.cause');
    await cause.getByText('TypeError').waitFor();
    await cause.getByRole('button', { name: 'Discard' }).click();
    await cause.getByRole('button', { name: 'Discard 2?' }).click();
    await untilText(page, 'replayed', '2 dead letters discarded.');
    await page.getByRole('button', { name: '2 discarded' }).click();
    await page.locator('.letter').getByText('discarded', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Replay all' }).isDisabled()).toBe(true);
    expect(handler.handled).toBe(0);
  });

  it('sees which consumer lags, and since when (1)', async () => {
    const started = await emulator({ speed: 'instant', kafka: { port: 0 } });
    const { running } = await billing(started);
    await started.trigger('account.created-v1');
    const page = await openPage(browser, started.url);
    await page.getByRole('link', { name: 'billing is up to date' }).waitFor();
    await running.stop();
    await started.trigger('account.created-v1', { count: 5 });
    const actions = actionsOn(page);
    await actions.click('link', 'billing is 5 records behind');
    const group = page.getByTestId('group-billing');
    await group.getByText(/5 records behind since \d\d:\d\d:\d\d \(.* ago\)/).waitFor();
    await group.getByText(/last commit \d\d:\d\d:\d\d/).waitFor();
    await page.getByRole('figure', { name: 'Lag' }).getByText('billing').waitFor();
    expect(actions.count).toBe(1);
  });
});
