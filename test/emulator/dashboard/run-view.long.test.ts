import { describe, expect, it } from 'vitest';
import { commandLine } from '../../../emulator/dashboard/client/run/command-line.js';
import { replayRecording } from '../../../emulator/index.js';
import { silentLogger } from '../../../src/base/logger.js';
import { play } from '../scenarios/play.js';
import { emulator, move, openPage, paused, untilText } from './open-page.js';

describe('the run view', () => {
  it('starts a scenario with chosen outcomes, and links to its journey', async () => {
    const { url, run } = await emulator();
    const page = await openPage(`${url}/?view=run`);
    await untilText(page, 'state', 'ready');
    await page.getByLabel('Scenario').selectOption('house-move');
    await page.getByLabel('outcome').selectOption('cancelled');
    await page.getByLabel('told').selectOption('web');
    await page
      .getByText('npx emulate --scenario house-move --branch outcome=cancelled --branch told=web')
      .waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await untilText(page, 'answer', 'Started house-move.');
    await page.getByTestId('started').getByRole('link').click();
    await page.getByText('outcome cancelled').waitFor();
    await page.locator('.moment.sent').filter({ hasText: 'leave-supplier.cancelled' }).waitFor();
    expect(run.summary.byType.get('lifecycle.leave-supplier.cancelled')).toBe(1);
  });

  it('clears the error of a failed start when the form is invalid', async () => {
    const { url } = await emulator();
    const page = await openPage(`${url}/?view=run`, { expected: /404/ });
    const start = page.getByRole('button', { name: 'Start', exact: true });
    await page.getByRole('textbox', { name: 'Account' }).fill('a-0000000f');
    await start.click();
    await untilText(page, 'answer', /no account "A-0000000F"/);
    await page.getByLabel('Instances').fill('x');
    await start.click();
    await expect.poll(() => page.getByTestId('answer').textContent()).toBe('');
  });

  it('starts up to 1000 instances of a scenario', async () => {
    const { url } = await emulator();
    const page = await openPage(`${url}/?view=run`);
    await page.getByLabel('Instances').fill('1000');
    await page.getByText('npx emulate --scenario house-move --instances 1000').waitFor();
    await page.getByLabel('Instances').fill('1001');
    await page.locator('#instances:invalid').waitFor();
  });

  it('steps and resumes the run, and advances the clock', async () => {
    const { url, run } = await emulator(paused);
    const page = await openPage(`${url}/?view=run`);
    await untilText(page, 'state', 'paused');
    await page.getByRole('button', { name: 'Step' }).click();
    await untilText(page, 'sent', /^2$/);
    await page.getByRole('button', { name: '+ 1 hour' }).click();
    await untilText(page, 'advanced', 'Advanced by 1 hour');
    const { now } = run;
    expect(run.state).toBe('paused');
    await untilText(page, 'sent', String(run.summary.events));
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await run.finished;
    expect(run.now).toBeGreaterThan(now);
  });

  it('asks for a scenario after the restart of a run that has none', async () => {
    const started = await emulator();
    started.start('house-move');
    const page = await openPage(`${started.url}/?view=run`);
    await page.getByRole('button', { name: 'Restart' }).click();
    await page.getByRole('button', { name: 'Drop this run?' }).click();
    await untilText(page, 'restarted', 'Restarted with seed 1. Start a scenario.');
  });

  it('sets faults, and explains invalid ones', async () => {
    const { url, run } = await emulator(paused);
    const page = await openPage(`${url}/?view=run`, { expected: /400/ });
    await page.getByLabel('Faults').fill('doubled=5%');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await untilText(page, 'faults-set', /"doubled"/);
    await page.getByLabel('Faults').fill('duplicate=100%');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await untilText(page, 'faults-set', 'Faults set.');
    await page
      .getByText('npx emulate --scenario house-move --seed 3 --instant --faults duplicate=100%')
      .waitFor();
    run.resume();
    const { events, byFault } = await run.finished;
    expect(byFault.get('duplicate')).toBe(events / 2);
    await untilText(page, 'sent', String(events));
  });

  it('restarts with another seed, and shows only the events of the new run', async () => {
    const { url, run } = await emulator(move);
    const before = await run.finished;
    const page = await openPage(`${url}/?view=run`);
    await untilText(page, 'sent', new RegExp(`^${before.events}$`));
    await page.getByLabel('Restart with seed').fill('11');
    await page.getByRole('button', { name: 'Restart' }).click();
    await page.getByRole('button', { name: 'Drop this run?' }).click();
    await untilText(page, 'restarted', 'Restarted with seed 11.');
    await page.getByText('npx emulate --scenario house-move --seed 11').waitFor();
    const again = await play('house-move', { seed: 11 });
    expect(again.length).not.toBe(before.events);
    await page.getByRole('link', { name: 'Live' }).click();
    await untilText(page, 'received', new RegExp(`^${again.length}$`));
    await page.getByTestId('events').press('End');
    const begin = page.getByRole('option').filter({ hasText: 'leave-supplier.requestedv2' });
    await begin.waitFor();
    expect(await begin.count()).toBe(1);
  });

  it('explains wrong input, and previews no wrong faults', async () => {
    const { url } = await emulator(paused);
    const page = await openPage(`${url}/?view=run`, { expected: /400/ });
    await page.getByLabel('Restart with seed').fill('abc');
    await untilText(page, 'restarted', 'A seed is a number of at most 15 digits.');
    expect(await page.getByRole('button', { name: 'Restart' }).isDisabled()).toBe(true);
    await page.getByLabel('Instances').fill('-3');
    expect(await page.getByText(/^npx emulate/).allTextContents()).toEqual([
      'npx emulate --scenario house-move --seed 3 --instant',
    ]);
    await page.getByLabel('Faults').fill('dupe=200%,delay=1%');
    await page.getByRole('button', { name: 'Set', exact: true }).click();
    await untilText(page, 'faults-set', /"dupe"/);
    expect(await page.getByTestId('fault-preview').count()).toBe(0);
  });

  it('reports that a recording cannot be controlled', async ({ onTestFinished }) => {
    const file = `${process.env['TMPDIR'] ?? '/tmp'}/busbar-dashboard-${process.pid}.ndjson`;
    const recorded = await emulator({
      ...move,
      run: { record: file },
    });
    await recorded.run.finished;
    await recorded.stop();
    const replay = await replayRecording({
      file,
      kafka: false,
      http: { port: 0 },
      logger: silentLogger,
    });
    onTestFinished(() => replay.stop());
    await replay.finished;
    const page = await openPage(`${replay.url}/?view=run`, { expected: /404/ });
    await page.getByText('This run cannot be controlled').waitFor();
    const { events } = await replay.finished;
    await untilText(page, 'sent', new RegExp(`^${events}$`));
    await untilText(page, 'state', 'finished');
    expect(await page.getByRole('button', { name: 'Step' }).count()).toBe(0);
  });
});

describe('commandLine()', () => {
  const chosen = { scenario: 'house-move', branches: {}, instances: 1, seed: 1, speed: '', faults: '' };
  it('omits defaults', () => {
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
    expect(commandLine({ ...chosen, branches: { end: 'not yet' }, rate: 500 })).toBe(
      "npx emulate --scenario house-move --branch 'end=not yet' --rate 500",
    );
  });
});
