import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { playsAll } from '../../cases.js';
import { run, runProcess, start, type Words, wordsOf } from '../../command.js';

const folder = mkdtempSync(join(tmpdir(), 'busbar-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));
const root = join(import.meta.dirname, '../../..');
const file = (name: string) => join(folder, name);

const tenMoves = '--scenario house-move --instances 10 --instant';
const moves = wordsOf(tenMoves);
const stdout = ['--to', 'stdout'];

describe('emulate --record', () => {
  it('records a run that replay repeats byte for byte and resume continues', async () => {
    const path = file('run.ndjson');
    const faults = ['--faults', 'duplicate=5%,delay=5%:10m,corrupt=5%', '--fault-log', file('faults.ndjson')];
    const played = await run('emulate', [...moves, ...faults, '--record', path, ...stdout]);
    expect(played.code).toBe(0);
    const replayed = await run('emulate', ['replay', path, '--instant', ...stdout]);
    expect(replayed.stdout).toBe(played.stdout);

    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, whole.slice(0, 20_000));
    const held = whole.slice(0, 20_000).split('\n').length - 2;
    const resumed = await run('emulate', ['--resume', path, '--instant', ...stdout]);
    expect(resumed.code).toBe(0);
    expect(resumed.stdout).toBe(
      played.stdout
        .split(/(?<=\n)/)
        .slice(held)
        .join(''),
    );
    expect(readFileSync(path, 'utf8')).toBe(whole);

    const ledger = readFileSync(file('faults.ndjson'), 'utf8').trimEnd().split('\n');
    for (const line of ledger)
      expect(Object.keys(JSON.parse(line) as object)).toEqual(['event', 'fault', 'parameters']);
    expect(played.stderr).toMatch(/Faults\n +\d+ (duplicate|delay|corrupt)/);
  });

  it('reads a recording in gzip, and refuses to resume it', async () => {
    const path = file('packed.ndjson.gz');
    const played = await run('emulate', [...moves, '--record', file('packed.ndjson'), ...stdout]);
    writeFileSync(path, gzipSync(readFileSync(file('packed.ndjson'))));
    const replayed = await run('emulate', ['replay', path, '--instant', ...stdout]);
    expect(replayed.stdout).toBe(played.stdout);
    expect(await run('emulate', ['check', path])).toMatchObject({ code: 0 });
    const resumed = await run('emulate', ['--resume', path, '--instant', ...stdout]);
    expect(resumed).toMatchObject({ code: 1, stdout: '' });
    expect(resumed.stderr).toMatch(/"[^"]+" is in gzip and cannot be continued\. Decompress it first\.\n$/);
    writeFileSync(path, readFileSync(path).subarray(0, 500));
    const torn = await run('emulate', ['check', path]);
    expect(torn.stderr).toMatch(/The recording ends in the middle of gzip data\. Copy it again\.\n$/);
  });

  it('completes a run with --resume after Ctrl-C', async () => {
    const path = file('interrupted.ndjson');
    const many = ['--scenario', 'house-move', '--instances', '150'];
    // Slowly, so that the signal comes long before the end.
    const rate = ['--rate', '200/s'];
    const interrupted = start('emulate', [...many, ...rate, '--record', path, ...stdout]);
    // A recorded batch is counted before the next one.
    for (let recorded = 0; recorded < 2; ) {
      await once(interrupted.child.stdout, 'data');
      recorded = readFileSync(path, 'utf8').trimEnd().split('\n').length;
    }
    await once(interrupted.child.stdout, 'data');
    expect((await interrupted.stop('SIGINT')).code).toBe(130);
    expect(interrupted.output.stderr).toMatch(/Stopped after \d+ events/);
    await run('emulate', ['--resume', path, '--instant', ...stdout]);
    const whole = await run('emulate', [...many, '--instant', ...stdout]);
    const again = await run('emulate', ['replay', path, '--instant', ...stdout]);
    expect(again.stdout).toBe(whole.stdout);
  });
});

describe('a recording that exists', () => {
  const path = file('earlier.ndjson');
  const record = async () => {
    await run('emulate', [...moves, '--record', path, ...stdout]);
    return readFileSync(path, 'utf8');
  };

  it('stays if the run cannot start, as do the files of a sink and of a fault log', async () => {
    const files = ['earlier.ndjson', 'earlier.out', 'earlier.faults'].map(file);
    const [, out = '', log = ''] = files;
    const faults = ['--faults', 'duplicate=50%', '--fault-log', log];
    const all = [...moves, ...faults, '--record', path, '--to', `file:${out}`];
    expect((await run('emulate', all)).code).toBe(0);
    const earlier = files.map((name) => readFileSync(name, 'utf8'));
    const other = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    for (const wrong of [
      ['--to', 'broker', '--kafka-port', `${port}`, '--http-port', '0'],
      ['--branch', 'date=never'],
    ])
      expect((await run('emulate', [...all, ...wrong])).code).not.toBe(0);
    expect(files.map((name) => readFileSync(name, 'utf8'))).toEqual(earlier);
    expect(earlier).not.toContain('');
  });

  it.each([
    ['replay', ['replay', path, '--instant', '--to', `file:${path}`]],
    ['resumption', ['--resume', path, '--instant', '--to', `file:${path}`]],
    [
      'run',
      [...moves, '--faults', 'drop=5%', '--fault-log', file('twice'), '--record', file('twice'), ...stdout],
    ],
  ])('refuses two uses of one file: %s', async (_, args) => {
    const earlier = await record();
    const { code, stderr } = await run('emulate', args);
    const name = args.includes(path) ? path : file('twice');
    const expected = `emulate: File "${name}" has two uses in this run. Name another file for one.\n`;
    expect({ code, stderr }).toEqual({ code: 2, stderr: expected });
    expect(readFileSync(path, 'utf8')).toBe(earlier);
  });
});

describe('emulate --resume, of a scenario file', () => {
  const own = file('own.mjs');
  const story = (hours: number) => `
    import { after, defineScenario, emit } from 'busbar-emulator';
    export const own = defineScenario({
      name: 'own', title: 'Own', description: 'Own.', branches: { told: { twice: 0.5, thrice: 0.5 } },
      *run({ cell, branch }) {
        const { number } = cell.account;
        for (let time = 0; time < (branch.told === 'twice' ? 2 : 3); time++) {
          yield* emit('account.occupied', 'v1', { account_number: number }, { key: number });
          yield* after({ hours: ${hours} });
        }
      },
    });`;
  const path = file('own.ndjson');
  const playing = ['--scenario', own, '--scenario', 'house-move', '--instances', '10', '--instant'];
  const begin = async () => {
    // A folder in which the scenario's imports resolve.
    mkdirSync(file('node_modules'), { recursive: true });
    const installed = file('node_modules/busbar-emulator');
    if (!existsSync(installed)) symlinkSync(join(root, 'emulator'), installed);
    writeFileSync(own, story(1));
    const { stdout: sent } = await run('emulate', [...playing, '--record', path, ...stdout]);
    const whole = readFileSync(path, 'utf8');
    writeFileSync(path, whole.slice(0, whole.length / 2));
    return { sent, whole };
  };

  it('loads the file again and resumes the run', async () => {
    const { sent, whole } = await begin();
    const resumed = await run('emulate', ['--resume', path, '--instant', ...stdout]);
    expect(resumed.stderr).toMatch(/^Done: \d+ events/);
    expect(resumed.code).toBe(0);
    expect(sent.endsWith(resumed.stdout)).toBe(true);
    expect(resumed.stdout).not.toBe('');
    expect(readFileSync(path, 'utf8')).toBe(whole);
  });

  it('rejects a changed or missing file, and keeps the recording', async () => {
    await begin();
    const half = readFileSync(path, 'utf8');
    const refused = async () => {
      const { code, stderr, stdout: out } = await run('emulate', ['--resume', path, '--instant', ...stdout]);
      expect(out).toBe('');
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(readFileSync(path, 'utf8')).toBe(half);
      return { code, stderr };
    };
    // The loader prints to standard error.
    writeFileSync(own, `console.error('loaded');${story(2)}`);
    const changed = await refused();
    expect(changed.stderr).toMatch(
      /^emulate: Scenario file ".*own\.mjs" has changed since the run in ".*" was/,
    );
    expect(changed.code).toBe(1);
    rmSync(own);
    expect((await refused()).stderr).toMatch(/^emulate: There is no file ".*own\.mjs"/);
  });
});

describe('emulate replay', () => {
  it('filters by type, account and time, and skips broken lines with --skip-broken', async () => {
    const path = file('part.ndjson');
    const played = await run('emulate', [...moves, '--record', path, ...stdout]);
    const lines = played.stdout.trimEnd().split('\n');
    const part = async (...args: string[]) =>
      (await run('emulate', ['replay', path, '--instant', ...stdout, ...args])).stdout.trimEnd().split('\n');
    const accounts = lines.filter((line) => line.includes('"event_type":"account.'));
    expect(await part('--only', 'account.*')).toEqual(accounts);
    const number = /A-[0-9A-F]{8}/.exec(lines[0]!)![0];
    // By key, too: not every payload names its account.
    const recorded = readFileSync(path, 'utf8').trimEnd().split('\n').slice(1);
    const about = recorded
      .map((line) => JSON.parse(line) as { key: string; value: string })
      .filter(({ key, value }) => key === number || value.includes(`"${number}"`));
    expect(await part('--account', number)).toEqual(about.map(({ value }) => value));
    const after = lines.filter(
      (line) => (JSON.parse(line) as { occurred_at: string }).occurred_at >= '2026-03-10',
    );
    expect(await part('--from', '2026-03-10')).toEqual(after);

    const unmatched = await run('emulate', ['replay', path, ...stdout, '--account', 'A-00000000']);
    expect(unmatched.stderr).toMatch(
      /No event of ".*part\.ndjson" matches "--account"\. Select other events\./,
    );
    expect(unmatched.code).toBe(2);

    const torn = readFileSync(path, 'utf8').split('\n');
    torn[5] = torn[5]!.slice(0, 100);
    writeFileSync(path, torn.join('\n'));
    const broken = await run('emulate', ['replay', path, '--instant', ...stdout]);
    expect(broken.code).toBe(1);
    expect(broken.stderr).toMatch(/^emulate: Line 6 of ".*part\.ndjson" is broken: it is not JSON\..*\n$/);
    expect(await part('--skip-broken')).toEqual(lines.filter((_, n) => n !== 4));
  });

  it.runIf(playsAll)('replays a recording larger than its memory at the pace of its reader', async () => {
    const path = file('large.ndjson');
    await run('emulate', [...moves, '--record', path, ...stdout]);
    const [header, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
    const block = `${lines.join('\n')}\n`;
    const copies = Math.ceil(150_000_000 / block.length);
    writeFileSync(path, `${header!}\n${block.repeat(copies)}`);
    const before = process.env.NODE_OPTIONS;
    process.env.NODE_OPTIONS = '--max-old-space-size=48';
    try {
      // A limit of the heap is one of a process.
      const args = ['replay', path, '--instant', '--to', `file:${file('out')}`];
      const replayed = await runProcess('emulate', args);
      expect(replayed.stderr).toContain(`Done: ${lines.length * copies} events`);
    } finally {
      if (before === undefined) delete process.env.NODE_OPTIONS;
      else process.env.NODE_OPTIONS = before;
    }
  });
});

describe('bad input around recordings', () => {
  writeFileSync(file('no-recording'), '{"id":"1"}\n');
  writeFileSync(file('faults.txt'), 'duplicat=1%\n');
  it.each<[Words, number, string]>([
    [['replay', file('missing')], 2, 'ENOENT'],
    [['replay', file('no-recording')], 1, 'it is not the first line of a recording'],
    ['replay', 2, 'Argument <recording> is missing.'],
    [['replay', file('no-recording'), '--from', 'noon'], 2, 'not "noon"'],
    [
      ['replay', file('no-recording'), '--from', '2026-03-03', '--until', '2026-03-02'],
      2,
      '"--from" must be before "--until".',
    ],
    [
      ['replay', file('no-recording'), '--only', 'billing'],
      2,
      'matches "billing". Did you mean "billing.*"?',
    ],
    [['--resume', file('missing')], 2, 'ENOENT'],
    [['--resume', file('no-recording')], 1, 'it is not the first line of a recording'],
    [
      ['--resume', file('no-recording'), '--seed', '2'],
      2,
      'Options "--resume" and "--seed" exclude each other.',
    ],
    [`${tenMoves} --faults duplicat=1%`, 2, 'Did you mean "duplicate"?'],
    [[...moves, '--faults', `@${file('faults.txt')}`], 2, 'Did you mean "duplicate"?'],
    [[...moves, '--faults', ''], 2, 'The list of "--faults" is empty. Name one, e.g. duplicate=1%.'],
    [`${tenMoves} --faults @nowhere.txt`, 2, '"nowhere.txt" cannot be read: ENOENT'],
    [`${tenMoves} --faults delay=5%`, 2, 'a share and a time, e.g. delay=5%:10m, not "5%"'],
    [[...moves, '--fault-log', file('log')], 2, 'needs faults'],
    [[...moves, '--inputs', file('no-recording')], 1, 'no-recording" has no inputs. Record inputs with:'],
    [`${tenMoves} --vary time`, 2, 'Did you mean "times"?'],
    [[...moves, '--record', join(folder, 'no', 'where')], 1, 'cannot be written: ENOENT'],
    [`${tenMoves} --to file`, 2, '"--to file" needs an address. Write --to file:run.ndjson.'],
    [`${tenMoves} --to webhook`, 2, '"--to webhook" needs an address'],
    [`${tenMoves} --to kafka`, 2, '"--to kafka" needs an address'],
    [`${tenMoves} --to stdout:x`, 2, '"--to stdout" takes no address.'],
    [`${tenMoves} --to stdot`, 2, 'Sink kind "stdot" does not exist. Did you mean "stdout"?'],
    [`${tenMoves} --topic x`, 2, '"--topic" needs a Kafka sink. Add --to kafka.'],
    [
      [...moves, '--to', `file:${file('x')}?max=much`],
      2,
      '"--to file max" must be a size, e.g. 100MB, not "much"',
    ],
    [
      [...moves, '--to', `file:${file('x')}?mx=1`],
      2,
      'Parameter "mx" of --to file does not exist. Did you mean "max"?',
    ],
    [`${tenMoves} --to stdout?x=1`, 2, 'Parameter "x" of --to stdout does not exist. It has none.'],
    [`${tenMoves} --to webhook:ftp://x`, 2, 'begins with http:// or https://'],
    [
      `${tenMoves} --to kafka --brokers localhost`,
      2,
      '"--brokers" must be a broker as "host:port", not "localhost"',
    ],
    [
      `${tenMoves} --to kafka://me:secret@localhost:9092/x`,
      2,
      '"--to kafka" must be a broker as "host:port", not this string.',
    ],
    [`${tenMoves} --to kafka://a:9092 --brokers b:9092`, 2, '"--brokers" repeats'],
    [`${tenMoves} --to kafka://a:9092?sasl=plan`, 2, '"--to kafka sasl" must be "plain"'],
    [
      `${tenMoves} --to kafka://a:9092?tls&sasl=plain`,
      2,
      'Set BUSBAR_KAFKA_USERNAME and BUSBAR_KAFKA_PASSWORD',
    ],
  ])('prints one line: %j exits with %i', async (args, expected, message) => {
    const {
      code,
      stdout: out,
      stderr,
    } = await run('emulate', [...wordsOf(args), ...(args.includes('--to') ? [] : stdout)]);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(out).toBe('');
    expect(code).toBe(expected);
  });
});
