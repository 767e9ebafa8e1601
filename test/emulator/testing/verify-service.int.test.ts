import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { ContractReport } from '../../../emulator/testing/index.js';
import { playsAll } from '../../cases.js';
import { run, runProcess, start } from '../../command.js';

const folder = mkdtempSync(join(tmpdir(), 'busbar-service-'));
const { TMPDIR } = process.env;
// A machine may set it: then the check of time zones does not run.
delete process.env['TZ'];
process.env['TMPDIR'] = folder;
afterAll(() => {
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;
  rmSync(folder, { recursive: true, force: true });
});

/** An argument that only processes of this test have. */
const mark = `mark-of-${basename(folder)}`;
const service = join(import.meta.dirname, '../../fixtures/service/counting-service.mjs');
const storingService = join(import.meta.dirname, '../../fixtures/service/storing-service.mjs');
const account = { http: 'http://127.0.0.1:{port}/', key: 'account' };

function contractOf(name: string, changes: object = {}, variant = ''): string {
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(contractWith(changes, variant)));
  return file;
}

function contractWith(changes: object, variant: string): object {
  const env = { KAFKA_BROKERS: '{brokers}', PORT: '{port}', FILE: '{dir}/effects', INSTANCE: '{instance}' };
  return {
    start: { command: [process.execPath, service, mark], env: { ...env, VARIANT: variant } },
    group: 'counting',
    events: ['account.created-v1'],
    observe: { account },
    reset: 'fresh-dir',
    ...changes,
  };
}

/** Writes the contract of a service that stores its rows in a dependency on this port. */
function storingContract(name: string, port: number, variant: string): string {
  const of = '?of={dir}';
  const env = { KAFKA_BROKERS: '{brokers}', STORE: `http://{proxy.store}/${of}`, VARIANT: variant };
  return contractOf(name, {
    start: { command: [process.execPath, storingService, mark], env },
    proxies: { store: `127.0.0.1:${port}` },
    group: 'storing',
    observe: { account: { http: `http://127.0.0.1:${port}/accounts${of}`, key: 'account' } },
  });
}

/** Returns the changes of a contract whose service has one more variable. */
function withVariable(name: string, value: string, variant: string): object {
  const { start, ...rest } = contractWith({}, variant) as { start: { env: object } };
  return { ...rest, start: { ...start, env: { ...start.env, [name]: value } } };
}

/** Writes a contract with functions, as a module. */
function moduleOf(name: string, functions: string): string {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, `export default { ...${JSON.stringify(contractWith({}, ''))}, ${functions} };`);
  return file;
}

/** Without a budget in the arguments, a busy machine cuts nothing. */
const verify = (file: string, ...args: readonly string[]) => {
  const budget = args.includes('--budget') ? [] : ['--budget', '1h'];
  return run('emulate', ['verify', '--contract', file, '--out', folder, ...budget, ...args]);
};

/** Returns the report of one check. */
async function reportOf(file: string, check: string, ...args: readonly string[]): Promise<ContractReport> {
  const { stdout } = await verify(file, '--only', check, '--json', ...args);
  return JSON.parse(stdout) as ContractReport;
}

/** Starts a dependency that keeps the rows of each folder. */
async function startStore() {
  const rows = new Map<string, { readonly id: string; readonly account?: string }[]>();
  const server = createHttpServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://store');
    const of = searchParams.get('of') ?? '';
    const own = rows.get(of) ?? [];
    rows.set(of, own);
    if (request.method === 'GET') {
      const shown = pathname === '/accounts' ? own.filter(({ account }) => account !== undefined) : own;
      response.end(JSON.stringify(shown));
      return;
    }
    void text(request).then((body) => {
      const row = JSON.parse(body) as { id: string; account?: string };
      // Like by a primary key: a row of a process that was killed may come after the next process has read.
      if (!own.some(({ id, account: of }) => id === row.id && of === row.account)) own.push(row);
      response.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Processes and folders of verifications, on Linux. */
function leftBehind(): string[] {
  const processes = readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });
  return [...processes, ...readdirSync(folder).filter((name) => name.startsWith('emulate-verify-'))];
}

describe('emulate verify --contract', () => {
  it.runIf(playsAll)('passes a correct service', async () => {
    const checks = ['duplicates', 'samples', 'order', 'poison', 'crashes', 'retention'];
    const only = checks.flatMap((check) => ['--only', check]);
    const { code, stdout, stderr } = await verify(contractOf('correct'), ...only);
    expect(stdout).toContain('Passed');
    expect(stderr).toContain('baseline: 1 passed');
    expect(code).toBe(0);
  });

  it.runIf(playsAll)('names the cause of a failure, and replays its reproduction', async () => {
    const file = contractOf('adding', {}, 'adds on every delivery');
    const { code, stdout } = await verify(file, '--only', 'duplicates', '--json');
    expect(code).toBe(1);
    const { causes } = JSON.parse(stdout) as ContractReport;
    expect(causes).toMatchObject([
      { diagnosis: 'not-idempotent', title: expect.stringMatching(/^account: /), status: 'failed' },
    ]);
    const { repro, rate } = causes[0]!.shown;
    expect(rate).toEqual({ shown: 3, of: 3 });
    expect(repro!.deliveries).toHaveLength(2);
    const replayed = await verify(file, '--repro', join(folder, repro!.file), '--times', '2');
    expect(replayed.stdout).toContain('shown 2 of 2 times');
    expect(replayed.code).toBe(1);
  });

  it.runIf(playsAll)('divides the time of a check among its results', async () => {
    const file = contractOf('times', {}, 'adds on every delivery');
    const { checks, duration } = await reportOf(file, 'duplicates');
    const [, ...own] = checks.map((each) => each.duration);
    expect(own.length).toBeGreaterThan(1);
    expect(own.reduce((sum, each) => sum + each, 0)).toBeLessThan(duration);
  });

  it.runIf(playsAll)('finds a commit before the work by a crash after the commit', async () => {
    const file = contractOf('early', {}, 'commits before the work');
    const { causes } = await reportOf(file, 'crashes');
    expect(causes.map(({ diagnosis }) => diagnosis)).toContain('committed-before-work');
  });

  it.runIf(playsAll).each([
    ['before', 'seen-before-effect'],
    ['after', 'not-idempotent'],
  ])('finds a mark %s the work by a crash between two writes', async (when, diagnosis) => {
    const file = contractOf(`marking-${when}`, {}, `marks ${when} the work`);
    const { causes } = await reportOf(file, 'crashes');
    expect(causes).toMatchObject([{ diagnosis, status: 'failed' }]);
  });

  it.runIf(playsAll).each([
    ['finds a mark before the work', 'marks before the work', ['seen-before-effect']],
    ['passes a correct service', '', []],
    ['passes a service that polls', 'polls its dependency', []],
  ])('%s by crashes at the responses of a dependency', async (title, variant, diagnoses) => {
    await using store = await startStore();
    const file = storingContract(title.replaceAll(' ', '-'), store.port, variant);
    const { causes } = await reportOf(file, 'crashes');
    expect(causes.map(({ diagnosis }) => diagnosis)).toEqual(diagnoses);
  });

  it.runIf(playsAll)('finds a mark before the work by a lost response of a dependency', async () => {
    await using store = await startStore();
    const file = storingContract('lost', store.port, 'marks before the work');
    const { causes } = await reportOf(file, 'dependencies');
    expect(causes).toContainEqual(
      expect.objectContaining({ diagnosis: 'seen-before-effect', status: 'failed' }),
    );
  });

  it.runIf(playsAll)('waits for events that a service retries from a topic of its own', async () => {
    await using store = await startStore();
    const file = storingContract('retrying', store.port, 'retries from a topic');
    const { stdout } = await verify(file, '--only', 'dependencies');
    expect(stdout).toContain('✓ baseline, dependencies');
    expect(stdout).toContain('Passed.');
  });

  it('gives up a service that commits at intervals while its state keeps changing', async () => {
    const variant = 'shows the time, and commits at intervals';
    const { code, stderr } = await verify(contractOf('timed', { handlerTimeout: '2s' }, variant));
    expect(stderr).toContain('Its state keeps changing after its last commit.');
    expect(code).toBe(2);
  });

  it.runIf(playsAll)('finds a service that stops at a broken record', async () => {
    const file = contractOf('stopping', { handlerTimeout: '8s' }, 'stops at a broken record');
    const { causes } = await reportOf(file, 'poison');
    expect(causes).toContainEqual(expect.objectContaining({ diagnosis: 'stalled', status: 'failed' }));
  });

  it.runIf(playsAll)('names fields with sums of binary fractions', async () => {
    const { stdout } = await verify(contractOf('sums', {}, 'adds fractions'), '--only', 'baseline');
    expect(stdout).toContain('sums of binary fractions are not: account.count. Compute money');
  });

  it.runIf(playsAll)('finds a service that depends on the time zone of its machine', async () => {
    const file = contractOf('local', {}, 'keeps local days');
    const { causes } = await reportOf(file, 'time-zone');
    expect(causes).toMatchObject([{ diagnosis: 'reads-local-time', status: 'failed' }]);
  });

  it.runIf(playsAll)('changes no time zone that the contract sets', async () => {
    const file = contractOf('london', withVariable('TZ', 'Europe/London', 'keeps local days'));
    const { stdout } = await verify(file, '--only', 'time-zone');
    expect(stdout).toContain('- not run: time-zone: "TZ" sets the time zone "Europe/London".\n');
  });

  it.runIf(playsAll)('finds a service that commits the same offset for ever', async () => {
    const variant = 'waits at a broken record, and commits meanwhile';
    const file = contractOf('waiting', { handlerTimeout: '3s' }, variant);
    const { causes } = await reportOf(file, 'poison');
    expect(causes.map(({ title }) => title)).toContain('account.created-v1: makes no progress');
  });

  it.runIf(playsAll)('brings an event again only with the later ones of its key', async () => {
    const events = ['account.created-v1', 'account.occupied-v1'];
    const changes = { events, scenarios: ['house-move'] };
    const file = contractOf('last', changes, 'keeps the last event');
    const { causes } = await reportOf(file, 'duplicates');
    expect(causes).toEqual([]);
  });

  it.runIf(playsAll)('lets a service keep damaged records in a table of its own', async () => {
    const observe = { account, parked: { http: 'http://127.0.0.1:{port}/parked' } };
    const file = contractOf('parking', { observe }, 'parks what it cannot read');
    const { causes, notes } = await reportOf(file, 'poison');
    expect(causes).toEqual([]);
    expect(notes).toContain('Empty without faults: parked.');
  });

  it('counts the budget from the end of the baseline', async () => {
    const file = contractOf('budget', { group: null }, 'stores its offsets');
    // The baseline takes longer: it waits for a state that no longer changes.
    const { stdout } = await verify(file, '--only', 'rebalance', '--budget', '700ms');
    expect(stdout).toContain('- not run: rebalance: The service has no consumer group.\n');
  });

  it.runIf(playsAll)('cuts what runs when the budget ends, and fails if strict', async () => {
    // Without the cut, the run would outlast the limit of the test.
    const file = contractOf('cut', { handlerTimeout: '1h' }, 'stops at a broken record');
    const { code, stdout } = await verify(file, '--only', 'poison', '--budget', '8s', '--strict');
    expect(stdout).toContain('✓ baseline\n- not run: poison: The budget ended first.\n');
    expect(stdout).toContain('INCOMPLETE: the budget ended before this check: poison.');
    expect(code).toBe(1);
  });

  it.runIf(playsAll)('fails if the budget ends between a failure and its replay', async () => {
    // The redelivery after a restart takes the rest of the budget.
    const file = contractOf('seen', { handlerTimeout: '1h' }, 'adds on every delivery, and starts once');
    const { code, stdout } = await verify(file, '--only', 'duplicates', '--budget', '20s');
    expect(stdout).toContain(
      '? suspected: duplicates: account.created-v1 delivered twice, account.created-v1 delivered again at the end: A failure was seen, and the budget ended before it was confirmed. Raise "--budget".\n',
    );
    expect(stdout).toMatch(/^FAILED: .* Results: 1 passed, \d suspected, 1 not run/m);
    expect(code).toBe(1);
  });

  it.runIf(playsAll)('points out a key that no row has', async () => {
    const file = contractOf('key', { observe: { account: { ...account, key: 'acount' } } });
    const { stdout, code } = await verify(file, '--only', 'baseline');
    expect(stdout).toContain('- No row of "account" has the field "acount" of "key".');
    expect(code).toBe(0);
  });

  it('breaks no REST API that the contract does not name', async () => {
    const { stdout } = await verify(contractOf('no-platform'), '--only', 'platform');
    expect(stdout).toContain('- not run: platform: The contract does not use {restUrl}.\n');
  });

  it.runIf(playsAll)('verifies a service that stores its offsets itself', async () => {
    const file = contractOf('offsets', { group: null }, 'stores its offsets');
    const { stdout, code } = await verify(file, '--only', 'duplicates', '--only', 'rebalance');
    expect(stdout).toContain('baseline, duplicates');
    expect(stdout).toContain('rebalance: The service has no consumer group.');
    expect(code).toBe(0);
  });

  it.runIf(playsAll)('confirms suspects until it has three failures', async () => {
    const variant = 'stores its offsets, and ends without users';
    const file = contractOf('users', { group: null }, variant);
    const { causes } = await reportOf(file, 'samples');
    expect(causes).toMatchObject([{ diagnosis: 'stalled', status: 'failed' }]);
    expect(causes[0]!.shown.reason).toContain('as the sample "empty lists" at "/');
  });

  it.runIf(playsAll)('only points out a payload that may have nothing to store', async () => {
    const file = contractOf('none', {}, 'stores users');
    const { code, stdout, stderr } = await verify(file, '--only', 'samples');
    expect(stderr).toMatch(/^samples: 1 warned$/m);
    expect(stdout).toMatch(
      /! \w+ {2}account: has no effect if optional values are missing .*\n.* as the sample "empty lists"/,
    );
    expect(code).toBe(0);
    const strict = contractOf('strict', {}, 'rejects unknown fields');
    const { causes } = await reportOf(strict, 'samples');
    expect(causes).toMatchObject([{ diagnosis: 'rejects-unknown-fields', status: 'failed' }]);
  });

  it.runIf(playsAll)('observes again when an observation fails', async () => {
    const file = contractOf('unsteady', {}, 'responds with errors at times');
    const { stdout, stderr, code } = await verify(file, '--only', 'baseline');
    expect(stdout, stderr).toContain('✓ baseline');
    expect(code).toBe(0);
  });

  it.runIf(playsAll).each([
    ['starts again', /✓ baseline, duplicates/],
    ['starts twice', /not run: duplicates: The service exited with code 1 before it was ready/],
  ])(
    'keeps the report if a start fails after the baseline, of a service that %s',
    async (variant, expected) => {
      const changes = withVariable('STARTS', join(folder, variant), variant);
      const file = contractOf(variant.replace(' ', '-'), changes);
      const { code, stdout } = await verify(file, '--only', 'duplicates');
      expect(stdout).toMatch(expected);
      expect(code).toBe(0);
    },
  );

  it.runIf(playsAll)('counts no start of a process as time without progress', async () => {
    const file = contractOf('slow', { handlerTimeout: '1s' }, 'starts slowly');
    const { checks } = await reportOf(file, 'retention');
    const statuses = checks.map(({ status }) => status);
    expect(statuses).toContain('passed');
    // On a busy machine a record may take a second, but not each time.
    expect(statuses).not.toContain('failed');
  });

  it.runIf(playsAll)('starts a service again whose client joins the group and never fetches', async () => {
    const variant = 'fetches only from its second start on';
    const changes = withVariable('STARTS', join(folder, 'fetching'), variant);
    const file = contractOf('fetching', { ...changes, ready: { timeout: '5s' } });
    const { code, stderr } = await verify(file, '--only', 'baseline');
    expect(code, stderr).toBe(0);
  });

  it('starts a service on a port that no system gives to outgoing connections', async () => {
    const program = 'console.error("port", process.env.PORT); process.exit(1)';
    const command = [process.execPath, '--eval', program, mark];
    const file = contractOf('port', { start: { command, env: { PORT: '{port}' } } });
    const { stderr } = await verify(file);
    const port = Number(/port (\d+)/.exec(stderr)?.[1]);
    expect(port).toBeGreaterThan(1_023);
    expect(port).toBeLessThan(32_768);
  });

  it.runIf(playsAll)('passes a service that commits a handled record only with the next one', async () => {
    const file = contractOf('late', { handlerTimeout: '2s' }, 'commits with the next record');
    const { stdout, code } = await verify(file, '--only', 'baseline');
    expect(stdout).toContain('✓ baseline');
    expect(code).toBe(0);
  });

  it.runIf(playsAll)('waits for an outbox before it compares states', async () => {
    const file = contractOf('outbox', {}, 'relays an outbox');
    const { stdout, code } = await verify(file, '--only', 'crashes', '--only', 'duplicates');
    expect(stdout).toContain('✓ baseline, duplicates, crashes');
    expect(code).toBe(0);
  });

  it.runIf(playsAll)('finds a process that runs without its consumer', async () => {
    const file = contractOf('absent', { handlerTimeout: '3s' });
    const { causes } = await reportOf(file, 'broker');
    expect(causes).toMatchObject([{ diagnosis: 'leaves-group', status: 'failed' }]);
    expect(causes[0]!.title).toBe('service: leaves its group and keeps running');
  });

  it.runIf(playsAll)('does not wait for work when a stopped service has committed all of it', async () => {
    // A wait for work would outlast the limit of the test.
    const file = contractOf('batches', { handlerTimeout: '1h' }, 'commits whole batches');
    const { stdout, code } = await verify(file, '--only', 'crashes');
    // On a busy machine, the few batches may end before a signal comes: then a signal is "not run".
    expect(stdout).toMatch(
      /✓ baseline, crashes|✓ baseline\n- not run: crashes: SIG\w+ at work: The service never met/,
    );
    expect(stdout).toContain('Passed. Results: ');
    expect(code).toBe(0);
  });

  it.runIf(playsAll)('leaves rebalance out for a service that runs as one process', async () => {
    const file = contractOf('single', {}, 'runs as one process');
    const { stdout, code } = await verify(file, '--only', 'rebalance');
    expect(stdout).toMatch(/not run: rebalance: A second process does not start/);
    expect(code).toBe(0);
  });

  it.runIf(playsAll)('plays rebalance with a second process that gets no partition', async () => {
    const file = contractOf('one-partition', { partitions: 1, ready: { timeout: '1h' } });
    const { stdout, code } = await verify(file, '--only', 'rebalance');
    expect(stdout).toContain('✓ baseline, rebalance');
    expect(code).toBe(0);
  });

  it.runIf(playsAll).each([
    [true, 0],
    [false, 1],
  ])('restarts a service that leaves, if "supervised" is %s', async (supervised, expected) => {
    const file = contractOf(`supervised-${supervised}`, { supervised }, 'leaves after a broken record');
    const { code, stderr } = await verify(file, '--only', 'poison');
    expect(code, stderr).toBe(expected);
  });

  it.runIf(playsAll)('compares the projection with the ground truth', async () => {
    const projection = 'projection: ({ account }) => account.length > 0';
    const right = 'expected: (world) => world.accounts().length > 0';
    const correct = await verify(moduleOf('right', `${projection}, ${right}`), '--only', 'baseline');
    expect(correct.code).toBe(0);
    const wrong = moduleOf('wrong', `${projection}, expected: () => []`);
    const { causes } = await reportOf(wrong, 'baseline');
    expect(causes).toMatchObject([{ diagnosis: 'not-the-truth', status: 'failed' }]);
  });

  it.runIf(playsAll)('finds a cache that a partition leaves, and comes back to', async () => {
    const file = contractOf('cache', { events: ['billing.ledger.entry_posted-v2'] }, 'keeps a cache');
    const { causes } = await reportOf(file, 'rebalance', '--budget', '60s');
    // Which of the three ways finds it depends on the partitions that the second process gets.
    expect(causes).toContainEqual(
      expect.objectContaining({ diagnosis: 'outdated-memory', status: 'failed' }),
    );
  });

  it.runIf(playsAll)('compares no states whose numbers of rows differ without faults', async () => {
    const file = contractOf('random', {}, 'shows rows of its own process');
    const { stdout } = await verify(file, '--only', 'duplicates', '--only', 'order', '--json');
    const { checks } = JSON.parse(stdout) as ContractReport;
    const reason = expect.stringMatching(/different numbers of rows in every table/);
    expect(checks).toContainEqual(expect.objectContaining({ name: 'duplicates', status: 'not-run', reason }));
    expect(checks).toContainEqual(expect.objectContaining({ name: 'order', status: 'passed' }));
  });

  it('runs a contract without "start" in process, and repeats its failure', async () => {
    const file = join(folder, 'in-process.mjs');
    const module = new URL('../../../dist/src/index.js', import.meta.url).href;
    writeFileSync(
      file,
      `import { createConsumer, silentLogger } from '${module}';
let bills = {};
const consumer = () => {
  const made = createConsumer({ name: 'bills', logger: silentLogger });
  made.on('account.created', 'v1', ({ payload: { account_number: number } }) => void (bills[number] = (bills[number] ?? 0) + 1));
  return made;
};
export default { consumer, observe: () => bills, reset: () => void (bills = {}) };
`,
    );
    const { code, stdout } = await verify(file, '--only', 'duplicates');
    const [, again = ''] = /Again: npx emulate (verify --contract .*)$/m.exec(stdout) ?? [];
    expect(code).toBe(1);
    expect((await run('emulate', again.split(' '))).code).toBe(1);
  });

  it.runIf(playsAll && process.platform === 'linux')(
    'leaves no process and no folder behind when it is killed',
    async () => {
      const before = leftBehind();
      const running = start('emulate', ['verify', '--contract', contractOf('killed'), '--out', folder]);
      await running.line(/baseline: 1 passed/);
      await running.stop('SIGKILL');
      await expect.poll(leftBehind).toEqual(before);
    },
  );

  describe('refuses in one line', () => {
    const node = process.execPath;
    const program = (code: string) => ({ start: { command: [node, '-e', code, mark] } });
    const refused: readonly [string, object, RegExp][] = [
      ['an unknown member', { obseve: {} }, /unknown member "obseve"\. Did you mean "observe"\?/],
      [
        'an unknown placeholder',
        { start: { command: [node, '{prot}'] } },
        /Placeholder "\{prot\}" does not exist\. Did you mean "\{port\}"/,
      ],
      [
        'a table without a source',
        { observe: { bill: { key: 'id' } } },
        /Table "bill" of "observe" needs exactly one/,
      ],
      ['a pattern that cannot be read', { ready: { log: '(' } }, /"ready\.log" is not a regular expression/],
      ['an address without a scheme', { ready: { http: 'localhost' } }, /"ready\.http" must match pattern/],
      [
        'a dependency without a port',
        { proxies: { db: 'postgres' } },
        /"proxies\.db" .* Host and port, e\.g\./,
      ],
      ['a duration that cannot be read', { handlerTimeout: 'soon' }, /A duration, e\.g\. 30s/],
      [
        'a placeholder of a proxy that is not there',
        { start: { command: [node, '{proxy.database}'] } },
        /"\{proxy\.database\}" needs the proxy in "proxies"/,
      ],
      ['a seed with a fraction', { seed: 1.5 }, / "seed" must be a whole number\./],
      ['a seed beyond the safe numbers', { seed: 2 ** 53 }, / "seed" must be <= 9007199254740991\./],
      ['a list that is empty', { events: [] }, /"events" must not be empty\./],
      ['a member that is missing', { start: {} }, /"start" needs "command"\./],
      ['a member of another type', { group: 3 }, /"group" must be a string or null\./],
      [
        'a query without a database',
        { observe: { account: { ...account, query: 'SELECT 1' } } },
        /Table "account" of "observe" takes "query" only with "sqlite" or "postgres"\./,
      ],
      [
        'an event without a version',
        { events: ['account.created'] },
        /Event "account\.created" of "events" lacks a version\. Write "account\.created-v1"\./,
      ],
      ['an unknown event', { events: ['account.craeted-v1'] }, /account\.craeted/],
      [
        'a program that does not exist',
        { start: { command: ['missing-program'] } },
        /"missing-program" of "start" cannot be started: ENOENT/,
      ],
      [
        'a service that ends at once',
        program('process.stderr.write("no database"); process.exit(3)'),
        /exited with code 3 before it was ready.*no database/,
      ],
      [
        'a service that ends with an error above its stack',
        program('throw new Error("no database")'),
        /exited with code 1 before it was ready\. Its output ends with: .*Error: no database \| Node\.js/,
      ],
      [
        'a service that writes its error to standard output',
        program('console.log("no database"); process.exitCode = 3'),
        /exited with code 3 before it was ready\. Its output ends with: no database$/,
      ],
      [
        'a service that never gets ready, prints megabytes and ignores SIGTERM',
        {
          ...program(
            `process.on('SIGTERM', () => {}); setInterval(() => process.stdout.write('x'.repeat(1e6)), 5)`,
          ),
          ready: { timeout: '500ms' },
        },
        /not ready after 500 ms: group "counting" has no members\. Raise "ready\.timeout" for a slower/,
      ],
      [
        'a service that leaves a detached process',
        program(
          `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e3)', '${mark}'], { detached: true, stdio: 'ignore' }).unref()`,
        ),
        /exited with code 0 before it was ready\. It must stay in the foreground/,
      ],
    ];
    // Each takes seconds.
    const slow: typeof refused = [
      [
        'a table that cannot be read',
        {
          observe: { account: { command: [node, '-e', 'throw new Error("no database")'] } },
          handlerTimeout: '1h',
        },
        /Table "account" of "observe" cannot be read: \S+ fails with 1\. Its output ends with: .*no database/,
      ],
      [
        'a group that the service does not join',
        { group: 'bills', ready: { timeout: '1h' }, handlerTimeout: '1h' },
        /it consumes in group "counting", not in "bills"\. Correct "group"\./,
      ],
      [
        'a topic that the service does not consume',
        { topics: ['bills'], ready: { timeout: '1h' }, handlerTimeout: '1h' },
        /it consumes "platform\.events", and events go to "bills"\. Correct "topics"\./,
      ],
      [
        'a topic that a service without a group does not consume',
        {
          ...contractWith({ topics: ['bills'], group: null }, 'stores its offsets'),
          ready: { timeout: '1h' },
        },
        /it consumes "platform\.events", and events go to "bills"\. Correct "topics"\./,
      ],
      [
        'a service that stores nothing',
        contractWith({}, 'stores nothing'),
        /All tables of "observe" are empty after a run without faults\..* Its output ends with: I cannot store\./,
      ],
      [
        'a service that says why it makes no progress',
        { ...contractWith({}, 'cannot commit'), handlerTimeout: '3s' },
        /has committed nothing.* Its output ends with: I cannot commit\./,
      ],
      [
        'an address that returns an error',
        { observe: { account: { http: 'http://127.0.0.1:{port}/acounts' } }, handlerTimeout: '1h' },
        /Table "account" of "observe" cannot be read: http:\S+ returns status 404\./,
      ],
      [
        'an address that does not respond while the service is ready',
        {
          ready: { http: 'http://127.0.0.1:{port}/' },
          observe: { account: { http: 'http://127.0.0.1:9/' } },
          handlerTimeout: '1h',
        },
        /Table "account" of "observe" cannot be read: http:\S+ returns nothing \(bad port\)\./,
      ],
      [
        'an address that cannot be parsed',
        { observe: { account: { http: 'http://127.0.0.1:{port}1' } }, handlerTimeout: '1h' },
        /Table "account" of "observe" cannot be read: "http:\S+" is not a URL\./,
      ],
    ];
    it.each(playsAll ? [...refused, ...slow] : refused)('%s', async (name, changes, message) => {
      const { code, stderr } = await verify(contractOf(name.replaceAll(' ', '-'), changes));
      // A busy machine takes longer than the first line of progress.
      const lines = stderr.trimEnd().replaceAll(/^Testing .*\n/gm, '');
      expect(lines).toMatch(message);
      expect(lines.split('\n')).toHaveLength(1);
      expect(code).toBe(2);
      // A process that was killed ends a moment later.
      if (process.platform === 'linux') await expect.poll(leftBehind).toEqual([]);
    });

    it.each(['[{}]', 'null', '"python"'])('a contract that is not an object: %s', async (text) => {
      const file = join(folder, 'no-object.json');
      writeFileSync(file, text);
      const { code, stderr } = await run('emulate', ['verify', '--contract', file]);
      expect(stderr).toContain('is wrong. It must be an object. See');
      expect(code).toBe(2);
    });

    it('a service on Windows, before it starts', async () => {
      vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
      const { code, stderr } = await verify(
        contractOf('windows', { start: { command: ['missing-program'] } }),
      );
      expect(stderr).toBe(
        'emulate: Windows has no signals that stop or freeze a service. Verify it in WSL 2 or on Linux.\n',
      );
      expect(code).toBe(2);
    });

    it('a database whose driver is not installed', async () => {
      const observe = { account: { postgres: 'postgresql://127.0.0.1/bills', query: 'SELECT 1' } };
      const file = contractOf('driver', { observe });
      const { code, stderr } = await runProcess('emulate', ['verify', '--contract', file], '', folder);
      expect(stderr).toBe('emulate: The package "pg" is not installed. Run npm install --save-dev pg.\n');
      expect(code).toBe(2);
    });

    it('a folder for temporary files that does not exist', async () => {
      vi.stubEnv('TMPDIR', join(folder, 'missing'));
      const { code, stderr } = await verify(contractOf('no-tmpdir'));
      vi.unstubAllEnvs();
      expect(stderr).toMatch(
        /^emulate: No folder can be created in "\S+missing": ENOENT\. Set TMPDIR to another folder\.\n$/,
      );
      expect(code).toBe(1);
    });

    it('a port that is taken', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const { code, stderr } = await verify(contractOf('taken', { ready: { tcp: `127.0.0.1:${port}` } }));
      expect(stderr).toContain(`Another program listens on "127.0.0.1:${port}"`);
      expect(code).toBe(2);
      await new Promise((done) => server.close(done));
    });
  });
});
