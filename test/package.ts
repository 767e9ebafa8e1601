/**
 * Packs both packages, installs the tarballs into empty projects and uses them as a stranger would: a consumer's project
 * stays small and has no line of the emulator, every subpath is imported, every command runs, and both packages share
 * one `BusbarError`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Packed, pack } from './pack.js';

/** Limits for the installation of a consumer: bytes of all files, and packages without yargs and its dependencies. */
const most = { bytes: 8 * 1024 * 1024, packages: 10 };

const root = new URL('..', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'busbar-package-'));
const run = (command: string, args: readonly string[], cwd: string) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

try {
  const { busbar, emulator } = pack(folder);
  for (const { manifest, files, size, unpackedSize } of [busbar, emulator]) {
    console.log(`${manifest.name}: ${files.length} files, ${size} bytes (${unpackedSize} unpacked)`);
  }
  const ofEmulator = busbar.files.filter(({ path }) => path.includes('emulator'));
  if (ofEmulator.length > 0) throw new Error(`"busbar" contains ${ofEmulator[0]?.path}.`);

  const consumer = project('consumer', busbar);
  useAll(busbar, consumer);
  const installed = sizeOf(join(consumer, 'node_modules'));
  const packages = packagesBesidesYargs(consumer);
  console.log(`a consumer installs ${installed} bytes; next to yargs: ${packages.join(', ')}`);
  if (installed > most.bytes) throw new Error(`A consumer installs more than ${most.bytes} bytes.`);
  if (packages.length > most.packages)
    throw new Error(`A consumer installs more than ${most.packages} packages.`);

  const tested = project('tested', busbar, emulator);
  useAll(emulator, tested);
  console.log(`with the emulator ${sizeOf(join(tested, 'node_modules'))} bytes`);
  evaluate(
    `import { BusbarError } from 'busbar';
     import { startEmulator } from 'busbar-emulator';
     const error = await startEmulator({ seed: 'x' }).catch((error) => error);
     if (!(error instanceof BusbarError)) throw new Error('There are two classes BusbarError.');`,
    tested,
  );

  const tool = (name: string, ...args: string[]) => run(join(root, 'node_modules', '.bin', name), args, root);
  for (const { tarball } of [busbar, emulator]) {
    tool('publint', '--strict', tarball);
    tool('attw', '--profile', 'esm-only', '--format', 'ascii', tarball);
  }
  console.log('publint and attw: no complaints');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** An empty project that has installed those packages. */
function project(name: string, ...packages: readonly Packed[]): string {
  const path = join(folder, name);
  mkdirSync(path);
  // A version of its own: a command must not print that.
  const manifest = { name: 'stranger', version: '9.9.9', type: 'module', private: true };
  writeFileSync(join(path, 'package.json'), JSON.stringify(manifest));
  run('npm', ['install', '--no-audit', '--no-fund', ...packages.map(({ tarball }) => tarball)], path);
  return path;
}

/** Imports every subpath of a package, and asks every command for its help and version. */
function useAll({ manifest }: Packed, path: string): void {
  for (const subpath of Object.keys(manifest.exports).filter((each) => !each.endsWith('.json'))) {
    const specifier = manifest.name + subpath.slice(1);
    const names = evaluate(
      `console.log(Object.keys(await import(${JSON.stringify(specifier)})).join(', '));`,
      path,
    );
    if (names === '') throw new Error(`"${specifier}" exports nothing.`);
    if (!subpath.startsWith('./internal/')) console.log(`${specifier}: ${names}`);
  }
  for (const command of Object.keys(manifest.bin)) {
    const help = run(join(path, 'node_modules', '.bin', command), ['--help'], path);
    if (!help.includes(command)) throw new Error(`"${command} --help" does not name the command.`);
    const version = run(join(path, 'node_modules', '.bin', command), ['--version'], path).trim();
    if (version !== manifest.version) throw new Error(`"${command} --version" prints "${version}".`);
    console.log(`${command} ${version} --help: ${help.split('\n').length} lines`);
  }
}

function evaluate(program: string, path: string): string {
  return run(process.execPath, ['--input-type=module', '--eval', program], path).trim();
}

function sizeOf(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Installed packages that are there for another reason than the command line. */
function packagesBesidesYargs(path: string): string[] {
  const dependenciesOf = (name: string): string[] => {
    const { dependencies } = JSON.parse(
      readFileSync(join(path, 'node_modules', name, 'package.json'), 'utf8'),
    ) as { dependencies?: Readonly<Record<string, string>> };
    return Object.keys(dependencies ?? {}).filter((each) => each !== 'yargs');
  };
  const found = new Set(['busbar']);
  for (const name of found) for (const each of dependenciesOf(name)) found.add(each);
  return [...found];
}
