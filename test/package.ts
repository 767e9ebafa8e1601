/**
 * Packs both packages, installs the tarballs into empty projects and uses them as a stranger would: a consumer's project
 * stays small and has no line of the emulator, every subpath is imported and type-checked, every command runs, every
 * link of a page resolves, and both packages share one `BusbarError`.
 */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { relativeTargets } from '../.packaging/links.js';
import { type Packed, pack } from '../.packaging/pack.js';
import { useOwnCatalogue } from './package-catalogue.js';

/** Limits: bytes and packages of a consumer's installation, and files of both packages. */
const most = { bytes: 8 * 1024 * 1024, packages: 10, files: 400 };

const root = join(import.meta.dirname, '..');
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

  const fileCount = busbar.files.length + emulator.files.length;
  if (fileCount > most.files)
    throw new Error(`The packages have ${fileCount} files, more than ${most.files}.`);

  const consumer = project('consumer', busbar);
  useAll(busbar, consumer);
  const installed = sizeOf(join(consumer, 'node_modules'));
  const packages = installedIn(consumer).map(({ name }) => name);
  console.log(`a consumer installs ${installed} bytes: ${packages.join(', ')}`);
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

  configure(tested);
  await useOwnCatalogue(tested);

  typeCheck(busbar, consumer);
  typeCheck(emulator, tested);
  for (const [packed, path] of [
    [busbar, consumer],
    [emulator, tested],
  ] as const) {
    resolveLinks(packed, path);
    findLicences(packed, path);
  }
  for (const path of [consumer, tested]) refuseInstallScripts(path);

  const tool = (name: string, ...args: string[]) => run(join(root, 'node_modules', '.bin', name), args, root);
  for (const { tarball } of [busbar, emulator]) {
    tool('publint', '--strict', tarball);
    // Only the emulator uses this one, and is compiled from its sources.
    const untyped = ['--exclude-entrypoints', './internal/command-line'];
    tool('attw', '--profile', 'esm-only', '--format', 'ascii', tarball, ...untyped);
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
    if (!version.startsWith(`${command} ${manifest.version} (catalogue 268 events, `)) {
      throw new Error(`"${command} --version" prints "${version}".`);
    }
    console.log(`${version} --help: ${help.split('\n').length} lines`);
  }
}

/** Writes a configuration file, which both commands and a program read. */
function configure(path: string): void {
  const file = join(path, 'busbar.config.js');
  const values = '{ envelope: "cloudevents", topics: ["bills"], world: { seed: 7 } }';
  writeFileSync(
    file,
    `import { defineConfig } from 'busbar/config';\nexport default defineConfig(${values});\n`,
  );
  for (const [command, name, ...args] of [
    ['emulate', 'seed'],
    ['busbar', 'topic', 'dead-letters', 'list'],
  ] as const) {
    const printed = run(
      join(path, 'node_modules/.bin', command),
      [...args, '--print-config', '--json'],
      path,
    );
    const row = (JSON.parse(printed) as { name: string; origin: string }[]).find(
      (each) => each.name === name,
    );
    if (row?.origin !== 'file') throw new Error(`"${command}" does not read "${name}" from the file.`);
  }
  const envelope = `(await (await import('busbar/config')).loadConfig()).openEnvelope()`;
  const name = evaluate(`console.log((await ${envelope}).name);`, path);
  if (!name.includes('cloudevents')) throw new Error(`The envelope of the file is "${name}".`);
  console.log('both commands and a program read the configuration file');
  rmSync(file);
}

function evaluate(program: string, path: string): string {
  return run(process.execPath, ['--input-type=module', '--eval', program], path).trim();
}

function sizeOf(path: string): number {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Returns the installed packages, as npm recorded them. */
function installedIn(path: string): readonly { readonly name: string; readonly hasInstallScript?: true }[] {
  const record = readFileSync(join(path, 'node_modules/.package-lock.json'), 'utf8');
  const { packages } = JSON.parse(record) as { packages: Record<string, { hasInstallScript?: true }> };
  return Object.entries(packages).map(([place, entry]) => ({
    name: place.slice('node_modules/'.length),
    ...entry,
  }));
}

/** Compiles imports of every typed subpath as users do, declarations of the packages included. */
function typeCheck({ manifest }: Packed, path: string): void {
  const specifiers = Object.entries(manifest.exports)
    .filter(([, entry]) => typeof entry !== 'string' && entry.types !== undefined)
    .map(([subpath]) => manifest.name + subpath.slice(1));
  const imports = specifiers.map((specifier, index) => `export * as m${index} from '${specifier}';\n`);
  writeFileSync(join(path, 'imports.ts'), imports.join(''));
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ]) {
    const compilerOptions = {
      ...{ module, moduleResolution, strict: true, noEmit: true, skipLibCheck: false },
      ...{ target: 'es2022', types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
    };
    writeFileSync(join(path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['imports.ts'] }));
    run(join(root, 'node_modules/.bin/tsc'), ['--project', path], path);
  }
  console.log(`${manifest.name}: ${specifiers.length} subpaths type-check`);
}

/** Looks up the target of every relative link of the pages of a package. */
function resolveLinks({ manifest }: Packed, path: string): void {
  const folder = join(path, 'node_modules', manifest.name);
  for (const page of readdirSync(folder).filter((file) => file.endsWith('.md'))) {
    const targets = relativeTargets(readFileSync(join(folder, page), 'utf8'));
    const missing = targets.find((target) => !existsSync(join(folder, target.replace(/#.*/, ''))));
    if (missing !== undefined) throw new Error(`${page} of "${manifest.name}" links to "${missing}".`);
  }
}

/** Looks up the licence of every package that is part of this one: the build names the source above its code. */
function findLicences({ manifest }: Packed, path: string): void {
  const dist = join(path, 'node_modules', manifest.name, 'dist');
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  const read = (file: string) => readFileSync(join(dist, file), 'utf8');
  const licences = files.filter((file) => file.endsWith('THIRD-PARTY-LICENSES.md')).map(read);
  const parts = files
    .filter((file) => file.endsWith('.js') && !file.includes('dashboard'))
    .flatMap((file) => [...read(file).matchAll(/^\/\/ \S*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\/\S+$/gm)])
    .map(([, name = '']) => name);
  const bundled = [...new Set(parts), ...(manifest.name === 'busbar' ? ['yargs'] : ['preact'])];
  const missing = bundled.find((name) => !licences.some((text) => text.includes(`\n## ${name} - `)));
  if (missing !== undefined) throw new Error(`"${manifest.name}" lacks the licence of "${missing}".`);
  console.log(`${manifest.name}: licences of ${bundled.join(', ')}`);
}

/** Nothing that users install runs a program while it is installed. */
function refuseInstallScripts(path: string): void {
  const found = installedIn(path).find(({ hasInstallScript }) => hasInstallScript === true);
  if (found !== undefined) throw new Error(`"${found.name}" runs a script when it is installed.`);
}
