/* eslint-disable @typescript-eslint/no-unsafe-return, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-argument -- answers are looked at, not typed */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Kafka, logLevel } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { runOperations } from '../../../emulator/control-api/run.js';
import { run as command } from '../../command.js';
import { serve } from './serve.js';

/** The document without room for members that it does not have. */
const closed = (document: object): object =>
  JSON.parse(JSON.stringify(document), (_key, value) =>
    value !== null && typeof value === 'object' && 'properties' in value && value.type === 'object'
      ? { additionalProperties: false, ...value }
      : value,
  );

const sentTypes = ({ body }: Awaited<ReturnType<Awaited<ReturnType<typeof serve>>['call']>>) =>
  body.entries.map((entry: { event: { event_type: string } }) => entry.event.event_type);

describe('the control API', () => {
  it('pauses, steps, resumes, stops and restarts a run', async () => {
    const { emulator, call } = await serve({ scenario: 'house-move', run: { paused: true } });
    expect((await call('GET', '/run')).body).toMatchObject({ run: 1, state: 'paused', events: 0, seed: 1 });
    await call('POST', '/run/step', { count: 1 });
    await expect.poll(async () => (await call('GET', '/run')).body.events).toBeGreaterThan(0);
    await call('POST', '/run/resume', {});
    await emulator.idle();
    const whole = (await call('GET', '/run')).body;
    expect(whole.state).toBe('idle');
    await call('POST', '/run/reset', { seed: 5, speed: 'instant' });
    await emulator.idle();
    expect((await call('GET', '/run')).body).toMatchObject({ run: 2, seed: 5, state: 'idle' });
    expect((await call('POST', '/run/stop', {})).body.state).toBe('stopped');
    const late = await call('POST', '/trigger', { event: 'account.created-v1' });
    expect([late.status, late.body.error]).toEqual([409, 'run-over']);
    expect((await call('POST', '/run/step', {})).body.error).toBe('run-over');
    expect((await call('POST', '/run/reset', {})).body.state).not.toBe('stopped');
  });

  it('restarts a stopped run with its settings when a scenario is started', async () => {
    const { emulator, call } = await serve({ seed: 5 });
    const start = () => call('POST', '/run/start', { scenario: 'switch-loss' });
    const first = await start();
    await emulator.idle();
    const { by_type } = (await call('GET', '/run')).body;
    await call('POST', '/run/stop', {});
    const second = await start();
    expect([second.status, second.body]).toEqual([201, first.body]);
    await emulator.idle();
    expect((await call('GET', '/run')).body).toMatchObject({ run: 2, seed: 5, by_type });
  });

  it('starts scenarios in the running world, and returns their results', async () => {
    const { emulator, call } = await serve();
    const { status, body } = await call('POST', '/run/start', {
      scenario: 'house-move',
      branches: { outcome: 'moved' },
    });
    expect(status).toBe(201);
    const [{ account, instance }] = body.started;
    await emulator.idle();
    const events = await call('GET', '/events?limit=1000');
    expect(events.body.entries.every((entry: { instance: string }) => entry.instance === instance)).toBe(
      true,
    );
    const process = /LS-[\dA-F]{8}/.exec(JSON.stringify(events.body))?.[0];
    const truth = (await call('GET', `/world/processes/${process}`)).body;
    expect(truth.last).toMatch(/^lifecycle\./);
    const before = (await call('GET', `/world/accounts/${account}?at=2026-03-02`)).body.account;
    const after = (await call('GET', `/world/accounts/${account}`)).body.account;
    expect(before.occupancies[0].to).toBeNull();
    expect(after.occupancies[0].to).not.toBeNull();
    expect((await call('GET', `/world/cells/${truth.cell}`)).body.cell.accounts[0].number).toBe(account);
    expect((await call('GET', '/world/accounts/A-00000000')).status).toBe(404);
    expect((await call('GET', '/world/cells/99999')).status).toBe(404);
  });

  it('starts all scenarios that are requested at once after a stop', async () => {
    const { emulator, call } = await serve();
    await call('POST', '/run/stop', {});
    // Over HTTP, the second request may come after the first has restarted the run.
    const { startScenario } = runOperations(emulator as never);
    const scenarios = ['house-move', 'billing-cycle', 'switch-loss'];
    await Promise.all(scenarios.map((scenario) => startScenario({ body: { scenario } } as never)));
    await emulator.idle();
    expect((await call('GET', '/run')).body).toMatchObject({ run: 2, inputs: scenarios.length });
  });

  it('sends a single event as requested, and lists it', async () => {
    const { emulator, call } = await serve();
    const set = ['account_number=A-1B2C3D4E'];
    const { status, body } = await call('POST', '/trigger', { event: 'account.created-v1', set, count: 2 });
    expect(status).toBe(202);
    expect(body.triggered).toMatchObject([{ key: 'A-1B2C3D4E' }, { key: 'A-1B2C3D4E' }]);
    await emulator.idle();
    const { body: log } = await call('GET', '/events');
    expect(log.entries[0].event.payload.account_number).toBe('A-1B2C3D4E');
    await call('POST', '/trigger', { event: 'account.created-v1', invalid: ['missing:account_number'] });
    await emulator.idle();
    const next = await call('GET', `/events?after=${log.cursor}`);
    expect(sentTypes(next)).toEqual(['account.created']);
    expect(next.body.entries[0].event.payload).not.toHaveProperty('account_number');
    expect((await call('POST', '/trigger', { event: 'account.create-v1' })).body.message).toContain(
      'Did you mean',
    );
    expect((await call('POST', '/trigger', { event: 'account.created-v1', payload: {} })).status).toBe(400);
  });

  it('refuses the cursor of an emulator that sent more events', async () => {
    const { emulator, call } = await serve();
    await emulator.trigger('account.created-v1', { count: 2 });
    await emulator.idle();
    expect((await call('GET', '/events?after=2')).body).toEqual({ entries: [], cursor: 2, missed: 0 });
    const { status, body } = await call('GET', '/events?after=3');
    expect([status, body.error]).toEqual([400, 'invalid-option']);
    expect(body.message).toBe(
      '"after" is 3, but the last record is 2. A restarted emulator numbers from 1 again.',
    );
  });

  it('reads the clock and moves it forward', async () => {
    const { call } = await serve({ scenario: 'house-move', speed: 1 });
    const { body: before } = await call('GET', '/clock');
    expect(before.now).toMatch(/^2026-03-02T09:00/);
    const { body: after } = await call('POST', '/clock/advance', { by: 'P30D' });
    expect(after.now).toMatch(/^2026-04-01T/);
    expect((await call('GET', '/run')).body.events).toBeGreaterThan(5);
    const back = await call('POST', '/clock/advance', { to: '2026-03-02T09:00:00Z' });
    expect([back.status, back.body.message]).toEqual([400, expect.stringContaining('cannot go back')]);
  });

  it.each(['P9000000D', 'P999999999999D'])('refuses to move the clock forward by %s', async (by) => {
    const { call } = await serve();
    const refused = await call('POST', '/clock/advance', { by });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('9999-12-31')]);
    expect((await call('POST', '/clock/advance', { by: '1h' })).body.now).toMatch(/^2026-03-02T10:00/);
  });

  it('stops the clock at the end of the year 9999, at the highest speed', async () => {
    const { call } = await serve({ speed: 1e15 });
    await expect.poll(async () => (await call('GET', '/clock')).body.now).toBe('9999-12-31T23:59:59.999Z');
    expect((await call('POST', '/run/speed', { speed: 1 })).status).toBe(200);
    expect((await call('GET', '/run')).body.now).toBe('9999-12-31T23:59:59.999Z');
  });

  it('adds up durations that arrive while the clock advances', async () => {
    const { call } = await serve({ scenario: 'everyday', accounts: 200, run: { paused: true } });
    const { body: before } = await call('GET', '/clock');
    await Promise.all([1, 2].map(() => call('POST', '/clock/advance', { by: 'P7D' })));
    const { body: after } = await call('GET', '/clock');
    expect(Date.parse(after.now) - Date.parse(before.now)).toBe(14 * 86_400_000);
  });

  it('switches faults, and changes the pace', async () => {
    const { emulator, call } = await serve();
    expect((await call('PUT', '/faults', { faults: 'duplicate=100%' })).body.faults).toBe('duplicate=100%');
    await call('POST', '/trigger', { event: 'account.created-v1' });
    await emulator.idle();
    expect(sentTypes(await call('GET', '/events'))).toHaveLength(2);
    await call('PUT', '/faults', { faults: 'corrupt=100%' });
    await call('POST', '/trigger', { event: 'account.created-v1' });
    await emulator.idle();
    const { entries } = (await call('GET', '/events?after=2')).body;
    expect(entries).toMatchObject([{ cursor: 3, faults: ['corrupt'], event: null }]);
    expect((await call('DELETE', '/faults')).body.faults).toBeNull();
    expect((await call('PUT', '/faults', { faults: 'dup=1%' })).body.message).toContain('no fault "dup"');
    expect((await call('POST', '/run/speed', { speed: 60 })).status).toBe(200);
    expect((await call('POST', '/run/speed', { speed: 0 })).status).toBe(400);
  });

  it('keeps import suppliers, whose status only the operator sets', async () => {
    const { call } = await serve();
    const created = await call('POST', '/import-suppliers', {
      code: 'NORTH',
      behaviours: { customer_emails: false },
    });
    expect([created.status, created.body]).toEqual([
      201,
      {
        code: 'NORTH',
        status: 'Ongoing',
        root_location: 'import/NORTH',
        behaviours: { customer_emails: false },
      },
    ]);
    await call('PATCH', '/import-suppliers/NORTH', { status: 'Paused' });
    expect((await call('GET', '/import-suppliers')).body.import_suppliers).toMatchObject([
      { status: 'Paused' },
    ]);
    expect((await call('PATCH', '/import-suppliers/NORTH', { status: 'Over' })).status).toBe(400);
    expect((await call('PATCH', '/import-suppliers/NORTH', { root_location: '../x' })).status).toBe(400);
    const missing = await call('GET', '/import-suppliers/SOUTH');
    expect([missing.status, missing.body.error]).toEqual([404, 'unknown-import-supplier']);
  });

  it('returns the log of inputs, which reproduces the same bytes', async () => {
    const { emulator, call } = await serve({ scenario: 'switch-loss', seed: 9 });
    await call('POST', '/run/start', { scenario: 'house-move' });
    await call('POST', '/trigger', { event: 'account.created-v1' });
    await emulator.idle();
    const folder = await mkdtemp(join(tmpdir(), 'busbar-control-'));
    const file = join(folder, 'inputs.ndjson');
    await writeFile(file, (await call('GET', '/inputs')).body as string);
    const sent = (await call('GET', '/events?limit=1000')).body.entries;
    const args = [
      '--scenario',
      'switch-loss',
      '--seed',
      '9',
      '--instant',
      '--to',
      'stdout',
      '--inputs',
      file,
    ];
    const { stdout } = await command('emulate', args);
    await rm(folder, { recursive: true });
    expect(stdout.trim().split('\n')).toEqual(
      sent.map(({ event }: { event: object }) => JSON.stringify(event)),
    );
  });

  it('accepts events of "emulate trigger --to" from another process', async () => {
    const { emulator, call } = await serve();
    const args = [
      'trigger',
      'account.created-v1',
      '--set',
      'account_number=A-1B2C3D4E',
      '--to',
      emulator.url ?? '',
    ];
    const { code, stderr } = await command('emulate', args);
    expect([code, stderr]).toEqual([0, expect.stringContaining('key A-1B2C3D4E')]);
    await emulator.idle();
    expect(sentTypes(await call('GET', '/events'))).toEqual(['account.created']);
    const page = 'http://127.0.0.1:1/?token=secret';
    const nowhere = await command('emulate', ['trigger', 'account.created-v1', '--to', page]);
    const message = 'emulate: No emulator responds at "http://127.0.0.1:1". Start one with: npx emulate.\n';
    expect([nowhere.code, nowhere.stderr]).toEqual([1, message]);
  });

  it('accepts the access token of "emulate trigger" from other machines', async () => {
    const { emulator } = await serve({ http: { port: 0, host: '0.0.0.0', insecure: true } });
    const { port, searchParams } = new URL(emulator.pageUrl ?? '');
    const folder = await mkdtemp(join(tmpdir(), 'busbar-token-'));
    const file = join(folder, 'token');
    await writeFile(file, `${searchParams.get('token')}\n`);
    const args = ['trigger', 'account.created-v1', '--to', `http://127.0.0.1:${port}`];
    const without = await command('emulate', args);
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining('BUSBAR_ACCESS_TOKEN')]);
    const { code, stderr } = await command('emulate', [...args, '--access-token-file', file]);
    await rm(folder, { recursive: true });
    expect([code, stderr]).toEqual([0, expect.stringContaining('Sent into')]);
  });
});

describe('the control API to bad callers', () => {
  it('refuses foreign origins, other media types and unreadable bodies in one shape', async () => {
    const { emulator, call } = await serve();
    const foreign = await call('POST', '/run/pause', {}, { origin: 'https://example.com' });
    expect([foreign.status, foreign.body.error]).toEqual([403, 'foreign-origin']);
    expect((await call('GET', '/run', undefined, { origin: 'null' })).status).toBe(403);
    expect((await call('GET', '/run', undefined, { origin: emulator.url ?? '' })).status).toBe(200);
    expect((await call('POST', '/run/pause', '{}', { 'content-type': 'text/plain' })).status).toBe(415);
    const broken = await call('POST', '/trigger', '{"event": secret');
    expect([broken.status, JSON.stringify(broken.body)]).toEqual([
      400,
      expect.not.stringContaining('secret'),
    ]);
    expect((await call('POST', '/trigger', '[1]')).status).toBe(400);
    expect((await call('POST', '/trigger', { event: 'x'.repeat(1_100_000) })).status).toBe(413);
    const wrong = await call('POST', '/run/step', { cuont: 1 });
    expect(wrong.body).toEqual({
      error: 'invalid-option',
      message: 'The request has an unknown member "cuont". Did you mean "count"?',
    });
    expect((await call('GET', '/nothing')).body.error).toBe('not-found');
    const method = await call('DELETE', '/run');
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect((await call('GET', '/events?limit=0')).status).toBe(400);
    expect((await call('GET', '/health')).body).toEqual({ status: 'ok', run: 1 });
  });

  it.each([
    ['POST', '/trigger', {}, '"event" is missing.'],
    ['POST', '/trigger', [1], 'The body must be an object.'],
    ['POST', '/trigger', { event: 1 }, '"event" must be a string.'],
    ['POST', '/trigger', { event: 'x', set: ['a', 1] }, '"set.1" must be a string.'],
    [
      'POST',
      '/trigger',
      { event: 'x', key: 'x'.repeat(10_001) },
      '"key" must have at most 10000 characters.',
    ],
    ['POST', '/trigger', { event: 'x', validate: 1 }, '"validate" must be true or false.'],
    ['POST', '/run/pause', { now: true }, 'The request has an unknown member "now". Its members: none.'],
    ['POST', '/run/step', { count: 0 }, '"count" must be a whole number from 1 to 1000000.'],
    ['POST', '/run/speed', {}, 'Give either "speed" or "rate".'],
    ['POST', '/run/speed', { speed: 1, rate: 1 }, 'Give either "speed" or "rate".'],
    ['POST', '/run/speed', { speed: 'fast' }, '"speed" must be a number or "instant" or "story".'],
    ['POST', '/run/reset', { speed: 1, rate: 1 }, 'Give either "speed" or "rate".'],
    ['POST', '/run/speed', { rate: 0 }, '"rate" must be a number above 0, not 0.'],
    ['POST', '/clock/advance', { to: '2026', by: '1h' }, 'Give either "to" or "by".'],
    ['POST', '/clock/advance', { to: 1 }, '"to" must be an instant, for example 2026-03-02T09:00:00Z.'],
    [
      'POST',
      '/clock/advance',
      { to: 'noon' },
      'Option "to" takes an instant with its zone, e.g. 2026-03-02T09:00:00Z, or a date, e.g. 2026-03-02, not "noon".',
    ],
    [
      'POST',
      '/clock/advance',
      { to: '2026-02-30T09:00:00Z' },
      'Option "to" takes an instant with its zone, e.g. 2026-03-02T09:00:00Z, or a date, e.g. 2026-03-02, not "2026-02-30T09:00:00Z".',
    ],
    [
      'POST',
      '/import-suppliers',
      { code: 'X', status: 'Over' },
      '"status" must be "Ongoing", "Paused" or "Complete".',
    ],
    [
      'POST',
      '/import-suppliers',
      { code: 'X', behaviours: { customer_emails: 'no' } },
      '"behaviours.customer_emails" must be true or false.',
    ],
    ['PUT', '/faults', { faults: 1 }, '"faults" must be a string or an object.'],
    [
      'POST',
      '/trigger',
      { event: 'billing.final_bill-v1', payload: { statement_id: 2 ** 53 } },
      '"body" has an integer above 9007199254740991, which would be rounded. Use a smaller one.',
    ],
    ['GET', '/events?limit=1001', undefined, '"limit" must be a whole number from 1 to 1000.'],
    ['GET', '/events?limit=1&limit=2', undefined, '"limit" must be a whole number from 1 to 1000.'],
    ['GET', '/events?typ=x', undefined, 'The request has an unknown member "typ". Did you mean "type"?'],
    ['GET', '/world/cells/first', undefined, '"cell" must be a whole number of at least 0.'],
  ])('names what does not fit the document: %s %s %j', async (method, path, body, message) => {
    const { call } = await serve();
    const { status, body: answer } = await call(method, path, body);
    expect([status, answer]).toEqual([400, { error: 'invalid-option', message }]);
  });

  it.each([
    ['objects', '{"a":', '}'],
    ['lists', '[', ']'],
  ])('refuses %s that are nested 5,000 deep, wherever they are', async (_what, open, close) => {
    const { call } = await serve();
    const nested = `${open.repeat(5000)}1${close.repeat(5000)}`;
    const event = '"event": "account.updated-v1"';
    const bodies = [
      ['/trigger', `{${event}, "payload": {"a": ${nested}}}`],
      ['/trigger', `{${event}, "validate": false, "payload": {"a": ${nested}}}`],
      ['/trigger', `{${event}, "set": ${nested}}`],
      [
        '/trigger',
        JSON.stringify({
          event: 'account.updated-v1',
          set: [`changes={"a":${'['.repeat(4900)}${']'.repeat(4900)}}`],
        }),
      ],
      ['/trigger', nested],
      ['/run/start', `{"scenario": "house-move", "data": ${nested}}`],
      ['/run/start', `{"scenario": "house-move", "branches": {"occupier": ${nested}}}`],
      ['/run/speed', `{"speed": ${nested}}`],
      ['/run/reset', `{"speed": ${nested}}`],
      ['/clock/advance', `{"to": ${nested}}`],
      ['/import-suppliers', `{"code": "ACME", "behaviours": {"customer_emails": ${nested}}}`],
    ] as const;
    for (const [path, body] of bodies) {
      const { status, body: answer } = await call('POST', path, body);
      expect([path, status, answer.error]).toEqual([path, 400, 'invalid-option']);
    }
    expect((await call('PUT', '/faults', `{"faults": ${nested}}`)).status).toBe(400);
  });

  it('refuses a name that is not its own', async () => {
    const { emulator } = await serve();
    const status = await new Promise((resolve, reject) => {
      request(`${emulator.url}/emulator/v1/run`, { headers: { host: 'evil.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(403);
  });
});

describe('the document of the control API', () => {
  it('describes all members of responses', async () => {
    const { emulator, call } = await serve({ kafka: { port: 0 } });
    const { body: document } = await call('GET', '/openapi.json');
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema(closed(document), 'api');
    const answers = async (method: string, path: string, template: string, body?: unknown) => {
      const { status, body: answer } = await call(method, path, body);
      const pointer = ['paths', template, method.toLowerCase(), 'responses', status, 'content']
        .map((part) => encodeURIComponent(String(part).replaceAll('/', '~1')))
        .join('/');
      const validate = ajv.compile({ $ref: `api#/${pointer}/application~1json/schema` });
      expect([path, validate(answer), validate.errors]).toEqual([path, true, null]);
      return answer;
    };
    const get = (path: string, template = path) => answers('GET', path, template);
    const post = (path: string, body: unknown) => answers('POST', path, path, body);
    await post('/import-suppliers', { code: 'ACME' });
    await get('/import-suppliers/ACME', '/import-suppliers/{code}');
    const { started } = await post('/run/start', { scenario: 'house-move', instances: 2 });
    await post('/trigger', { event: 'account.created-v1' });
    await emulator.idle();
    await answers('PUT', '/faults', '/faults', { faults: { duplicate: '1%' } });
    for (const path of [
      '/run',
      '/health',
      '/clock',
      '/consumers',
      '/dead-letters',
      '/faults',
      '/import-suppliers',
    ])
      await get(path);
    await get('/samples/account.created-v1', '/samples/{event}');
    const { account } = await get(`/world/accounts/${started[0].account}`, '/world/accounts/{number}');
    await get(`/world/processes/${account.number}`, '/world/processes/{number}');
    await get(`/world/accounts/${account.number}/bills`, '/world/accounts/{number}/bills');
    for (const { identifier } of account.agreements) {
      const { readings } = await get(
        `/world/accounts/${account.number}/meter-points/${identifier}/readings`,
        '/world/accounts/{number}/meter-points/{meter_point}/readings',
      );
      expect(readings.length).toBeGreaterThan(0);
    }
    const missing = `/world/accounts/${account.number}/meter-points/1/readings`;
    expect((await call('GET', missing)).status).toBe(404);
    await get(`/world/cells/${started[0].cell}`, '/world/cells/{cell}');
    expect((await get('/events')).entries.length).toBeGreaterThan(0);
    await post('/clock/advance', { by: '1h' });
    await post('/run/speed', { rate: 10 });
    const { id } = await post('/broker/faults', { on: 'ApiVersions', delay: '0ms' });
    const { id: hold } = await post('/broker/holds', { on: 'Metadata', at: 'answer' });
    const admin = new Kafka({ brokers: [emulator.bootstrapServers!], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const listed = admin.listTopics();
    await get(`/broker/holds/${hold}?wait=10s`, '/broker/holds/{id}');
    await answers('POST', `/broker/holds/${hold}/release`, '/broker/holds/{id}/release', {});
    await listed;
    await admin.disconnect();
    for (const path of ['/broker/faults', '/broker/faults/applied']) await get(path);
    await get('/broker/groups/none/consumed', '/broker/groups/{group}/consumed');
    await post('/broker/connections/close', {});
    const truncate = '/broker/topics/{topic}/truncate';
    await answers('POST', truncate.replace('{topic}', 'platform.events'), truncate, {});
    await answers('DELETE', `/broker/faults/${id}`, '/broker/faults/{id}');
    await answers('DELETE', '/broker/faults', '/broker/faults');
  });

  it('lists every path and passes a linter', async () => {
    const { call } = await serve();
    const { body: document } = await call('GET', '/openapi.json');
    for (const path of Object.keys(document.paths)) {
      const filled = path.replace('{number}', 'A-00000000').replace('{code}', 'X').replace('{cell}', '99');
      const { status, headers } = await call('PROPFIND', filled);
      expect([path, status]).toEqual([path, 405]);
      const methods = Object.keys(document.paths[path]).flatMap((method) =>
        method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
      );
      expect([path, headers.get('allow')]).toEqual([path, methods.join(', ')]);
    }
    const folder = await mkdtemp(join(tmpdir(), 'busbar-control-'));
    const file = join(folder, 'control.json');
    await writeFile(file, JSON.stringify(document));
    const lint = ['node_modules/@redocly/cli/bin/cli.js', 'lint', file, '--format', 'json'];
    const { stdout } = await promisify(execFile)(process.execPath, lint);
    await rm(folder, { recursive: true });
    const { problems } = JSON.parse(stdout) as { problems: { severity: string }[] };
    expect(problems.filter(({ severity }) => severity !== 'warn')).toEqual([]);
  });
});
