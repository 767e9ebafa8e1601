import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { worldVersion } from '../../../emulator/world/version.js';
import { run, start } from '../../command.js';

const threeMoves = '--scenario house-move --seed 7 --instances 3 --instant --to stdout';

describe('emulate --to stdout', () => {
  it('prints one envelope per line, and exits with 0', async () => {
    const { code, stdout, stderr } = await run('emulate', threeMoves);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    for (const line of lines) {
      const names = ['id', 'event_type', 'version', 'occurred_at', 'payload'];
      expect(Object.keys(JSON.parse(line) as object)).toEqual(names);
    }
    expect(stderr).toMatch(
      new RegExp(`^Done: ${lines.length} events, virtual time 2026-03-02T09:00:00.000Z to `),
    );
  });

  it('prints the same bytes each time', async () => {
    const hashes = await Promise.all(
      [1, 2].map(async () =>
        createHash('sha256')
          .update((await run('emulate', threeMoves)).stdout)
          .digest('hex'),
      ),
    );
    expect(hashes[1]).toBe(hashes[0]);
    expect(`World ${worldVersion}: ${hashes[0]}`).toMatchInlineSnapshot(
      `"World 2: ffd4e7b37676c96b700cd4637b93ca36b619b0437022428056e017ce5de32311"`,
    );
  });

  it('steps once per line of input, and resumes at the end of the input', async () => {
    const emulate = start('emulate', '--scenario house-move --step --to stdout');
    const lines = () => emulate.output.stdout.split('\n').length - 1;
    emulate.child.stdin.write('\n');
    // The first occurrence has two versions.
    await expect.poll(lines).toBe(2);
    emulate.child.stdin.write('\n');
    await expect.poll(lines).toBe(3);
    emulate.child.stdin.end();
    await once(emulate.child, 'close');
    expect(emulate.output.stderr).toContain(`Done: ${lines()} events`);
  });

  it('covers the virtual time of --duration', async () => {
    const { stdout } = await run('emulate', '--scenario house-move --duration PT5M --instant --to stdout');
    const instants = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { occurred_at: string }).occurred_at);
    expect(instants.every((instant) => instant < '2026-03-02T09:05:00.000Z')).toBe(true);
  });

  it('ends quietly when its reader goes away', async () => {
    const { child, output, stop } = start(
      'emulate',
      '--scenario house-move --instances 2000 --instant --to stdout',
    );
    await once(child.stdout, 'data');
    child.stdout.destroy();
    await once(child, 'close');
    expect(output.stderr).toBe('');
    expect((await stop()).code).toBe(0);
  });
});

describe('emulate with a server of its own', () => {
  it('prints its addresses, serves after the run, and exits at Ctrl-C with 130', async () => {
    const emulate = start('emulate', '--scenario house-move --instant --http-port 0 --kafka-port 0');
    const [, url] = await emulate.line(/Events +(ws:\/\/127\.0\.0\.1:\d+\/events)/);
    await emulate.line(/Run finished/);
    const response = await fetch(url!.replace('ws:', 'http:').replace('/events', '/'));
    expect(await response.text()).toContain('/events');
    expect((await emulate.stop('SIGINT')).code).toBe(130);
  });

  it('ends with the run under --exit-when-done', async () => {
    const args = '--scenario house-move --instant --http-port 0 --kafka-port 0 --exit-when-done';
    expect((await run('emulate', args)).code).toBe(0);
  });

  it('serves next to standard output with a port', async () => {
    const args = '--scenario house-move --instant --to stdout --http-port 0 --exit-when-done';
    const { stdout, stderr } = await run('emulate', args);
    expect(stdout).toContain('"event_type"');
    expect(stderr).toContain('Events       ws://');
  });

  it('names a port in use and suggests a fix', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    for (const [taken, free] of [
      ['--http-port', '--kafka-port'],
      ['--kafka-port', '--http-port'],
    ] as const) {
      const { code, stderr } = await run('emulate', `--scenario house-move ${taken} ${port} ${free} 0`);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        new RegExp(
          `^emulate: .*"${port}".*Stop it, or set "${taken}" to another port, or to 0 for a free one\\.\n$`,
        ),
      );
    }
    other.close();
  });

  // In real time a house move takes weeks.
  const slowly = '--scenario house-move --speed 1 --http-port 0 --kafka-port 0';

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('stops cleanly at %s during a run, with exit code %i', async (signal, exitCode) => {
    const emulate = start('emulate', slowly);
    await emulate.line(/Events  /);
    const { code, stderr } = await emulate.stop(signal);
    expect(code).toBe(exitCode);
    expect(stderr).toMatch(/Stopped after \d+ events|No event was sent/);
  });

  it('stops cleanly when its terminal closes, without a log and with two signals', async () => {
    const emulate = start('emulate', slowly);
    await emulate.line(/Events  /);
    const closed = once(emulate.child, 'close');
    emulate.child.stderr.destroy();
    emulate.child.kill('SIGHUP');
    emulate.child.kill('SIGHUP');
    await closed;
    expect({ code: emulate.child.exitCode, signal: emulate.child.signalCode }).toEqual({
      code: 129,
      signal: null,
    });
  });
});

describe('emulate with bad input', () => {
  const portRange = 'a whole number from 0 to 65535 or off';
  it.each([
    ['--scenario house-mov', 'There is no scenario "house-mov". Did you mean "house-move"?'],
    ['--scenario rebate,late-fees', '"rebate,late-fees". Name each by itself.'],
    ['--to stdout', 'The run has no scenario. Name one, e.g. --scenario house-move.'],
    ['--scenario', 'Option "--scenario" needs a value. See emulate --help.'],
    ['--scenaro x', 'Unknown option "--scenaro". Did you mean "--scenario"?'],
    ['--port 4100', 'Unknown option "--port". Did you mean "--kafka-port" or "--http-port"?'],
    ['check seed', 'File "seed" cannot be read: ENOENT.'],
    ['-v', 'Unknown option "-v". See emulate --help.'],
    ['sceanrios', 'Unknown command "sceanrios". Did you mean "scenarios"?'],
    ['constructor', 'Unknown command "constructor".'],
    ['house-move', 'Unknown command "house-move". Did you mean "--scenario house-move"?'],
    ['scenarios house-move again', 'Unknown argument "again". See emulate scenarios --help.'],
    ['--kafka-host 0.0.0.0 --kafka-port off', '"--kafka-host" needs the broker. Add --kafka-port.'],
    ['--kafka-advertised kafka', 'must be a host and port, e.g. kafka:9092, not "kafka"'],
    [
      '--kafka-advertised kafka:70000',
      '"--kafka-advertised" must be a host and port, e.g. kafka:9092, not "kafka:70000"',
    ],
    [
      '--scenario house-move --to broker:9192',
      '"--to broker" takes no address and no parameters. Remove them.',
    ],
    ['--versions latset', 'not "latset". Did you mean "latest"?'],
    ['--vary time', 'There is no variation "time". Did you mean "times"'],
    ['--scenario house-move --fault-log faults.txt', 'Set "--faults".'],
    ['--scenario house-move --to pigeon', 'Sink kind "pigeon" does not exist. Write one like these: stdout,'],
    ['--scenario house-move --seed x', '"--seed" must be '],
    ['--scenario house-move --instances abc', '"--instances" must be '],
    ['--scenario house-move --speed=fast', '"--speed" must be '],
    ['--accounts many', '"--accounts" must be '],
    ['--accounts 10', '"--accounts" needs --scenario everyday.'],
    ['--scenario house-move --accounts 10', '"--accounts" needs --scenario everyday.'],
    [
      '--scenario everyday --accounts 10 --instances 3',
      '"--instances" needs a --scenario other than everyday.',
    ],
    ['--httpPort x', 'Unknown option "--httpPort". Did you mean "--http-port"?'],
    ['--kafka-port x', '"--kafka-port" must be '],
    ['replay run.ndjson --speed x', '"--speed" must be '],
    ['trigger account.created-v1 --count x', '"--count" must be '],
    ['verify ./consumer.js --runs x', '"--runs" must be '],
    ['--scenario house-move --seed 1 --seed 2', 'Option "--seed" is given 2 times.'],
    ['--scenario house-move --http-port 0 --http-port 0', 'Option "--http-port" is given 2'],
    ['replya run.ndjson --instant', 'Unknown command "replya". Did you mean "replay"?'],
    ['scenarios everydy', 'There is no scenario "everydy". Did you mean "everyday"?'],
    ['--no-broker', 'Unknown option "--no-broker".'],
    [
      '--scenario house-move --to http://127.0.0.1:1?attempts=0',
      '"--to webhook attempts" must be a whole number of at least 1, not "0".',
    ],
    [
      '--scenario house-move --start yesterday',
      'an instant with its zone, e.g. 2026-03-02T09:00:00Z, or a date, e.g. 2026-03-02, from 2016 to 2099, not "yesterday"',
    ],
    [
      '--scenario house-move --until 2026-03-03T09:00',
      'an instant with its zone, e.g. 2026-03-02T09:00:00Z, or a date, e.g. 2026-03-02, not "2026-03-03T09:00"',
    ],
    [
      '--scenario house-move --instant --speed 2',
      'Options "--instant" and "--speed" exclude each other. Remove one.',
    ],
    ['--scenario house-move --rate fast', 'events per second, e.g. 500/s, not "fast"'],
    ['--scenario house-move --shard 5/4', 'not "5/4"'],
    [
      '--scenario house-move --shard 0/4',
      '"--shard" must be a part and a number of parts up to 1024, e.g. 2/4, not "0/4"',
    ],
    ['verify --only baseline consumer.mjs', 'Name it before "--only", which takes all words'],
    ['--scenario house-move --duration 7', 'a duration, e.g. 7d, 12h or P7DT12H, not "7"'],
    [
      '--scenario house-move --until 2020-01-01',
      'must end after its start. Correct "--until" or "--duration".',
    ],
    [
      '--scenario house-move --speed -1',
      '"--speed" must be "instant" or "story" or a number above 0 and at most 1000000000000000, not "-1".',
    ],
    ['--scenario house-move --branch occupier', 'BRANCH=OUTCOME'],
    ['--scenario house-move --branch occupier=me', 'no outcome of "occupier" called "me"'],
    ['--scenario house-move --branch ocupier=none', 'Did you mean "occupier"?'],
    ['--scenario house-move --branch occupier=unknwn', 'Did you mean "unknown"?'],
    ['--scenario house-move --http-port 70000', `"--http-port" must be ${portRange}, not "70000".`],
    ['--scenario house-move --http-port -1', `"--http-port" must be ${portRange}, not "-1".`],
    ['--kafka-port 80000', `"--kafka-port" must be ${portRange}, not "80000".`],
    ['--kafka-port 1.5', `"--kafka-port" must be ${portRange}, not "1.5".`],
  ])('prints one line and exits with 2: %s', async (args, message) => {
    const { code, stdout, stderr } = await run('emulate', args);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

describe('emulate with bad input in a file', () => {
  it.each([
    ['--faults', 'duplicate=1%,\ndelayy=3%', /^emulate: File ".*input\.json": .* Did you mean "delay"\?\n$/],
    ['--faults', '\uFEFF{"delayy":"3%:1m"}', /^emulate: File ".*input\.json": .* Did you mean "delay"\?\n$/],
    [
      '--config',
      '{ "world": { "rates": { "house-mov": 1 } } }',
      /^emulate: Option "rates": .* "house-mov"\. Did you mean "house-move"\?\n$/,
    ],
  ])('names the place in %s', async (flag, content, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'busbar-bad-input-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'input.json');
    writeFileSync(path, content);
    const value = flag === '--faults' ? `@${path}` : path;
    const args = ['--scenario', 'everyday', '--instant', '--duration', '1h', '--to', 'stdout'];
    const { code, stdout, stderr } = await run('emulate', [...args, flag, value]);
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });
});

describe('emulate scenarios', () => {
  it('ends at Ctrl-C between two scenarios', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'busbar-scenario-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'own.mjs');
    const library = new URL('../../../emulator/dist/index.js', import.meta.url).href;
    const own = (name: string, run: string) =>
      `export const ${name} = defineScenario({ name: '${name}', title: '', description: '', branches: {}, *run() { ${run} } });`;
    const first = own('a', "process.kill(process.pid, 'SIGINT');");
    writeFileSync(file, `import { defineScenario } from '${library}'; ${first} ${own('b', '')}`);
    const { child, output } = start('emulate', ['scenarios', file, '--json']);
    await once(child, 'close');
    expect({ code: child.exitCode, output }).toMatchObject({ code: 130, output: { stdout: '' } });
  });

  it('lists everyday first, then the scenarios', async () => {
    const { stdout } = await run('emulate', 'scenarios');
    expect(stdout).toMatch(/^everyday {2,}All scenarios, in a population\nhouse-move {2,}A customer moves/);
  });

  it('describes the population everyday with the rate of each scenario', async () => {
    const { code, stdout } = await run('emulate', 'scenarios everyday');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^everyday: All scenarios, in a population\n/);
    expect(stdout).toMatch(/^ {2}phone-call +450$/m);
    expect(stdout).toMatch(/^ {2}billing-cycle +once a month/m);
  });

  it('draws the scenario of a file', async () => {
    const file = join(import.meta.dirname, '../../../examples/smart-meter-visit.ts');
    const { code, stdout, stderr } = await run('emulate', ['scenarios', file]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^smart-meter-visit: /);
    const { stdout: json } = await run('emulate', ['scenarios', file, '--json']);
    expect(JSON.parse(json)).toMatchObject([{ name: 'smart-meter-visit' }]);
  });

  it('draws the shares of outcomes whose weights do not add up to one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'busbar-scenario-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'own.mjs');
    const library = new URL('../../../emulator/dist/index.js', import.meta.url).href;
    writeFileSync(
      file,
      `import { defineScenario, emit } from '${library}';
      export const own = defineScenario({
        name: 'own', title: 'Own', description: 'Own.', branches: { way: { up: 1, down: 3 } },
        *run({ cell: { account: { number } } }) {
          yield* emit('account_metadata.created', 'v1', { account_number: number, key: 'a', value: 'b' }, { key: number });
        },
      });`,
    );
    const { stdout } = await run('emulate', ['scenarios', file]);
    expect(stdout).toMatch(/^ {2}way +up 25 %, down 75 %$/m);
  });

  it('lists every event version of the catalogue once for everyday', async () => {
    const { stdout } = await run('emulate', 'scenarios everyday --json');
    const [{ name, events }] = JSON.parse(stdout) as [{ name: string; events: string[] }];
    expect(name).toBe('everyday');
    expect(events.toSorted()).toEqual(
      openCatalogue()
        .events.map((event) => event.name)
        .toSorted(),
    );
  });
});
