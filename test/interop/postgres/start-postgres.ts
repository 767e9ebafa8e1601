import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { providePackages, Unavailable } from '../provide.js';

export interface Postgres {
  readonly version: string;
  /** With a user that may do everything. */
  readonly url: string;
  stop(): Promise<void>;
}

const installed = '/usr/lib/postgresql';

/**
 * A PostgreSQL server on a socket in a temporary folder, which `stop` removes.
 *
 * @throws {Unavailable} when the Debian package is missing and cannot be installed
 */
export async function startPostgres(): Promise<Postgres> {
  if (!existsSync(installed)) await providePackages(['postgresql']);
  const version = readdirSync(installed)
    .filter((name) => existsSync(join(installed, name, 'bin/initdb')))
    .sort((one, other) => Number(other) - Number(one))[0];
  if (version === undefined) throw new Unavailable('postgresql has no server program');
  const program = (name: string) => join(installed, version, 'bin', name);

  const folder = mkdtempSync(join(tmpdir(), 'busbar-pg-'));
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? ownerOfServers() : undefined;
  if (owner !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  execFileSync(program('initdb'), ['-D', data, '-U', 'busbar', '-A', 'trust', '--no-sync'], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const settings = [`unix_socket_directories=${folder}`, 'listen_addresses=', 'fsync=off'];
  const server = spawn(program('postgres'), ['-D', data, ...settings.flatMap((each) => ['-c', each])], {
    ...owner,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stop = async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    if (server.kill('SIGINT')) await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await new Promise<void>((resolve, reject) => {
      let log = '';
      server.stderr.setEncoding('utf8').on('data', (text: string) => {
        log = (log + text).slice(-2000);
        if (log.includes('ready to accept connections')) resolve();
      });
      server.once('exit', () => reject(new Error(`PostgreSQL ${version} did not start:\n${log}`)));
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { version, url: `postgresql://busbar@/postgres?host=${encodeURIComponent(folder)}`, stop };
}

function ownerOfServers(): { uid: number; gid: number } {
  const idOf = (option: string) => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
