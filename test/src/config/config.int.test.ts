import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { cases } from '../../cases.js';
import { counts } from '../../catalogue/counts.js';
import { run, start, wordsOf } from '../../command.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'busbar-config-')));
afterAll(() => rmSync(root, { recursive: true }));
let folders = 0;

/** Returns a folder of its own with these files. */
function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = join(root, String(folders++));
  for (const [name, text] of Object.entries({ '.keep': '', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Runs a command in a folder. */
async function runIn(folder: string, ...[command, args]: Parameters<typeof run>) {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await run(command, args);
  } finally {
    process.chdir(before);
  }
}

interface Row {
  readonly name: string;
  readonly value: unknown;
  readonly origin: string;
  readonly from: string;
}

/** Returns the printed settings by flag. */
async function settings(folder: string, ...[command, args]: Parameters<typeof run>) {
  const { code, stdout, stderr } = await runIn(folder, command, [
    ...wordsOf(args),
    '--print-config',
    '--json',
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return Object.fromEntries((JSON.parse(stdout) as Row[]).map(({ name, ...row }) => [name, row]));
}

describe('the configuration file', () => {
  it.each(['js', 'mjs', 'cjs', 'json'])('works as busbar.config.%s in a folder above', async (extension) => {
    const values = '{ "catalogue": "./events" }';
    // Editors on Windows write a byte order mark.
    const start = { cjs: 'module.exports = ', json: '\uFEFF' }[extension] ?? 'export default ';
    const text = start + values;
    const folder = folderWith({
      [`busbar.config.${extension}`]: text,
      'package.json': '{ "type": "module" }',
      'a/b/.keep': '',
    });
    const { catalogue } = await settings(join(folder, 'a/b'), 'busbar', ['catalogue', 'list']);
    expect(catalogue).toEqual({
      value: [join(folder, 'events')],
      origin: 'file',
      from: `${join('..', '..', `busbar.config.${extension}`)}: catalogue`,
    });
  });

  it.each([
    ['ts', 'module'],
    ['ts', 'commonjs'],
    ['mts', 'commonjs'],
    ['cts', 'module'],
  ])('works as busbar.config.%s in a package of type %s', async (extension, type) => {
    const file = `busbar.config.${extension}`;
    const text = `import { defineConfig } from 'busbar/config';
      import type {} from 'busbar-emulator';
      export default defineConfig({ world: { seed: 9 as number } });`;
    const inPackage = (config: string) => {
      const folder = folderWith({ [file]: config, 'package.json': JSON.stringify({ type }) });
      symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
      return folder;
    };
    expect((await settings(inPackage(text), 'emulate', []))['seed']).toMatchObject({
      value: 9,
      origin: 'file',
    });
    const broken = inPackage('export default {\n  world:: {}\n};\n');
    expect(await runIn(broken, 'emulate', [])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        new RegExp(`^emulate: Configuration file "${file}": Line 2 is not [^\\n]+\\n$`),
      ) as string,
    });
  });

  it('needs tsx if Node does not read its TypeScript', async () => {
    const text = "import { defineConfig } from 'busbar/config';\nexport default defineConfig({});\n";
    const folder = folderWith({ 'busbar.config.ts': text, 'package.json': '{ "type": "commonjs" }' });
    const { code, stderr } = await runIn(folder, 'emulate', []);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /Configuration file "busbar.config.ts": Node \S+ does not read (TypeScript|it: .+)\. .*nstall tsx \(npm install --save-dev tsx\)/,
    );
  });

  it('comes from the file that --config names', async () => {
    const folder = folderWith({ 'busbar.config.json': '{}', 'other.json': '{ "catalogue": ["a", "b"] }' });
    const named = await settings(folder, 'busbar', ['--config', 'other.json', 'catalogue', 'list']);
    expect(named['catalogue']).toEqual({ value: ['a', 'b'], origin: 'file', from: 'other.json: catalogue' });
  });

  it.each([
    ['an unknown key', '{ "catalog": "x" }', 'there is no option "catalog". Did you mean "catalogue"?'],
    [
      'an unknown key within',
      '{ "consumer": { "strct": true } }',
      'there is no option "consumer.strct". Did you mean "strict"?',
    ],
    [
      'another type',
      '{ "consumer": { "retry": { "attempts": "x" } } }',
      '"consumer.retry.attempts" must be ',
    ],
    ['a list', '[]', 'the options must be an object, not an empty list.'],
    ['a syntax error', '{\n "kafka": { "sasl": "secret" ', 'Line 2 is not JSON. Correct it.'],
    ['UTF-16', Buffer.from('\uFEFF{}', 'utf16le'), 'It is in UTF-16. Save it as UTF-8.'],
    ['a missing catalogue', '{ "catalogue": "./none" }', 'cannot be read: ENOENT.'],
    ['a URL', '{ "catalogue": "https://example.com/a.json" }', 'Download it: curl'],
  ])('fails in one line for %s', async (_, text, message) => {
    const { code, stdout, stderr } = await runIn(folderWith({ 'busbar.config.json': text }), 'busbar', [
      'catalogue',
      'list',
    ]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^busbar: Configuration file "busbar.config.json": [^\n]*\n$/);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('secret');
  });

  it.each([
    [
      'a broken module',
      'export default {\n  world:: {}\n};',
      "Line 2 is not JavaScript: Unexpected token ':'.",
    ],
    ['a module that throws', "throw new Error('The region is unknown.');", 'The region is unknown.'],
    [
      'a module without a default export',
      'export const seed = 1;',
      'It has no default export. Write: export default',
    ],
  ])('fails in one line for %s', async (_, text, message) => {
    const { code, stderr } = await runIn(folderWith({ 'busbar.config.mjs': text }), 'emulate', []);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^emulate: Configuration file "busbar.config.mjs": [^\n]*\n$/);
    expect(stderr).toContain(message);
  });

  it.each([
    ['contract', './none.js', ['verify'], 'none.js" does not exist. Check its path.'],
    ['scenarios', ['./none.js'], ['scenarios'], 'none.js". Check its path.'],
    ['envelope', {}, ['trigger', 'account.created-v1'], '"envelope" must be a name (busbar,'],
  ])('names itself in the error about a wrong value of its key "%s"', async (key, value, args, message) => {
    const folder = folderWith({ 'busbar.config.json': JSON.stringify({ [key]: value }) });
    const { code, stderr } = await runIn(folder, 'emulate', args);
    expect(stderr).toMatch(/^emulate: Configuration file "busbar.config.json": [^\n]*\n$/);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it('fails where the named one is missing', async () => {
    expect(await runIn(folderWith({}), 'emulate', ['--config', 'none.mjs'])).toMatchObject({
      code: 2,
      stderr: 'emulate: Configuration file "none.mjs": The file does not exist. Check its path.\n',
    });
  });

  it.each(['.', 'busbar.yaml', 'busbar'])('fails where the named one is %s', async (name) => {
    const folder = folderWith({ 'busbar.yaml': 'seed: 1', busbar: '{}' });
    const { code, stderr } = await runIn(folder, 'busbar', ['catalogue', 'list', '--config', name]);
    expect(stderr).toMatch(
      /^busbar: Configuration file "[^"]*": Name a \.ts, \.js, \.mjs or \.json file\.\n$/,
    );
    expect(code).toBe(2);
  });

  it('hides secrets in the printed settings', async () => {
    const sasl = { mechanism: 'plain', username: 'billing', password: 'secret' };
    const values = { kafka: { sasl }, emulator: { platformApi: { apiKeys: ['secret'] } } };
    const folder = folderWith({ 'busbar.config.json': JSON.stringify(values) });
    for (const [command, args] of [
      ['busbar', ['dead-letters', 'list']],
      ['emulate', []],
    ] as const) {
      for (const json of [['--json'], []]) {
        const { code, stdout } = await runIn(folder, command, [...args, '--print-config', ...json]);
        expect(code).toBe(0);
        expect(stdout).toContain('billing');
        expect(stdout).toContain('***');
        expect(stdout).not.toContain('secret');
      }
    }
  });

  it.each([
    ['busbar', ['dead-letters', 'show']],
    ['busbar', ['catalogue', 'diff']],
    ['emulate', ['replay']],
  ] as const)('prints the settings of a command without its arguments: %s %s', async (command, args) => {
    const { code, stderr } = await runIn(folderWith({}), command, [...args, '--print-config']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('prints the version of the world, which the release fixes', async () => {
    const { stdout } = await runIn(folderWith({}), 'emulate', ['--print-config', '--json']);
    expect(JSON.parse(stdout)).toContainEqual({
      name: 'worldVersion',
      value: 2,
      origin: 'release',
      from: '',
    });
  });

  it('passes each value to a run', async () => {
    const values = { world: { seed: 5 }, emulator: { scenario: 'phone-call', to: ['stdout'] } };
    const folder = folderWith({ 'busbar.config.json': JSON.stringify(values) });
    const typed = ['--scenario', 'phone-call', '--seed', '5', '--to', 'stdout'];
    const { stdout } = await runIn(folderWith({}), 'emulate', [...typed, '--instant']);
    expect(stdout).toContain('"event_type"');
    expect(await runIn(folder, 'emulate', ['--instant'])).toMatchObject({ code: 0, stdout });
  });

  it('makes scenarios of its files known by name', async () => {
    const scenario = `export const visit = { name: 'visit', title: 'A visit', description: 'One.', branches: {}, run: function* () {} };`;
    const values = { scenarios: ['./mine.mjs'] };
    const folder = folderWith({ 'busbar.config.json': JSON.stringify(values), 'mine.mjs': scenario });
    expect((await runIn(folder, 'emulate', ['scenarios'])).stdout).toMatch(/^visit +A visit$/m);
    const played = await runIn(folder, 'emulate', ['--scenario', 'visit', '--instant', '--to', 'stdout']);
    expect(played).toMatchObject({ code: 0, stdout: '' });
  });

  it('adds its events and scenarios to completions, the version and a run', async () => {
    const folder = folderWith({
      'busbar.config.json': JSON.stringify({ catalogue: './events', scenarios: ['./mine.mjs'] }),
      'events/tariff.changed-v1.json': JSON.stringify({
        'x-event-type': 'tariff.changed',
        'x-event-version': 'v1',
        'x-busbar-key': 'account',
        type: 'object',
        properties: { account_number: { type: 'string' } },
      }),
      'mine.mjs': `export const visit = { name: 'visit', title: 'A visit', description: 'One.', branches: { day: { early: 0.5, late: 0.5 } },
        *run({ cell: { account: { number } } }) {
          const versions = [{ version: 'v1', payload: { account_number: number } }];
          yield { kind: 'emit', occurrence: { type: 'tariff.changed', key: number, versions }, name: 'visit' };
        } };`,
    });
    const complete = async (line: string) =>
      (await runIn(folder, line.startsWith('busbar') ? 'busbar' : 'emulate', ['--complete', line])).stdout;
    expect(await complete('busbar catalogue show tariff.c')).toBe('tariff.changed-v1\ntariff.changed\n');
    expect(await complete('emulate trigger tariff.changed-')).toBe('tariff.changed-v1\n');
    expect(await complete('emulate --scenario vis')).toBe('visit\n');
    expect(await complete('emulate --scenario visit --branch day=e')).toBe('day=early\n');
    expect((await runIn(folder, 'busbar', ['--version'])).stdout).toContain(`${counts.versions + 1} events`);
    expect((await runIn(folder, 'emulate', ['scenarios', 'visit'])).stdout).toContain('tariff.changed v1');
    expect((await runIn(folder, 'emulate', ['scenarios', 'visi'])).stderr).toContain('"visit"');

    const before = process.cwd();
    process.chdir(folder);
    const args = ['--kafka-port', 'off', '--http-port', '0', '--speed', '60', '--record', 'run.ndjson'];
    const emulate = start('emulate', args);
    process.chdir(before);
    const [, url = ''] = await emulate.line(/Control API +(\S+)\/emulator\/v1/);
    const listed = (await (await fetch(`${url}/dashboard/scenarios`)).json()) as { name: string }[];
    expect(listed.map(({ name }) => name)).toContain('visit');
    const body = JSON.stringify({ scenario: 'visit', branches: { day: 'late' } });
    const headers = { 'content-type': 'application/json' };
    const started = await fetch(`${url}/emulator/v1/run/start`, { method: 'POST', headers, body });
    expect(started.status).toBe(201);
    expect((await emulate.stop('SIGINT')).code).toBe(130);
    const replayed = await runIn(folder, 'emulate', ['check', 'run.ndjson']);
    expect(replayed.stdout).toMatch(/0 broken lines, 0 invalid events/);
    writeFileSync(join(folder, 'busbar.config.json'), '{ "catalog": 1 }');
    expect((await runIn(folder, 'busbar', ['--version'])).stdout).toContain(`${counts.versions} events`);
  });

  it('named by --config also applies to code that a command loads', async () => {
    const folder = folderWith({
      'busbar.config.json': '{}',
      'other.json': '{ "envelope": "eventbridge" }',
      'consumer.mjs': `import { createConsumer } from 'busbar';
        import { loadConfig } from 'busbar/config';
        const { openEnvelope } = await loadConfig();
        export const consumer = createConsumer({ envelope: await openEnvelope() });
        consumer.on('account.created', 'v1', () => {});`,
    });
    symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
    const args = ['verify', './consumer.mjs', '--config', 'other.json', '--only', 'samples'];
    expect(await runIn(folder, 'emulate', args)).toMatchObject({ code: 0 });
  });

  it.each([
    ['consumer.ts', 'Line 2 is not TypeScript: Unexpected "="'],
    ['importer.ts', 'Line 2 of "consumer.ts" is not TypeScript: Unexpected "="'],
  ])('names the line of a syntax error in the module of a command: %s', async (module, reason) => {
    const folder = folderWith({
      'consumer.ts': `import { createConsumer } from 'busbar';\nexport const consumer = = createConsumer();`,
      'importer.ts': `export * from './consumer.ts';`,
    });
    symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
    expect(await runIn(folder, 'emulate', ['verify', module])).toMatchObject({
      code: 2,
      stderr: `emulate: Module "${module}" cannot be read: ${reason}.\n`,
    });
  });

  it('leaves its servers off where --to names others', async () => {
    const values = {
      emulator: {
        scenario: 'phone-call',
        kafka: { port: 1, host: '127.0.0.1' },
        http: { port: 1, host: '127.0.0.1' },
      },
    };
    const folder = folderWith({ 'busbar.config.json': JSON.stringify(values) });
    const { code, stderr } = await runIn(folder, 'emulate', ['--instant', '--to', 'stdout']);
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('Kafka') as string,
    });
  });

  it.each(['yaml', 'toml'])('refuses a file of another format: busbar.config.%s', async (extension) => {
    const folder = folderWith({ [`busbar.config.${extension}`]: '' });
    const { code, stderr } = await runIn(folder, 'busbar', ['catalogue', 'list']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `busbar: Configuration file "busbar.config.${extension}": Name a .ts, .js, .mjs or .json file.\n`,
    });
  });

  it('fails next to a second one', async () => {
    const folder = folderWith({ 'busbar.config.json': '{}', 'busbar.config.mjs': 'export default {}' });
    const { code, stderr } = await runIn(folder, 'busbar', ['catalogue', 'list']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `busbar: Folder "${folder}" has "busbar.config.mjs" and "busbar.config.json". Remove one of them.\n`,
    });
  });
});

/** Flags with the path of their key and generated values. */
const flags: Readonly<Record<string, readonly [key: readonly string[], values: fc.Arbitrary<unknown>]>> = {
  seed: [['world', 'seed'], fc.integer({ min: 0, max: 1_000_000 })],
  instances: [['emulator', 'instances'], fc.integer({ min: 1, max: 1_000 })],
  'run-id': [['emulator', 'runId'], fc.stringMatching(/^[a-z]{1,8}$/)],
  'kafka-port': [['emulator', 'kafka', 'port'], fc.integer({ min: 0, max: 65_535 })],
  'http-port': [['emulator', 'http', 'port'], fc.integer({ min: 0, max: 65_535 })],
  scenario: [
    ['emulator', 'scenario'],
    fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 3 }),
  ],
};

describe('the value of a flag', () => {
  it('takes the command line, then the environment, the file and the default', async () => {
    const layers = fc.record(
      Object.fromEntries(
        Object.entries(flags).map(([name, [, value]]) => [
          name,
          fc.record({ flag: fc.option(value), environment: fc.option(value), file: fc.option(value) }),
        ]),
      ),
    );
    const defaults = await settings(folderWith({}), 'emulate', []);
    await fc.assert(
      fc.asyncProperty(layers, async (given) => {
        const args: string[] = [];
        const variables: string[] = [];
        const values = {};
        const expected: Record<string, unknown> = {};
        for (const [name, { flag, environment, file }] of Object.entries(given)) {
          const variable = `BUSBAR_${name.toUpperCase().replace('-', '_')}`;
          const key = flags[name]?.[0] ?? [];
          if (flag !== null) args.push(`--${name}`, ...[flag].flat().map(String));
          if (environment !== null) {
            process.env[variable] = [environment].flat().map(String).join();
            variables.push(variable);
          }
          if (file !== null) put(values, key, file);
          const from = `busbar.config.json: ${key.join('.')}`;
          if (flag !== null) expected[name] = { value: flag, origin: 'flag', from: `--${name}` };
          else if (environment !== null)
            expected[name] = { value: environment, origin: 'environment', from: variable };
          else expected[name] = file === null ? defaults[name] : { value: file, origin: 'file', from };
        }
        try {
          const folder = folderWith({ 'busbar.config.json': JSON.stringify(values) });
          expect(await settings(folder, 'emulate', args)).toMatchObject(expected);
        } finally {
          for (const variable of variables) Reflect.deleteProperty(process.env, variable);
        }
      }),
      { numRuns: cases(15, 500) },
    );
  });

  it('in the environment is rejected with the name of the variable', async () => {
    process.env['BUSBAR_SEED'] = 'x';
    try {
      expect(await runIn(folderWith({}), 'emulate', [])).toMatchObject({
        code: 2,
        stderr: 'emulate: "BUSBAR_SEED" must be a whole number, not "x".\n',
      });
    } finally {
      Reflect.deleteProperty(process.env, 'BUSBAR_SEED');
    }
  });

  it.each([
    ['ENVELOPE', 'nowhere', 'Envelope "nowhere" does not exist.', ['trigger', 'account.created-v1']],
    ['CATALOGUE', './none', 'Catalogue "./none" cannot be read: ENOENT.', ['trigger', 'account.created-v1']],
    ['FAULTS', 'duplicate=1%,foo=2%', 'There ', ['--scenario', 'house-move']],
    ['VARY', 'x', 'There ', ['--scenario', 'house-move']],
    ['SCENARIO', 'nowhere', 'There ', []],
  ])('named BUSBAR_%s is in the error about its value', async (name, value, message, args) => {
    process.env[`BUSBAR_${name}`] = value;
    try {
      const { code, stderr } = await runIn(folderWith({}), 'emulate', args);
      expect(stderr).toContain(`emulate: Environment variable "BUSBAR_${name}": ${message}`);
      expect(code).toBe(2);
    } finally {
      Reflect.deleteProperty(process.env, `BUSBAR_${name}`);
    }
  });

  it('does not appear in the error about an equal value of a flag', async () => {
    process.env['BUSBAR_CATALOGUE'] = 'none';
    try {
      const { stderr } = await runIn(folderWith({}), 'emulate', ['--scenario', 'none']);
      expect(stderr).toContain('scenario "none"');
      expect(stderr).not.toContain('BUSBAR_CATALOGUE');
    } finally {
      Reflect.deleteProperty(process.env, 'BUSBAR_CATALOGUE');
    }
  });

  it('excludes conflicting values behind it', async () => {
    const values = { emulator: { speed: 60, duration: 1000 } };
    const folder = folderWith({ 'busbar.config.json': JSON.stringify(values) });
    const { speed, duration } = await settings(folder, 'emulate', ['--rate', '5', '--until', '2026-04-01']);
    expect([speed?.origin, duration?.origin]).toEqual(['default', 'default']);
  });
});

/** Sets a value at a path of an object. */
function put(target: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) target[name] = value;
  else put((target[name] ??= {}) as Record<string, unknown>, rest, value);
}
