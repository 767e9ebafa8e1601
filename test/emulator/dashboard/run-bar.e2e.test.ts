import { describe, expect, it } from 'vitest';
import { restartPort } from '../../restart-port.js';
import { cases } from '../../cases.js';
import { emulator, move, openPage, paused, speedOf, untilText } from './open-page.js';

describe('the run bar', () => {
  it('shows a pause and faults from elsewhere, although no event arrives', async () => {
    const { url, run, setFaults } = await emulator({ ...move, speed: 1 });
    const page = await openPage(url);
    await untilText(page, 'state', 'running');
    run.pause();
    await untilText(page, 'state', 'paused');
    setFaults('duplicate=5%');
    await page.getByRole('link', { name: 'duplicate=5%' }).waitFor();
    run.resume();
    await untilText(page, 'state', 'running');
    await run.stop();
    await untilText(page, 'state', 'stopped');
    expect(await page.getByRole('button', { name: 'Step' }).isDisabled()).toBe(true);
  });

  it("shows the run's own clock and count with any filter", async () => {
    const { url, run } = await emulator(paused);
    run.step(4);
    const page = await openPage(`${url}/?domains=billing`);
    await untilText(page, 'sent', /^5$/);
    await untilText(page, 'received', /^0$/);
    const shown = new Date(run.now).toISOString().slice(0, 19).replace('T', ' ');
    await untilText(page, 'now', shown);
  });

  it.each(['live', 'world', 'journeys', 'compose', 'run', 'consumers'].slice(0, cases(2, 6)))(
    'pauses, steps and changes the speed in the view %s',
    async (view) => {
      const { url, run } = await emulator(paused);
      const page = await openPage(`${url}/?view=${view}`);
      await page.getByRole('button', { name: 'Step' }).click();
      await untilText(page, 'sent', /^2$/);
      await page.getByLabel('Speed').selectOption('Real time');
      await expect.poll(() => speedOf(url)).toBe(1);
      await page.getByRole('button', { name: 'Resume' }).click();
      await untilText(page, 'state', 'running');
      await page.getByRole('button', { name: 'Pause' }).click();
      await untilText(page, 'state', 'paused');
      expect(run.state).toBe('paused');
    },
  );
});

describe('the views', () => {
  it('name the platform wherever an event is of no customer', async () => {
    const { url, trigger } = await emulator();
    await trigger('account.created-v1');
    const page = await openPage(url);
    await page.locator('.row').getByText('the platform').waitFor();
    await page.getByRole('link', { name: 'Journeys' }).click();
    await page.getByRole('link', { name: 'The platform' }).click();
    await page.getByRole('heading', { name: 'The platform' }).waitFor();
    await page.getByTestId('moments').getByRole('button').click();
    await page.getByTestId('event').getByText('of the platform').waitFor();
  });

  it('list all customers and accounts with any filter of Live', async () => {
    const { url, run } = await emulator({ ...move, instances: 3 });
    await run.finished;
    const page = await openPage(`${url}/?text=missing`);
    await page.getByText('No event matches this filter yet').waitFor();
    await page.getByRole('link', { name: 'Journeys' }).click();
    await page.getByRole('link', { name: 'Customer 3' }).waitFor();
    await page.getByRole('link', { name: 'World' }).click();
    await page.locator('td a').nth(2).waitFor();
    await page.goBack();
    await page.goBack();
    await page.getByText('No event matches this filter yet').waitFor();
  });

  it('disable what needs a connection while there is none, and enable it again', async () => {
    const http = { port: await restartPort() };
    const first = await emulator({ ...paused, http });
    const page = await openPage(`${first.url}/?view=run`);
    await untilText(page, 'state', 'paused');
    const start = page.getByRole('button', { name: 'Start', exact: true });
    await start.waitFor();
    await first.stop();
    await untilText(page, 'state', 'not connected');
    for (const name of ['Resume', 'Step', 'Set', 'Restart', '+ 1 hour'])
      expect(await page.getByRole('button', { name, exact: true }).isDisabled(), name).toBe(true);
    expect(await start.isDisabled()).toBe(true);
    expect(await page.getByLabel('Speed').isDisabled()).toBe(true);
    await page.getByRole('link', { name: 'Compose' }).click();
    await page.getByText('The emulator does not respond').waitFor();
    await page.getByRole('link', { name: 'Run', exact: true }).click();
    await emulator({ ...paused, http });
    await untilText(page, 'state', 'paused');
    expect(await start.isEnabled()).toBe(true);
    await page.getByRole('button', { name: 'Step' }).click();
    await untilText(page, 'sent', /^2$/);
  });

  it('open the stream again only when the emulator responds', async () => {
    const http = { port: await restartPort() };
    const first = await emulator({ ...paused, http });
    const page = await openPage(first.url);
    await untilText(page, 'state', 'paused');
    let attempts = 0;
    page.on('websocket', () => attempts++);
    await first.stop();
    for (let times = 0; times < 4; times++) {
      await page.waitForEvent('requestfailed', (request) => request.url().endsWith('/consumers'));
    }
    expect(attempts).toBe(0);
    await emulator({ ...paused, http });
    await untilText(page, 'state', 'paused');
    expect(attempts).toBe(1);
  });

  it('ask for the new address when the emulator has another access token', async () => {
    const http = { port: await restartPort(), host: '0.0.0.0', insecure: true };
    const first = await emulator({ ...paused, http });
    const page = await openPage(first.pageUrl!, { expected: /net::ERR_|401|HTTP Authentication failed/ });
    await untilText(page, 'state', 'paused');
    await first.stop();
    const second = await emulator({ ...paused, http });
    await untilText(page, 'state', 'not connected: open the address that the emulator printed');
    await page.getByRole('link', { name: 'Run', exact: true }).click();
    await page.getByText('The emulator has a new access token').waitFor();
    const other = await page.context().newPage();
    await other.goto(second.pageUrl!);
    await untilText(page, 'state', 'paused');
  });

  it.each(['world', 'journeys'])(
    'show no emptiness in %s while the emulator does not respond',
    async (view) => {
      const started = await emulator(paused);
      started.run.step(1);
      const page = await openPage(`${started.url}/?view=${view}`);
      await page.locator('td a').first().waitFor();
      await started.stop();
      await untilText(page, 'state', 'not connected');
      await page.locator('td a').first().click();
      await page.getByText('The emulator does not respond').waitFor();
    },
  );

  it('ask for a reload when another version of the emulator has other files', async () => {
    const { url } = await emulator(paused);
    const page = await openPage(url, { expected: /404/ });
    let isOld = true;
    await page.route(/compose-.*js$/, (route) => (isOld ? route.fulfill({ status: 404 }) : route.continue()));
    await page.getByRole('link', { name: 'Compose' }).click();
    const reload = page.getByRole('button', { name: 'Reload' });
    await reload.waitFor();
    isOld = false;
    await reload.click();
    await page.getByText('Choose an event').waitFor();
  });

  it('ask for schemas until the emulator responds', async () => {
    const { url, run } = await emulator(paused);
    run.step(1);
    const page = await openPage(url, { expected: /net::ERR_FAILED/ });
    let isFailing = true;
    // Playwright's `unroute` can leave a request without a response, so the route stays.
    await page.route('**/dashboard/catalogue/*', (route) => (isFailing ? route.abort() : route.continue()));
    await page.reload();
    await Promise.all([
      page.waitForEvent('requestfailed'),
      page.getByTestId('events').getByRole('option').first().click(),
    ]);
    isFailing = false;
    await page.locator('.event-head .quiet').filter({ hasText: /\w/ }).waitFor();
  });
});
