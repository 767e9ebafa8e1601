import { readFile } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { createConsumer, type RunObserver, silentLogger } from '../../../src/index.js';
import { reportOutcomes } from '../../../src/operations/report.js';
import { actionsOn, emulator, openPage, untilText } from './open-page.js';
import { failingGroup } from './failing-group.js';
import { transportOf } from './views.js';

describe('with few actions, a user of the dashboard', () => {
  it('discards dead letters of one cause, which no replay sends', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    const { handled } = await failingGroup(started, 'billing');
    await started.trigger('account.created-v1', { count: 2 });
    const page = await openPage(`${started.url}/?view=consumers`);
    const cause = page.locator('.cause');
    await cause.getByText('TypeError').waitFor();
    await cause.getByRole('button', { name: 'Discard' }).click();
    await cause.getByRole('button', { name: 'Discard 2?' }).click();
    await untilText(page, 'replayed', '2 dead letters discarded.');
    await page.getByRole('button', { name: '2 discarded' }).click();
    await page.locator('.letter').getByText('discarded', { exact: true }).first().waitFor();
    expect(await page.getByRole('button', { name: 'Replay all' }).isDisabled()).toBe(true);
    expect(handled).toEqual([]);
  });

  it('injects a fault into one event type, after a preview (4)', async () => {
    const { url, run, trigger } = await emulator();
    await trigger('account.created-v1', { count: 3 });
    await trigger('account.occupied-v1', { count: 5 });
    const page = await openPage(url);
    await untilText(page, 'received', /^8$/);
    const actions = actionsOn(page);
    await actions.click('link', 'Run');
    await actions.choose('Add a fault', 'duplicate');
    await untilText(page, 'fault-preview', 'Would have hit 0 of the last 8 events.');
    for (const noShare of ['duplicate=200%', 'duplicate=0.05', 'burst=10x:30s']) {
      await page.getByLabel('Faults', { exact: true }).fill(noShare);
      await page.getByTestId('fault-preview').waitFor({ state: 'detached' });
    }
    await page.getByLabel('Faults', { exact: true }).fill('duplicate=100%');
    await actions.enter('Only events', 'account.created');
    await untilText(page, 'fault-preview', 'Would have hit 3 of the last 8 events.');
    await actions.click('button', 'Set');
    await untilText(page, 'faults-set', 'Faults set.');
    await trigger('account.created-v1');
    await trigger('account.occupied-v1');
    await expect.poll(() => run.summary.events).toBe(11);
    expect(run.summary.byType.get('account.created')).toBe(5);
    expect(actions.count).toBe(4);
  });
});

describe('the outcomes of an event', () => {
  it('show fetches, attempts, pauses and commits of each consumer, reporting or not', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    const page = await openPage(`${started.url}/?event=1`);
    const consume = async (groupId: string, observer: RunObserver, failures: number, clientId = groupId) => {
      let left = failures;
      const consumer = createConsumer({ logger: silentLogger });
      consumer.on('account.created', 'v1', () => {
        if (left-- > 0) throw new TypeError('not yet');
      });
      const running = await consumer.run(transportOf(started, groupId, clientId), {
        observer,
        retry: { attempts: 3, backoff: { initial: 20 } },
      });
      onTestFinished(() => running.stop());
    };
    await consume('billing', reportOutcomes({ consumer: 'billing', url: started.url }), 1);
    await consume('mailing', reportOutcomes({ consumer: 'mailing', url: started.url }), 9, 'shared');
    await consume('silent', {}, 0, 'shared');
    await started.trigger('account.created-v1');
    const of = (consumer: string) => page.locator('.outcome').filter({ hasText: consumer });
    await of('billing')
      .getByText(/attempt 1 of account\.created-v1: failed after .*, retried in/)
      .waitFor();
    await of('billing')
      .getByText(/attempt 2 of account\.created-v1: handled after/)
      .waitFor();
    await of('billing').getByText('committed').waitFor();
    await of('mailing').getByText('dead-lettered, handler-failed, TypeError').waitFor();
    await of('silent').getByText('committed').waitFor();
    const texts = await Promise.all(['billing', 'silent'].map((name) => of(name).textContent()));
    expect(texts[0]).toMatch(/sent.*fetched.*attempt 1/);
    // A fetch names no group, and two groups share this client id.
    expect(texts[1]).toMatch(/sent.*unknown time: another group has the same client id.*committed/);
    expect(await of('silent').textContent()).not.toContain('attempt');
    await page.getByRole('button', { name: 'Close' }).click();
    const row = page.locator('.row').first();
    for (const text of ['✓ billing', '✕ mailing', '✓ silent']) await row.getByText(text).waitFor();
  });
});

describe('the live view', () => {
  it('summarizes payloads by their schemas, and groups the versions of one occurrence', async () => {
    const { url, trigger } = await emulator({ scenario: 'billing-cycle', seed: 3 });
    const payload = {
      ledger_number: 'L-6735ABCD',
      changed_on: '2026-04-26',
      previous_value: 8420,
      new_value: 0,
    };
    await trigger('delinquent_debt.position_changed-v1', { payload });
    const page = await openPage(url);
    await page.getByText('£84.20 → £0.00 · ledger L-6735ABCD · changed 2026-04-26').waitFor();
    await page.locator('.row.same').first().waitFor();
  });

  it('names the value of a pair of metadata by its key', async () => {
    const { url, trigger } = await emulator();
    const payload = {
      account_property_effective_period_id: 7,
      key: 'forwarding_address_provided',
      value: 'true',
    };
    await trigger('account_property_effective_period_metadata.created-v1', { payload });
    const page = await openPage(url);
    await page.getByText('forwarding address provided', { exact: true }).waitFor();
  });

  it('compares any two events, and exports the listed ones', async () => {
    const { url, trigger } = await emulator();
    for (const number of ['A-00000001', 'A-00000002'])
      await trigger('account.occupied-v1', { payload: { account_number: number } });
    const page = await openPage(`${url}/?event=1`);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.keyboard.press('ArrowUp');
    await page
      .getByTestId('comparison')
      .getByRole('row', { name: 'account_number A-00000001 A-00000002' })
      .waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { payload: unknown }).payload)).toEqual([
      { account_number: 'A-00000001' },
      { account_number: 'A-00000002' },
    ]);
  });
});

describe('events of your own', () => {
  const event = (type: string, schema: object) => ({
    'x-event-type': type,
    'x-event-version': 'v1',
    ...schema,
  });
  const paidBy = (method: string, field: string) => ({
    type: 'object',
    properties: { method: { const: method }, [field]: { type: 'string' } },
    required: ['method', field],
  });
  const catalogue = openCatalogue({
    shapes: [
      {
        $id: 'Order',
        type: 'object',
        properties: { id: { type: 'string', description: 'Its number.' } },
        required: ['id'],
      },
    ],
    events: [
      event('order.placed', {
        allOf: [{ $ref: '#/$defs/Order' }],
        properties: {
          payment: { oneOf: [paidBy('card', 'pan'), paidBy('bank', 'iban')] },
          point: { type: 'array', prefixItems: [{ type: 'number' }, { format: 'date' }], items: false },
          stock: { type: 'object', additionalProperties: { type: 'integer' } },
          prices: { type: 'object', patternProperties: { '^[A-Z]{3}$': { type: 'number' } } },
        },
      }),
      event('meter.read', { type: 'array', items: { type: 'integer' } }),
      event('host.pinged', { type: 'string' }),
    ],
  });

  it('shows types and descriptions in all parts of a schema', async () => {
    const { url, trigger } = await emulator({ catalogue });
    const payment = { method: 'bank', iban: 'GB00' };
    const payload = { id: 'O-1', payment, point: [1, '2026-03-02'], stock: { north: 3 }, prices: { EUR: 2 } };
    await trigger('order.placed-v1', { payload });
    const page = await openPage(`${url}/?event=1`);
    await page.getByText('Its number.').waitFor();
    expect(await page.getByTestId('event').locator('.tree .member').allInnerTexts()).toEqual([
      'id\nO-1\nstring\nIts number.',
      '▾ payment\n2 fields\nobject',
      'method\nbank\nconstant',
      'iban\nGB00\nstring',
      '▾ point\n2 entries\nlist',
      '0\n1\nnumber',
      '1\n2026-03-02\ndate',
      '▾ stock\n1 field\nobject',
      'north\n3\ninteger',
      '▾ prices\n1 field\nobject',
      'EUR\n2\nnumber',
    ]);
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByLabel('method').selectOption('card');
    await page.getByRole('button', { name: 'Add pan' }).click();
    await page.getByRole('button', { name: 'Omit iban' }).click();
    await page.getByText('Matches its schema').waitFor();
    expect(await page.getByRole('button', { name: /^Omit/ }).count()).toBe(6);
    const add = page.getByRole('button', { name: 'Add an entry to point' });
    expect(await add.count()).toBe(0);
    await page.getByRole('button', { name: 'Omit 1' }).click();
    await add.click();
    await add.waitFor({ state: 'detached' });
  });

  it.each([
    ['meter.read', 'Add an entry to payload', '[1]'],
    ['host.pinged', undefined, '"host-1"'],
  ])('sends a payload of %s, which is not an object', async (type, button, json) => {
    const { url } = await emulator({ catalogue });
    const page = await openPage(`${url}/?view=compose&compose=${type}-v1`);
    if (button === undefined) await page.getByLabel('payload', { exact: true }).fill('host');
    else await page.getByRole('button', { name: button }).click();
    await page.getByRole('button', { name: 'JSON' }).click();
    await page.getByLabel('Payload as JSON').fill(json);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await untilText(page, 'answer', 'Sent.');
    const response = await fetch(`${url}/emulator/v1/events`);
    expect(await response.json()).toMatchObject({
      entries: [{ event: { payload: JSON.parse(json) as unknown } }],
    });
  });
});

describe('a comparison', () => {
  it('tells apart a text and a number, and names a payload without fields', async () => {
    const { url, trigger } = await emulator();
    for (const payload of [{ account_number: 5, id: 'a' }, { account_number: '5', id: 'a' }, 'text'])
      await trigger('account.occupied-v1', { payload, validate: false });
    const page = await openPage(`${url}/?event=1`);
    await page.getByRole('button', { name: 'Compare' }).click();
    const rows = page.getByTestId('comparison').locator('.differs');
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => rows.allInnerTexts()).toEqual(['account_number\t5\t"5"']);
    await page.keyboard.press('ArrowUp');
    await page.getByRole('row', { name: 'payload absent text' }).waitFor();
  });
});

describe('the rate of a consumer', () => {
  it('uses the time between two responses, which is longer in a background tab', async () => {
    const { url } = await emulator();
    const page = await openPage('about:blank');
    let acknowledged = 0;
    await page.route('**/emulator/v1/consumers', (route) =>
      route.fulfill({
        json: {
          bootstrap_servers: null,
          groups: [],
          stream: [{ name: 'billing', connected: true, acknowledged, lag: 5 }],
          dead_letters: 0,
        },
      }),
    );
    await page.clock.install({ time: '2026-03-02T09:00:00Z' });
    await page.goto(`${url}/?view=consumers`);
    const row = page.getByRole('row', { name: 'billing' });
    await row.getByText('–').waitFor();
    // The time stands still from here on, so no other response follows.
    await page.clock.pauseAt('2026-03-02T09:00:30Z');
    acknowledged = 600;
    await page.clock.fastForward(60_000);
    await row.getByText(/^[67] records\/s/).waitFor();
    await page.locator('.lag-plot').getByText('09:01:30 UTC').waitFor();
  });
});
