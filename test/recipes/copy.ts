import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Names under which the packages of this repository are installed, with their folders. */
const own = { busbar: '..', 'busbar-emulator': '../emulator' };

/**
 * Copies the repository as git sees it, with files that are not committed, and what is built, to a new folder. Installed
 * packages are links to those of the original, except the packages of the repository: they lead to the copy.
 */
export function copyRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), 'busbar-recipe-'));
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  for (const file of list.split('\0').filter((path) => path !== '')) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  for (const built of ['dist', 'emulator/dist']) {
    cpSync(join(root, built), join(copy, built), { recursive: true });
  }
  mkdirSync(join(copy, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name in own || name === '.vite') continue;
    symlinkSync(join(root, 'node_modules', name), join(copy, 'node_modules', name));
  }
  for (const [name, folder] of Object.entries(own)) symlinkSync(folder, join(copy, 'node_modules', name));
  return copy;
}
