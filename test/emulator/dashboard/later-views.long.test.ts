import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Kafka, logLevel } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { defineScenario, emit } from '../../../emulator/index.js';
import { commands } from '../../command.js';
import { writeDeadLetters } from '../control-api/write-dead-letters.js';
import { failingGroup } from './failing-group.js';
import { lossyProxy } from './lossy-proxy.js';
import { emulator, move, openPage, paused, speedOf, untilRows, untilText } from './open-page.js';

const moved = {
  ...move,
  branches: { told: 'web', outcome: 'moved', occupier: 'identified' },
} as const;

describe('the world view', () => {
  it('shows an account of an event as in REST, with the changes of each event', async () => {
    const { url, run, apiKeys } = await emulator(moved);
    await run.finished;
    const page = await openPage(`${url}/?event=1`);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('heading', { name: /^A-/ }).waitFor();
    const account = new URL(page.url()).searchParams.get('of')!;
    await page.getByRole('heading', { name: account }).waitFor();

    const history = page.getByTestId('history');
    await history.locator('.history-row').filter({ hasText: 'leave-supplier.completed' }).click();
    await page
      .getByTestId('changed')
      .filter({ hasText: 'leave-supplier.completed' })
      .getByText('marked below')
      .waitFor();
    const marks = await page.locator('.member.differs').allTextContents();
    expect(marks.some((mark) => /^status.*was ACTIVE/.test(mark))).toBe(true);

    await page.getByRole('button', { name: 'Now' }).click();
    const answer = await fetch(`${url}/v1/accounts/${account}/`, {
      headers: { authorization: `Basic ${Buffer.from(`${apiKeys[0]}:`).toString('base64')}` },
    });
    const story = (await (await fetch(`${url}/dashboard/account/${account}`)).json()) as { account: unknown };
    expect(story.account).toEqual(await answer.json());

    await page.getByRole('link', { name: 'Journey of customer 1' }).click();
    await page.getByRole('link', { name: account }).click();
    await page.getByRole('heading', { name: account }).waitFor();
    await history.getByRole('link', { name: /^Event lifecycle.leave-supplier.completed/ }).click();
    await untilRows(page, 'leave-supplier.completed');
  });

  it('finds an account by number and time, and reports an unknown one', async () => {
    const { url, run } = await emulator(moved);
    await run.finished;
    const page = await openPage(`${url}/?view=world`, { expected: /404/ });
    const account = (await page.locator('td a').first().textContent())!;
    await page.getByLabel('Account', { exact: true }).fill(account.toLowerCase());
    await page.getByLabel('At', { exact: true }).fill('2026-03-02 09:00');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: account }).waitFor();
    expect(new URL(page.url()).searchParams.get('at')).toBe('2026-03-02T09:00:00.000Z');
    await page.getByLabel('Account', { exact: true }).fill('A-00000000');
    await page.keyboard.press('Enter');
    await page.getByText('Account A-00000000 does not exist').waitFor();
  });
});

describe('the compose view', () => {
  it('fills a form, validates it during typing, and sends the event', async () => {
    const { url, run } = await emulator();
    const page = await openPage(`${url}/?view=compose`);
    await page.getByText(`npx emulate trigger account.created-v1 --to ${url}`).waitFor();
    await page.getByLabel('Event').selectOption('lifecycle.leave-supplier.completed-v3');
    await page
      .getByTestId('compose')
      .getByText('A leaving process ended: we no longer supply any of its supply points.')
      .waitFor();
    await untilText(page, 'validity', 'Matches its schema');
    await page.getByLabel('account_number').fill('');
    await page.getByLabel('leave_supplier_process_id').fill('many');
    await untilText(page, 'validity', '/leave_supplier_process_id');
    await page.getByLabel('leave_supplier_process_id').fill('77');
    await page.getByLabel('account_number').fill('A-1B2C3D4E');
    await page.getByRole('button', { name: 'Add an entry to supply_points' }).click();
    await untilText(page, 'validity', 'Matches its schema');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await untilText(page, 'answer', 'Sent.');
    await page.getByTestId('triggered').getByText('A-1B2C3D4E').waitFor();
    await untilText(page, 'sent', /^1$/);
    expect(run.summary.events).toBe(1);
    const { entries } = (await (await fetch(`${url}/emulator/v1/events`)).json()) as {
      entries: { event: { payload: { leave_supplier_process_id: number; supply_points: unknown[] } } }[];
    };
    const { payload } = entries[0]!.event;
    expect(payload.leave_supplier_process_id).toBe(77);
    expect(payload.supply_points.length).toBeGreaterThan(1);
    expect(payload.supply_points.at(-1)).toEqual(payload.supply_points.at(-2));
  });

  it('accepts JSON, and sends an invalid event with Send anyway', async () => {
    const { url, run } = await emulator();
    const page = await openPage(`${url}/?view=compose&compose=account.created-v1`);
    await page.getByRole('button', { name: 'JSON' }).click();
    const text = page.getByLabel('Payload as JSON');
    await text.fill('{"account_number": ');
    await untilText(page, 'validity', 'Not JSON yet');
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
    await text.fill('{"account_number": 5}');
    await untilText(page, 'validity', '/account_number');
    await page.getByRole('button', { name: 'Send anyway' }).click();
    await untilText(page, 'sent', /^1$/);
    expect(run.summary.byType.get('account.created')).toBe(1);
  });

  it('begins both cards at the same height', async () => {
    const { url } = await emulator();
    const page = await openPage(`${url}/?view=compose&compose=lifecycle.leave-supplier.completed-v3`);
    await page.locator('.validity.good').waitFor();
    const tops = await page.evaluate<number[]>(`
      Array.from(document.querySelectorAll('main .card'), (card) => card.getBoundingClientRect().top)`);
    expect(tops).toEqual([tops[0], tops[0]]);
  });

  it('begins empty for an event without a possible sample', async () => {
    const marks = { 'x-event-type': 'tariff.changed', 'x-event-version': 'v1', 'x-busbar-key': 'tariff' };
    const code = { type: 'string', pattern: '^(?!x)[a-z]+$' };
    const schema = { ...marks, type: 'object', properties: { code }, required: ['code'] };
    const { url } = await emulator({ catalogue: openCatalogue({ events: [schema] }) });
    const page = await openPage('about:blank', { expected: /400/ });
    await page.goto(`${url}/?view=compose&compose=tariff.changed-v1`);
    await page.getByRole('button', { name: 'Add code' }).click();
    await page.getByLabel('code', { exact: true }).fill('night');
    await untilText(page, 'validity', 'Matches its schema');
  });

  it('offers only the value of a constant, and the next kind of entry of a tuple', async () => {
    const marks = { 'x-event-type': 'tariff.changed', 'x-event-version': 'v1', 'x-busbar-key': 'tariff' };
    const band = {
      type: 'array',
      prefixItems: [{ type: 'string' }, { type: 'integer' }],
      items: false as never,
    };
    const properties = { kind: { const: 'night' }, band };
    const schema = { ...marks, type: 'object', properties, required: ['kind', 'band'] };
    const { url } = await emulator({ catalogue: openCatalogue({ events: [schema] }) });
    const page = await openPage(`${url}/?view=compose&compose=tariff.changed-v1`);
    await untilText(page, 'validity', 'Matches its schema');
    const kind = page.getByLabel('kind', { exact: true });
    expect(await kind.locator('option').allTextContents()).toEqual(['night']);
    await page.getByRole('button', { name: 'Omit 1' }).click();
    await page.getByRole('button', { name: 'Add an entry to band' }).click();
    await page.getByLabel('1', { exact: true }).waitFor();
    await untilText(page, 'validity', 'Matches its schema');
  });

  it('requests a sample again that did not arrive', async () => {
    const { url } = await emulator();
    const page = await openPage('about:blank');
    let asked = 0;
    await page.route('**/samples/*?nth=*', (route) =>
      asked++ === 0 ? route.fulfill({ body: '{"payload":' }) : route.continue(),
    );
    await page.goto(`${url}/?view=compose&compose=account.created-v1`);
    await untilText(page, 'validity', 'Matches its schema');
  });

  it('keeps the event of the form when an earlier sample arrives late', async () => {
    const { url } = await emulator();
    const page = await openPage('about:blank');
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/samples/account.created-v1?nth=*', async (route) => {
      await released;
      await route.continue();
    });
    await page.goto(`${url}/?view=compose&compose=account.created-v1`);
    await page.getByLabel('Event').selectOption('lifecycle.leave-supplier.completed-v3');
    await page.getByRole('textbox', { name: 'leave_supplier_process_id' }).fill('77');
    const late = page.waitForResponse(/account\.created-v1\?nth/);
    release();
    await (await late).finished();
    await untilText(page, 'validity', 'Matches its schema');
    expect(await page.getByRole('textbox', { name: 'leave_supplier_process_id' }).inputValue()).toBe('77');
  });

  it('rounds no number', async () => {
    const { url } = await emulator();
    const page = await openPage(`${url}/?view=compose&compose=lifecycle.leave-supplier.completed-v3`);
    const processId = page.getByLabel('leave_supplier_process_id', { exact: true });
    await processId.fill('9007199254740993');
    await untilText(page, 'validity', '/leave_supplier_process_id');
    expect(await processId.inputValue()).toBe('9007199254740993');
    await processId.fill('9007199254740991');
    await untilText(page, 'validity', 'Matches its schema');
    await page.getByRole('button', { name: 'JSON' }).click();
    const text = page.getByLabel('Payload as JSON');
    const json = await text.inputValue();
    await text.fill(json.replace('9007199254740991', '9007199254740993'));
    await untilText(page, 'validity', 'would be rounded');
    expect(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);
  });

  it('sends a copy of an event, and shows an equivalent command', async () => {
    const { url, run } = await emulator(moved);
    const { events } = await run.finished;
    const page = await openPage(`${url}/?event=1`);
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByText('A copy of event 1.').waitFor();
    await untilText(page, 'validity', 'Matches its schema');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await untilText(page, 'answer', 'Sent.');
    await expect.poll(() => run.summary.events).toBe(events + 1);
    const command = (await page.locator('.send .command code').textContent())!;
    // Not synchronously: the emulator is in this process.
    const node = `"${process.execPath}" "${commands.emulate}"`;
    await promisify(execFile)('sh', ['-c', command.replace('npx emulate', node)]);
    await expect.poll(() => run.summary.events).toBe(events + 2);
    const { entries } = (await (await fetch(`${url}/emulator/v1/events?limit=1000`)).json()) as {
      entries: { key: string; event: { payload: unknown } }[];
    };
    const [first] = entries;
    for (const again of entries.slice(-2)) {
      expect([again.key, again.event.payload]).toEqual([first!.key, first!.event.payload]);
    }
  });
});

describe('the consumers view', () => {
  it('shows the lag of a consumer, and replays its dead letter at a click', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    const page = await openPage(`${started.url}/?view=consumers`);
    await page.getByText('No consumers yet').waitFor();

    const { handler, handled } = await failingGroup(started, 'ledger', { deadLetterDetails: 'stack' });
    await started.trigger('account.created-v1', { set: ['account_number=A-1B2C3D4E'] });
    await untilText(page, 'group-ledger', 'consuming');
    await untilText(page, 'group-ledger', '0 records behind');
    await untilText(page, 'dead-letters', 'handler-failed');
    await untilText(page, 'dead-letters', '1 attempt');
    await untilText(page, 'dead-letters', 'TypeError caused by Error');
    await untilText(page, 'dead-letters', 'ECONNREFUSED');
    await untilText(page, 'dead-letters', /test\/emulator\/dashboard\/failing-group\.ts:\d+:\d+/);
    await untilText(page, 'dead-letters', 'not today; caused by: not there');
    const stack = await page.getByLabel('Stack').textContent();
    expect(stack).toMatch(/^TypeError: not today\n {4}at [^]*\ncaused by: Error: not there\n {4}at /);
    handler.isFixed = true;
    await page.getByRole('button', { name: 'Replay platform.events.dead-letter' }).click();
    await untilText(page, 'replayed', '1 record replayed.');
    await expect.poll(() => handled).toEqual(['A-1B2C3D4E']);
    await page.locator('.letter').getByText('replayed', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Replay all' }).isDisabled()).toBe(true);
    await page.getByTestId('dead-letters').getByRole('link', { name: 'Event' }).click();
    await untilText(page, 'received', /^1$/);
    await page.getByRole('button', { name: `Remove contains` }).waitFor();
  });
});

describe('a consumer group', () => {
  it('says where the next member resumes when all have left', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    const { running } = await failingGroup(started, 'ledger');
    const page = await openPage(`${started.url}/?view=consumers`);
    await untilText(page, 'group-ledger', '127.0.0.1, reads platform.events');
    await running.stop();
    await untilText(
      page,
      'group-ledger',
      'No members. The next member resumes from the committed offsets of platform.events',
    );
  });
});

describe('the lag chart', () => {
  it('marks a deleted group as gone', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    await failingGroup(started, 'ledger');
    await (await failingGroup(started, 'old')).running.stop();
    const page = await openPage(`${started.url}/?view=consumers`);
    await page.locator('.legend li').filter({ hasText: 'old 0' }).waitFor();
    const admin = new Kafka({ brokers: [started.bootstrapServers!], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    await admin.deleteGroups(['old']);
    await admin.disconnect();
    await page.locator('.legend li').filter({ hasText: 'old gone' }).waitFor();
    await page.locator('.legend li').filter({ hasText: 'ledger 0' }).waitFor();
  });

  it('breaks the line where the connection was lost', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    await failingGroup(started, 'ledger');
    const proxy = await lossyProxy(Number(new URL(started.url).port));
    const page = await openPage(`${proxy.url}/?view=consumers`);
    const gaps = async () => (await page.locator('.lag-plot path').getAttribute('d'))!.split('M').length - 2;
    await page.locator('.legend li').filter({ hasText: 'ledger 0' }).waitFor();
    expect(await gaps()).toBe(0);
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/consumers'));
    proxy.sever();
    await failed;
    proxy.restore();
    await expect.poll(gaps).toBe(1);
  });
});

describe('the panel of an event', () => {
  it('says that the payload was not validated, after a response that broke off', async () => {
    const started = await emulator();
    await started.trigger('account.created-v1');
    const page = await openPage('about:blank');
    await page.route('**/dashboard/validate', (route) => route.fulfill({ body: '{"violations":' }));
    await page.goto(`${started.url}/?event=1`);
    await untilText(page, 'validity', /The emulator does not respond\./);
  });
});

describe('the dead letters of the consumers view', () => {
  it('appear after a response that broke off', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    writeDeadLetters(started, 0, 3);
    const page = await openPage('about:blank');
    let asked = 0;
    await page.route('**/emulator/v1/consumers', (route) =>
      asked++ === 0 ? route.fulfill({ json: undefined, body: '{"groups":' }) : route.continue(),
    );
    await page.goto(started.url);
    await page.getByRole('link', { name: '3 dead letters' }).waitFor();
  });

  it('stay pending after a response to a replay that broke off', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    writeDeadLetters(started, 0, 3);
    await (await failingGroup(started, 'billing')).running.stop();
    const page = await openPage(`${started.url}/?view=consumers`);
    await page.route('**/dead-letters/replay', (route) => route.fulfill({ body: '{"replayed":' }));
    await page.getByRole('button', { name: 'Replay all' }).click();
    await page.getByRole('button', { name: 'Replay 3 records?' }).click();
    await untilText(page, 'replayed', 'The emulator does not respond.');
  });

  it('appear in spite of a slow response, with one request at a time', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    writeDeadLetters(started, 0, 3);
    const page = await openPage('about:blank');
    const [asked, held] = [{ letters: 0, consumers: 0 }, { release: () => {} }];
    const released = new Promise<void>((resolve) => (held.release = resolve));
    await page.route('**/emulator/v1/dead-letters**', async (route) => {
      asked.letters++;
      await released;
      await route.continue();
    });
    page.on('response', (response) => {
      if (response.url().endsWith('/consumers')) asked.consumers++;
    });
    await fetch(`${started.url}/emulator/v1/dead-letters`);
    await (await failingGroup(started, 'billing')).running.stop();
    await page.goto(`${started.url}/?view=consumers`);
    await page.getByText('Loading dead letters').waitFor();
    await started.trigger('account.created-v1');
    const before = asked.consumers;
    await expect.poll(() => asked.consumers).toBeGreaterThan(before + 2);
    expect(asked.letters).toBe(1);
    held.release();
    await page.locator('.letter').nth(2).waitFor();
    await page.getByRole('button', { name: '3 pending' }).waitFor();
  });

  it('appear again when the chosen cause is gone', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    writeDeadLetters(started, 0, 2);
    await (await failingGroup(started, 'billing')).running.stop();
    const page = await openPage(`${started.url}/?view=consumers`);
    const cause = page.locator('.cause button[aria-pressed]');
    await cause.filter({ hasText: 'account.created-v1' }).click();
    await page.locator('.cause button[aria-pressed=true]').waitFor();
    const admin = new Kafka({ brokers: [started.bootstrapServers!], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    await admin.deleteTopics({ topics: ['platform.events.dead-letter'] });
    await admin.createTopics({ topics: [{ topic: 'platform.events.dead-letter' }] });
    await admin.disconnect();
    writeDeadLetters(started, 2, 1, { event: 'account.occupied-v1' });
    await page.locator('.letter').filter({ hasText: 'account.occupied-v1' }).waitFor();
    await page.locator('.cause button[aria-pressed=false]').waitFor();
  });

  it('fill pages by state, and are replayed together after a second click', async () => {
    const started = await emulator({ kafka: { port: 0 } });
    await started.trigger('account.created-v1', { count: 60 });
    writeDeadLetters(started, 0, 250);
    await (await failingGroup(started, 'billing')).running.stop();
    const page = await openPage(`${started.url}/?view=consumers`);
    await page.getByRole('button', { name: '250 pending' }).waitFor();
    const first = page.locator('.letter .letter-where').first();
    await first.getByText('platform.events/0/249').waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await first.getByText('platform.events/0/149').waitFor();
    await page.getByRole('button', { name: 'Older' }).click();
    await first.getByText('platform.events/0/49').waitFor();
    expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Newer' }).click();
    await first.getByText('platform.events/0/149').waitFor();
    await page.getByRole('button', { name: 'Replay all' }).click();
    await page.getByRole('button', { name: 'Replay 250 records?' }).press('Tab');
    await page.getByRole('button', { name: 'Replay all' }).click();
    await page.getByRole('button', { name: 'Replay 250 records?' }).click();
    await untilText(page, 'replayed', '250 records replayed.');
    await page.getByRole('button', { name: '250 replayed' }).click();
    await first.getByText('platform.events/0/249').waitFor();
    await page.getByRole('button', { name: '0 pending' }).click();
    await page.getByText('None in this state.').waitFor();
  });
});

describe('the dashboard after a reset', () => {
  it('shows no event of the run before', async () => {
    const { url, run, reset } = await emulator(paused);
    const page = await openPage(url);
    await untilText(page, 'state', 'paused');
    run.step();
    await untilText(page, 'received', /^2$/);
    await reset({ seed: 3, paused: true });
    await page.getByText('Nothing has been sent yet').waitFor();
    await untilText(page, 'received', /^0$/);
    await page.reload();
    await untilText(page, 'state', 'paused');
    await page.getByText('Nothing has been sent yet').waitFor();
  });

  it('shows the speed, which stays the same', async () => {
    const { url, reset, pace } = await emulator(paused);
    expect(pace).toEqual({ speed: 'instant' });
    const page = await openPage(url);
    const speed = page.getByLabel('Speed');
    await speed.waitFor();
    expect(await speed.inputValue()).toBe('instant');
    await speed.selectOption('1 day per second');
    await expect.poll(() => speedOf(url)).toBe(86_400);
    await reset({ paused: true });
    await page.reload();
    await speed.waitFor();
    expect(await speed.inputValue()).toBe('86400');
  });
});

describe("a user's own scenarios", () => {
  it('appear in the run view and start from there', async () => {
    const found = defineScenario({
      name: 'found',
      title: 'An account is found occupied',
      description: 'A caller reports it.',
      branches: {},
      *run({ cell }) {
        const { number } = cell.account;
        yield* emit('account.occupied', 'v1', { account_number: number }, { key: number });
      },
    });
    const { url, run } = await emulator({ scenario: found });
    await run.finished;
    const page = await openPage(`${url}/?view=run`);
    await page.getByLabel('Scenario').selectOption('found');
    await page.getByText('A caller reports it.').waitFor();
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await untilText(page, 'answer', 'Started found.');
    await expect.poll(() => run.summary.byType.get('account.occupied')).toBe(2);
  });
});
