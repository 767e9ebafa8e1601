import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from '../../../emulator/dashboard/client/run/command-line.js';
import { replayRecording } from '../../../emulator/index.js';
import { silentLogger } from '../../../src/base/logger.js';
import { launchBrowser } from '../../browser/launch.js';
import { emulator, openPage, untilText } from './open-page.js';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe('the run view', () => {
  it('starts a scenario with chosen outcomes in an emulator that waits, and leads to its journey', async () => {
    const { url, run } = await emulator({ speed: 'instant' });
    const page = await openPage(browser, `${url}/?view=run`);
    await untilText(page, 'run-state', /nothing left to send|running/);
    await page.getByLabel('Scenario').selectOption('house-move');
    await page.getByLabel('outcome').selectOption('cancelled');
    await page.getByLabel('told').selectOption('web');
    await page
      .getByText('npx emulate --scenario house-move --branch outcome=cancelled --branch told=web')
      .waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await untilText(page, 'answer', 'house-move has begun.');
    await page.getByTestId('started').getByRole('link').click();
    await page.getByText('outcome cancelled').waitFor();
    await page.locator('.moment.sent').filter({ hasText: 'leave-supplier.cancelled' }).waitFor();
    expect(run.summary.byType.get('lifecycle.leave-supplier.cancelled')).toBe(1);
  });

  it('holds the run, steps it, and moves the clock', async () => {
    const { url, run } = await emulator({ scenario: 'house-move', seed: 3, speed: 'instant', paused: true });
    const page = await openPage(browser, `${url}/?view=run`);
    await untilText(page, 'run-state', 'paused');
    await page.getByRole('button', { name: 'Next event' }).click();
    await untilText(page, 'received', /^2$/);
    await page.getByRole('button', { name: '+ 1 hour' }).click();
    await untilText(page, 'answer', '1 hour later');
    const { now } = run;
    expect(run.state).toBe('paused');
    await untilText(page, 'received', String(run.summary.events));
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await run.finished;
    expect(run.now).toBeGreaterThan(now);
  });

  it('sets faults from now on, and says what is wrong with those that cannot be', async () => {
    const { url, run } = await emulator({ scenario: 'house-move', seed: 3, speed: 'instant', paused: true });
    const page = await openPage(browser, `${url}/?view=run`, { expected: /400/ });
    await page.getByLabel('Faults').fill('doubled=5%');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await untilText(page, 'answer', /"doubled"/);
    await page.getByLabel('Faults').fill('duplicate=100%');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await untilText(page, 'answer', 'These faults are done from now on.');
    await page
      .getByText('npx emulate --scenario house-move --seed 3 --instant --faults duplicate=100%')
      .waitFor();
    run.resume();
    const { events, byFault } = await run.finished;
    expect(byFault.get('duplicate')).toBe(events / 2);
    await untilText(page, 'received', String(events));
  });

  it('begins again with another seed, and shows the events of the new run alone', async () => {
    const { url, run } = await emulator({ scenario: 'house-move', seed: 3, speed: 'instant' });
    const before = await run.finished;
    const page = await openPage(browser, `${url}/?view=run`);
    await untilText(page, 'received', new RegExp(`^${before.events}$`));
    await page.getByLabel('Begin again with seed').fill('11');
    await page.getByRole('button', { name: 'Reset' }).click();
    await untilText(page, 'answer', 'Begun again with seed 11.');
    await page.getByText('npx emulate --scenario house-move --seed 11').waitFor();
    await page.getByRole('link', { name: 'Live' }).click();
    await page.getByTestId('events').press('End');
    const begin = page.getByRole('option').filter({ hasText: 'leave-supplier.requestedv2' });
    await begin.waitFor();
    expect(await begin.count()).toBe(1);
  });

  it('says that a recording cannot be steered', async ({ onTestFinished }) => {
    const file = `${process.env['TMPDIR'] ?? '/tmp'}/busbar-dashboard-${process.pid}.ndjson`;
    const recorded = await emulator({ scenario: 'house-move', seed: 3, speed: 'instant', record: file });
    await recorded.run.finished;
    await recorded.stop();
    const replay = await replayRecording({
      file,
      speed: 'instant',
      kafkaPort: false,
      httpPort: 0,
      logger: silentLogger,
    });
    onTestFinished(() => replay.stop());
    await replay.finished;
    const page = await openPage(browser, `${replay.url}/?view=run`, { expected: /404/ });
    await page.getByText('This run cannot be steered').waitFor();
  });
});

describe('the command line of a start', () => {
  const chosen = { scenario: 'house-move', branches: {}, instances: 1, seed: 1, speed: '', faults: '' };
  it('says only what is not so by itself', () => {
    expect(commandLine(chosen)).toBe('npx emulate --scenario house-move');
    expect(
      commandLine({
        ...chosen,
        branches: { occupier: 'none' },
        instances: 3,
        seed: 7,
        speed: '3600',
        faults: "duplicate=5% it's",
      }),
    ).toBe(
      "npx emulate --scenario house-move --branch occupier=none --instances 3 --seed 7 --speed 3600 --faults 'duplicate=5% it'\\''s'",
    );
    expect(commandLine({ ...chosen, speed: 'instant' })).toBe('npx emulate --scenario house-move --instant');
  });
});
