import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../..');

describe('npm start', () => {
  it('plays a house move, shows handlers and duplicates, and ends without a terminal', async () => {
    const program = join(root, 'dist/examples/start.js');
    const child = spawn(process.execPath, ['--enable-source-maps', program, '--instant'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    await once(child, 'close');

    expect({ code: child.exitCode, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout.trimStart()).toMatch(/^Dashboard +http:\S+\nKafka .*\nStream .*\nREST API .*key sk_/);
    expect(stdout).toContain('A customer moves house and takes the supply along.');
    const source = readFileSync(join(root, 'examples/house-move-consumer.ts'), 'utf8').split('\n');
    const lines = [...stdout.matchAll(/ house-move-consumer\.ts:(\d+)$/gm)].map(([, line]) => Number(line));
    for (const line of lines) expect(source[line - 1]).toContain('show(');
    expect(lines).not.toEqual([]);
    const skipped = [...stdout.matchAll(/^\d+ \w+ +(\S+) +skipped$/gm)].map(([, type]) => type);
    expect(skipped).toContain('lifecycle.join-supplier.requested');
    const totals = `handled: ${lines.length}, duplicates skipped: ${skipped.length}, without a handler: `;
    expect(stdout).toContain(totals);
    expect(stdout).toContain('Next\n');
    expect(stdout).not.toContain('Press Enter');
  });

  it('builds only if a source has changed', () => {
    const copy = launcher(
      'mkdir -p dist/chunks dist/examples && echo "console.log(1)" > dist/examples/start.js',
    );
    const builds = () => /Building/.test(launch(copy).stderr);
    expect(builds()).toBe(true);
    expect(builds()).toBe(false);
    writeFileSync(join(copy, 'src/consumer.ts'), 'export {};');
    expect(builds()).toBe(true);
    expect(builds()).toBe(false);
    // Another build removes the chunks.
    rmSync(join(copy, 'dist/chunks'), { recursive: true });
    mkdirSync(join(copy, 'dist/chunks'));
    expect(builds()).toBe(true);
  });

  it('prints its name first, then what it runs', () => {
    const copy = launcher(
      'mkdir -p dist/chunks dist/examples && echo "console.log(1)" > dist/examples/start.js',
    );
    expect(launch(copy)).toMatchObject({ status: 0, stdout: 'Busbar 1.2.3\n1\n' });
  });

  it('prints the output of a build that fails', () => {
    const copy = launcher('echo "The disk is full." && exit 3');
    useNpm(copy);
    const { status, stderr } = launch(copy);
    expect(status).toBe(1);
    expect(stderr).toContain('The disk is full.');
    expect(stderr).toContain('The build failed.');
  });
});

describe('the build of npm test', () => {
  it('runs only if a source has changed, or after another build', () => {
    const copy = launcher('rm -rf dist && mkdir -p dist/chunks dist/examples && echo built');
    const builds = () => launch(copy, '.packaging/build-if-changed.js').stdout === 'built\n';
    expect([builds(), builds()]).toEqual([true, false]);
    writeFileSync(join(copy, 'src/consumer.ts'), 'export {};');
    expect([builds(), builds()]).toEqual([true, false]);
    rmSync(join(copy, 'dist/chunks'), { recursive: true });
    expect(builds()).toBe(true);
  });

  it('prints the output of a build that fails, and no stack', () => {
    const copy = launcher('echo "The disk is full." >&2 && exit 3');
    useNpm(copy);
    const { status, stderr } = launch(copy, '.packaging/build-if-changed.js');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'The disk is full.\nThe build failed. Fix the first error above, or run npm ci.\n',
    });
  });
});

/** Returns a repository without sources that is built by this command. */
function launcher(build: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'busbar-start-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  for (const folder of ['.packaging', 'catalogue', 'src', 'emulator', 'examples/start']) {
    mkdirSync(join(copy, folder), { recursive: true });
  }
  for (const file of ['examples/start/launch.js', '.packaging/sources.js', '.packaging/build-if-changed.js'])
    cpSync(join(root, file), join(copy, file));
  const manifest = { version: '1.2.3', type: 'module', scripts: { 'build:js': build, build } };
  writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest));
  // Runs the build as npm does, which takes a third of a second more.
  mkdirSync(join(copy, 'bin'));
  writeFileSync(
    join(copy, 'bin/npm'),
    `#!/bin/sh\ncase "$*" in "run --silent build"|"run --silent build:js") ;; *) exit 9 ;; esac\n${build}\n`,
  );
  chmodSync(join(copy, 'bin/npm'), 0o755);
  return copy;
}

/** Lets npm itself run the build of this repository. */
function useNpm(copy: string): void {
  rmSync(join(copy, 'bin'), { recursive: true });
}

function launch(copy: string, program = 'examples/start/launch.js') {
  const env = { ...process.env, PATH: `${join(copy, 'bin')}${delimiter}${process.env['PATH'] ?? ''}` };
  return spawnSync(process.execPath, [program], { cwd: copy, encoding: 'utf8', env });
}
