/**
 * Packs the package, installs the tarball into an empty project and uses it as a stranger would: every subpath is
 * imported and both commands answer.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from './pack.js';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, unknown>>;
  readonly bin: Readonly<Record<string, string>>;
}

const root = new URL('..', import.meta.url).pathname;
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const folder = mkdtempSync(join(tmpdir(), 'busbar-package-'));
const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

try {
  const { tarball, ...packed } = pack(folder);
  console.log(`packed ${packed.entryCount} files, ${packed.size} bytes (${packed.unpackedSize} unpacked)`);

  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'stranger', version: '9.9.9', type: 'module', private: true }),
  );
  run('npm', ['install', '--no-audit', '--no-fund', tarball], folder);

  for (const subpath of Object.keys(manifest.exports).filter((path) => !path.endsWith('.json'))) {
    const specifier = manifest.name + subpath.slice(1);
    const program = `const names = Object.keys(await import(${JSON.stringify(specifier)})); console.log(names.join(', '));`;
    const names = run(process.execPath, ['--input-type=module', '--eval', program], folder).trim();
    if (names === '') throw new Error(`"${specifier}" exports nothing.`);
    console.log(`${specifier}: ${names}`);
  }
  for (const command of Object.keys(manifest.bin)) {
    const help = run(join(folder, 'node_modules', '.bin', command), ['--help'], folder);
    if (!help.includes(command)) throw new Error(`"${command} --help" does not name the command.`);
    const version = run(join(folder, 'node_modules', '.bin', command), ['--version'], folder).trim();
    if (version !== manifest.version) throw new Error(`"${command} --version" says "${version}".`);
    console.log(`${command} ${version} --help: ${help.split('\n').length} lines`);
  }
  const tool = (name: string, ...args: string[]) =>
    run(join(root, 'node_modules', '.bin', name), [...args, tarball], root);
  tool('publint', '--strict');
  tool('attw', '--profile', 'esm-only', '--format', 'ascii');
  console.log('publint and attw: no complaints');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
