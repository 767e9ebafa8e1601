import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { restartPort } from '../../restart-port.js';
import { writeDeadLetters } from '../control-api/write-dead-letters.js';
import { failingGroup } from './failing-group.js';
import { actionsOn, emulator, openPage, speedOf, untilText } from './open-page.js';

/** The account whose events a consumer does not handle until it is fixed. */
const account = 'A-00000001';
const unknown = { set: [`account_number=${account}`] };

describe('the dashboard with 50,000 dead letters, many events, three consumers and two tabs', () => {
  it('needs as few actions for each task as with little', async () => {
    const started = await emulator({
      scenario: 'house-move',
      instances: 5_200,
      seed: 3,
      kafka: { port: 0 },
    });
    const { url, run, trigger } = started;
    const tabs = await Promise.all([openPage(url), openPage(`${url}/?view=consumers`)]);
    const [page, other] = tabs;
    const [billing, mailing, audit] = await Promise.all(
      ['billing', 'mailing', 'audit'].map((id) => failingGroup(started, id, { account })),
    );
    for (const each of [mailing, audit]) each!.handler.isFixed = true;
    writeDeadLetters(started, 0, 50_000);
    const { events } = await run.finished;
    expect(events).toBeGreaterThan(200_000);
    await trigger('account.created-v1', { ...unknown, count: 3 });
    const inActions = async (
      most: number,
      task: (actions: ReturnType<typeof actionsOn>) => Promise<void>,
    ) => {
      const actions = actionsOn(page);
      await task(actions);
      expect(actions.count).toBeLessThanOrEqual(most);
    };

    await page.getByRole('link', { name: '50,003 dead letters' }).waitFor();
    await inActions(3, async (actions) => {
      await actions.click('link', '50,003 dead letters');
      await page
        .locator('.cause')
        .getByText(/failing-group\.ts:\d+:\d+/)
        .waitFor();
      billing!.handler.isFixed = true;
      await actions.click('button', 'Replay 3');
      await untilText(page, 'replayed', '3 records replayed.');
      await expect.poll(() => billing!.handled.length).toBe(3);
      await page.locator('.cause').getByText('3 replayed').waitFor();
    });
    await other.getByRole('link', { name: '50,000 dead letters' }).waitFor();

    await page.getByRole('link', { name: / is up to date$/ }).waitFor();
    await audit!.running.stop();
    await trigger('account.created-v1', { ...unknown, count: 5 });
    await inActions(1, async (actions) => {
      await actions.click('link', 'audit is 5 records behind');
      const group = page.getByTestId('group-audit');
      await group.getByText(/5 records behind since \d\d:\d\d:\d\d UTC \(.* ago\)/).waitFor();
      await group.getByText(/last commit \d\d:\d\d:\d\d/).waitFor();
      await page.getByRole('figure', { name: 'Lag' }).getByText('audit').waitFor();
    });

    await inActions(3, async (actions) => {
      await actions.click('link', 'Journeys');
      await actions.click('link', /^Customer \d+$/);
      await page.getByRole('heading', { name: /^Customer \d+$/ }).waitFor();
    });
    await page.goBack();
    await page.goBack();
    await inActions(3, async (actions) => {
      await actions.click('link', 'Journeys');
      await actions.click('link', /^Customer \d+$/);
      await actions.click('link', /^outcome /);
      await page
        .getByTestId('what-if')
        .getByRole('region', { name: 'Instead' })
        .locator('li')
        .first()
        .waitFor();
    });

    await inActions(2, async (actions) => {
      await actions.click('slider', 'Time line');
      await actions.click('link', /^A-/);
      await page.getByText('The account in the REST API').waitFor();
      expect(new URL(page.url()).searchParams.get('at')).not.toBeNull();
    });

    const faulty = (await status(url)).events;
    await inActions(4, async (actions) => {
      await actions.click('link', 'Run');
      await page.getByLabel('Faults', { exact: true }).fill('duplicate=100%');
      await actions.enter('Only events', 'account.occupied');
      await untilText(page, 'fault-preview', /^Would have hit [\d,]+ of the last 1,000 events/);
      await actions.click('button', 'Set');
      await untilText(page, 'faults-set', 'Faults set.');
    });
    await page.getByRole('link', { name: 'Compose' }).click();
    await inActions(2, async (actions) => {
      await actions.choose('Event', 'account.occupied-v1');
      await page.getByTestId('validity').getByText('Matches').waitFor();
      await actions.click('button', 'Send');
    });
    await expect.poll(async () => (await status(url)).events).toBe(faulty + 2);
    const all = (faulty + 2).toLocaleString('en');
    for (const tab of tabs) await untilText(tab, 'sent', new RegExp(`^${all}$`));

    // A run that has sent all cannot be paused.
    await untilText(page, 'state', 'all sent');
    expect(await page.getByRole('button', { name: 'Pause' }).isDisabled()).toBe(true);
    await inActions(1, (actions) => actions.choose('Speed', 'Real time'));
    await expect.poll(() => speedOf(url)).toBe(1);
    started.start('house-move');
    await untilText(page, 'state', 'running');
    await inActions(1, (actions) => actions.click('button', 'Pause'));
    for (const tab of tabs) await untilText(tab, 'state', 'paused');
    const sent = (await status(url)).events;
    await inActions(1, (actions) => actions.click('button', 'Step'));
    await expect.poll(async () => (await status(url)).events).toBeGreaterThan(sent);
  });
});

async function status(url: string): Promise<{ readonly state: string; readonly events: number }> {
  return (await (await fetch(`${url}/emulator/v1/run`)).json()) as { state: string; events: number };
}

describe('an emulator that is killed and restarted', () => {
  it('disables two tabs, which recover with each event once', async () => {
    const port = await restartPort();
    const first = await command(port);
    const tabs = await Promise.all(['/', '/?view=run'].map((path) => openPage(first.url + path)));
    const { events } = await status(first.url);
    const isComplete = async (tab: Page) => {
      await untilText(tab, 'sent', new RegExp(`^${events}$`));
      await untilText(tab, 'state', 'all sent');
      expect(await tab.getByLabel('Speed').isEnabled()).toBe(true);
    };
    for (const tab of tabs) await isComplete(tab);
    await untilText(tabs[0]!, 'received', new RegExp(`^${events}$`));
    const start = tabs[1]!.getByRole('button', { name: 'Start', exact: true });
    await start.waitFor();

    await first.kill();
    for (const tab of tabs) {
      await untilText(tab, 'state', 'not connected');
      for (const name of ['Pause', 'Step'])
        expect(await tab.getByRole('button', { name, exact: true }).isDisabled(), name).toBe(true);
      expect(await tab.getByLabel('Speed').isDisabled()).toBe(true);
    }
    expect(await start.isDisabled()).toBe(true);

    await command(port);
    for (const tab of tabs) await isComplete(tab);
    await untilText(tabs[0]!, 'received', new RegExp(`^${events}$`));
    const shown = await tabs[0]!.evaluate<number[]>(`
      Array.from(document.querySelectorAll('[data-testid=events] .row'), ({ id }) => Number(id.slice(6)))`);
    expect(shown.sort((one, other) => other - one)).toEqual(shown.map((_, index) => events - index));
    expect(await start.isEnabled()).toBe(true);
  });
});

/** Starts the built command, and resolves when it has sent all its events. */
async function command(port: number) {
  const program = fileURLToPath(new URL('../../../emulator/bin/emulate.js', import.meta.url));
  const options = ['--scenario', 'house-move', '--seed', '3', '--instant', '--kafka-port', 'off'];
  const child = spawn(process.execPath, [program, ...options, '--http-port', `${port}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = async () => {
    if (child.signalCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  };
  onTestFinished(kill);
  let said = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (text: Buffer) => {
      said += text.toString();
      const address = /Dashboard +(\S+)\//.exec(said)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error(`The emulator ended: ${said}`)));
  });
  await expect.poll(async () => (await status(url)).state).toBe('idle');
  return { url, kill };
}
