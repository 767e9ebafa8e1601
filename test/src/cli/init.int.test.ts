import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { cases } from '../../cases.js';
import { commands, run } from '../../command.js';
import { startDev } from '../../first-run/start-dev.js';

interface Manifest {
  readonly type: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

const init = (folder: string, ...options: readonly string[]) =>
  run('busbar', ['init', folder, '--no-install', ...options]);
const read = (...path: readonly string[]) => readFileSync(join(...path), 'utf8');
const manifestOf = (folder: string) => JSON.parse(read(folder, 'package.json')) as Manifest;

describe('busbar init', () => {
  it('creates a service and prints the next steps', async () => {
    const folder = join(emptyFolder(), 'my-service');
    const { code, stdout, stderr } = await init(folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.replace(relative('.', folder), 'my-service').replace(folder, 'my-service')).toBe(
      'Created 7 files in "my-service".\n' +
        '\n' +
        'Next:\n' +
        '  1. cd my-service && npm install && npm run dev\n' +
        '     Watch the consumer handle a house move.\n' +
        '  2. npm run test\n' +
        '     Test one handler.\n' +
        '  3. npm run verify\n' +
        '     Find the bug in src/consumer.ts.\n',
    );
    expect(filesIn(folder)).toEqual([
      '.gitignore',
      'package.json',
      'src/consumer.ts',
      'src/dev.ts',
      'src/main.ts',
      'test/consumer.test.ts',
      'tsconfig.json',
    ]);
    expect(read(folder, 'package.json')).toContain('"name": "my-service"');
    expect(read(folder, '.gitignore')).toBe(
      'node_modules/\ndist/\nbusbar.verify.json\n.yarn/install-state.gz\n',
    );
  });

  it('installs the versions that Busbar is tested with', async () => {
    const { devDependencies: tested, version } = manifest;
    const installed: Record<string, string> = {};
    for (const runner of ['node', 'vitest', 'jest']) {
      const folder = join(emptyFolder(), 'my-service');
      await init(folder, '--test', runner);
      const { dependencies, devDependencies } = manifestOf(folder);
      Object.assign(installed, dependencies, devDependencies);
    }
    const names = ['@types/node', 'tsx', 'typescript', 'vitest'] as const;
    const expected = Object.fromEntries(names.map((name) => [name, `^${tested[name]}`]));
    expect(installed).toMatchObject({ ...expected, busbar: `^${version}`, 'busbar-emulator': `^${version}` });
    expect(read(root, 'test/test-runners.ts')).toContain(`jest: '${installed['jest']?.slice(1)}'`);
  });

  it('denies install scripts, of which npm would otherwise warn', async () => {
    for (const [runner, denied] of [
      ['node', ['esbuild']],
      ['jest', ['@parcel/watcher', '@swc/core', 'esbuild']],
    ] as const) {
      const folder = join(emptyFolder(), 'my-service');
      await init(folder, '--test', runner);
      expect(manifestOf(folder)).toHaveProperty(
        'allowScripts',
        Object.fromEntries(denied.map((name) => [name, false])),
      );
    }
  });

  it('consumes from Kafka with --kafka', async () => {
    const folder = join(emptyFolder(), 'my-service');
    await init(folder, '--kafka');
    expect(read(folder, 'src/main.ts')).toContain(`from 'busbar/kafka'`);
    expect(filesIn(folder)).not.toContain('src/main.kafka.ts');
  });

  const templates = ['', '--cjs', '--kafka'].slice(0, cases(1, 3));
  it.each(templates)('reports a mistyped event in one line: init %s', async (option) => {
    const folder = join(emptyFolder(), 'my-service');
    await init(folder, ...(option === '' ? [] : [option]));
    install(folder);
    change(join(folder, 'src/consumer.ts'), `'billing.final_bill'`, `'biling.final_bill'`);
    change(join(folder, 'src/dev.ts'), '{ run', '{ http: { port: 0 }, kafka: { port: 0 }, run');
    const { status, stderr } = tsx(folder, 'src/dev.ts');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'The catalogue has no event "biling.final_bill". Did you mean "billing.final_bill"?\n',
    });
  });

  it.each([
    [
      '',
      { STREAM_URL: 'ws://127.0.0.1:1/events' },
      'The stream at "ws://127.0.0.1:1/events" cannot be consumed',
    ],
    ['--kafka', { KAFKA_BROKERS: '127.0.0.1:1' }, 'Kafka at "127.0.0.1:1" could not be reached'],
  ])('reports a missing broker in one line: init %s', async (option, env, message) => {
    const folder = join(emptyFolder(), 'my-service');
    await init(folder, ...(option === '' ? [] : [option]));
    install(folder);
    const { status, stderr } = tsx(folder, 'src/main.ts', env);
    const [starting, line, ...others] = stderr.trim().split('\n');
    expect({ status, others }).toEqual({ status: 1, others: [] });
    expect(starting).toContain('consumer starting');
    expect(line).toContain(message);
  });

  it.each(['', '--kafka'].slice(0, cases(1, 2)))(
    'runs the emulator on free ports until Ctrl-C if a port is in use: init %s',
    async (option) => {
      const folder = join(emptyFolder(), 'my-service');
      await init(folder, ...(option === '' ? [] : [option]));
      install(folder);
      const other = createServer().listen(0, '127.0.0.1');
      onTestFinished(() => void other.close());
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const asked = `{ speed: 'instant' as const, http: { port: 0 }, kafka: { port: ${port} }, run`;
      change(join(folder, 'src/dev.ts'), '{ run', asked);
      const dev = startDev(`exec ${process.execPath} --import tsx src/dev.ts`, folder, process.env);
      onTestFinished(() => void dev.interrupt());
      const [, page = ''] = await dev.line(/Dashboard: (\S+)\nKafka: 127\.0\.0\.1:\d+\n/);
      await dev.line(/The house move is over\./);
      expect((await fetch(page)).status).toBe(200);
      expect(await dev.interrupt()).toBe(130);
    },
  );

  it('ends at Ctrl-C while the consumer connects', async () => {
    const folder = join(emptyFolder(), 'my-service');
    await init(folder);
    install(folder);
    change(join(folder, 'src/dev.ts'), '{ run', '{ http: { port: 0 }, kafka: { port: 0 }, run');
    const connecting = `console.log('connecting'); await new Promise(() => undefined);`;
    change(join(folder, 'src/main.ts'), 'const running =', `${connecting} const running =`);
    const dev = startDev(`exec ${process.execPath} --import tsx src/dev.ts`, folder, process.env);
    onTestFinished(() => void dev.interrupt());
    await dev.line(/connecting/);
    expect(await dev.interrupt()).toBe(130);
  });

  it('handles an event that is triggered after the house move', async () => {
    const folder = join(emptyFolder(), 'my-service');
    await init(folder);
    install(folder);
    const asked = `{ speed: 'instant' as const, http: { port: 0 }, kafka: { port: 0 }, run`;
    change(join(folder, 'src/dev.ts'), '{ run', asked);
    const dev = startDev(`exec ${process.execPath} --import tsx src/dev.ts`, folder, process.env);
    onTestFinished(() => void dev.interrupt());
    const [, page = ''] = await dev.line(/Dashboard: (\S+)\n/);
    await dev.line(/The house move is over\./);
    const { code } = await run('emulate', ['trigger', 'billing.final_bill-v1', '--to', page]);
    expect(code).toBe(0);
    await dev.line(/(A customer gets the final bill[^]*){2}/);
    expect(await dev.interrupt()).toBe(130);
  });

  it('writes a CommonJS package with --cjs', async () => {
    const folder = join(emptyFolder(), 'my-service');
    await init(folder, '--cjs');
    expect(manifestOf(folder).type).toBe('commonjs');
  });

  it.each([
    ['node', 'node:test', 'node --import tsx --test test/*.test.ts'],
    ['vitest', 'vitest', 'vitest run --dir test'],
    [
      'jest',
      '@jest/globals',
      `node --experimental-vm-modules --disable-warning=ExperimentalWarning -e "require('jest').run(process.argv.slice(1))" --`,
    ],
  ])('tests with %s', async (runner, module, script) => {
    const folder = join(emptyFolder(), 'my-service');
    await init(folder, '--test', runner);
    expect(read(folder, 'test/consumer.test.ts')).toContain(`import { test } from '${module}';`);
    expect(manifestOf(folder).scripts).toMatchObject({
      test: script,
      verify: 'emulate verify src/consumer.ts',
    });
  });

  it('lets Jest run no test that the compiler wrote', async () => {
    const folder = join(emptyFolder(), 'my-service');
    await init(folder, '--test', 'jest');
    expect(manifestOf(folder)).toMatchObject({ jest: { testMatch: ['**/*.test.ts'] } });
  });

  it('accepts a folder with an empty Git repository', async () => {
    const folder = join(emptyFolder(), 'my-service');
    mkdirSync(join(folder, '.git'), { recursive: true });
    expect((await init(folder)).code).toBe(0);
  });

  it('quotes a path with spaces in the next steps', async () => {
    const folder = join(emptyFolder(), 'two words/my-service');
    const { stdout } = await init(folder);
    expect(stdout).toContain(`1. cd "${relative('.', folder)}" && npm install`);
  });

  it('overwrites nothing', async () => {
    const folder = join(emptyFolder(), 'my-service');
    mkdirSync(folder);
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    const { code, stderr } = await init(folder);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `busbar: Folder "${folder}" has files, for example "notes.txt". Name a new folder.\n`,
    });
    expect(filesIn(folder)).toEqual(['notes.txt']);
  });

  it.runIf(process.platform === 'linux')('refuses a folder in which the system creates none', async () => {
    const { code, stderr } = await init('/proc/my-service');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'busbar: File "/proc/my-service/.gitignore" cannot be written: ENOENT. Name another folder.\n',
    });
  });

  it.each([
    [
      ['My Service'],
      'A service cannot be named "My Service". Use lowercase letters, digits, "-", "." and "_".',
    ],
    [['a', '--test', 'mocha'], '"--test" must be "node", "vitest" or "jest", not "mocha".'],
    [['a', '--package-manager', 'x'], '"--package-manager" must be "npm", "pnpm", "yarn" or "bun", not "x".'],
    [
      ['a', '--no-install=yes'],
      'Option "--no-install" takes no value. Write --no-install. See busbar init --help.',
    ],
    [['a', '--nope'], 'Unknown option "--nope". See busbar init --help.'],
    [[], 'Argument <folder> is missing. See busbar init --help.'],
  ])('rejects %j before it writes', async ([name, ...options], message) => {
    const folder = emptyFolder();
    const path = name === undefined ? [] : [join(folder, name)];
    const { code, stderr } = await run('busbar', ['init', ...path, ...options]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `busbar: ${message}\n` });
    expect(filesIn(folder)).toEqual([]);
  });

  it.each(['npm', 'pnpm', 'yarn', 'bun'])('installs with the package manager that runs it: %s', (manager) => {
    const folder = emptyFolder();
    const { status, stdout } = startedBy(manager, 'exit 0', folder);
    expect(status).toBe(0);
    expect(stdout).toContain(`Installing the dependencies with ${manager}...`);
    expect(stdout).toContain(`1. cd my-service && ${manager} run dev\n`);
    expect(read(folder, 'my-service/installed').trim()).toBe('install');
  });

  it.each([
    ['node', ['esbuild']],
    ['jest', ['@parcel/watcher', '@swc/core', 'esbuild']],
  ])('writes a workspace file that pnpm 9 and later read, for %s', async (runner, denied) => {
    const folder = join(emptyFolder(), 'my-service');
    await init(folder, '--package-manager', 'pnpm', '--test', runner);
    const builds = denied.map((name) => `  "${name}": false\n`).join('');
    expect(read(folder, 'pnpm-workspace.yaml')).toBe(`packages:\n  - .\nallowBuilds:\n${builds}`);
  });

  it('keeps the files and names the next step if the installation fails', () => {
    const folder = emptyFolder();
    const { status, stdout, stderr } = startedBy('npm', 'exit 7', folder);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr:
        'busbar: The files are written, but npm could not install the dependencies. ' +
        'Run "npm install" in "my-service" later.\n',
    });
    expect(stdout).not.toContain('Next:');
    expect(filesIn(join(folder, 'my-service'))).toContain('src/consumer.ts');
  });

  it('names a package manager that is not installed', async () => {
    vi.stubEnv('PATH', '');
    onTestFinished(() => void vi.unstubAllEnvs());
    const folder = join(emptyFolder(), 'my-service');
    const { code, stderr } = await run('busbar', ['init', folder, '--package-manager', 'bun']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `busbar: The files are written, but bun is not installed. Run "bun install" in "${folder}" later.\n`,
    });
  });

  it('installs both tarballs of a folder with --packages', async () => {
    const folder = tarballsIn('busbar', 'busbar-emulator');
    await init(join(folder, 'my-service'), '--packages', folder);
    expect(manifestOf(join(folder, 'my-service'))).toMatchObject(dependencies('file:../'));
  });

  it('names the tarball that the folder does not have', async () => {
    const folder = tarballsIn('busbar');
    const { code, stderr } = await init(join(folder, 'my-service'), '--packages', folder);
    expect(code).toBe(1);
    expect(stderr).toContain(`has no "busbar-emulator-${manifest.version}.tgz"`);
    expect(filesIn(folder)).toHaveLength(1);
  });

  it.each([
    ['file:../busbar', 'file:../'],
    ['https://example.com/v1/busbar', 'https://example.com/v1/'],
  ])('installs the neighbour of the tarball that it comes from: %s', (source, expected) => {
    const folder = tarballsIn('busbar', 'busbar-emulator');
    const project = join(folder, 'npx');
    const command = join(project, 'node_modules/.bin/busbar');
    mkdirSync(dirname(command), { recursive: true });
    symlinkSync(commands.busbar, command);
    const installed = { dependencies: { busbar: `${source}-${manifest.version}.tgz` } };
    writeFileSync(join(project, 'package.json'), JSON.stringify(installed));
    execFileSync(process.execPath, [command, 'init', 'my-service', '--no-install'], { cwd: folder });
    expect(manifestOf(join(folder, 'my-service'))).toMatchObject(dependencies(expected));
  });
});

const root = join(import.meta.dirname, '../../..');

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'busbar-init-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

/** Lets a service use the packages of this repository. */
function install(folder: string): void {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

function change(file: string, from: string, to: string): void {
  writeFileSync(file, read(file).replace(from, to));
}

function tsx(cwd: string, file: string, env: NodeJS.ProcessEnv = {}) {
  const args = ['--import', 'tsx', file];
  return spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env: { ...process.env, ...env } });
}

/** Returns a folder with an empty file for the tarball of each package. */
function tarballsIn(...names: readonly string[]): string {
  const folder = emptyFolder();
  for (const name of names) writeFileSync(join(folder, `${name}-${manifest.version}.tgz`), '');
  return folder;
}

/** Returns the dependencies on both tarballs at this address. */
function dependencies(address: string) {
  const at = (name: string) => `${address}${name}-${manifest.version}.tgz`;
  return {
    dependencies: { busbar: at('busbar') },
    devDependencies: { 'busbar-emulator': at('busbar-emulator') },
  };
}

/** Runs `busbar init my-service` as a package manager does that writes its arguments to a file, and then this end. */
function startedBy(manager: string, end: string, cwd: string) {
  const bin = emptyFolder();
  writeFileSync(join(bin, manager), `#!/bin/sh\necho "$@" > installed\n${end}\n`);
  chmodSync(join(bin, manager), 0o755);
  return spawnSync(process.execPath, [commands.busbar, 'init', 'my-service'], {
    cwd,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
      npm_config_user_agent: `${manager}/1.0.0 npm/? node/v22.0.0 linux x64`,
    },
  });
}
