import { hash, randomUUID } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { nearestUp } from '../../src/base/folders-up.js';

/** Code on disk that is valid for one state of the schemas. */
export interface ValidatorCache {
  /** Returns the code; undefined if it is missing, of another key, damaged, or writable by another user. */
  read(key: string): string | undefined;
  /** Writes the code with its keys if a folder can be written. A reader never sees a part of it. */
  write(keys: readonly string[], code: string): void;
}

/**
 * Opens the cache of a project: in its `node_modules/.cache/busbar`, else in the cache folder of the system.
 * @param directory Folder inside the project.
 * @param name Identifies the catalogue within the project. Its newest code replaces older code.
 */
export function openValidatorCache(directory: string, name: string): ValidatorCache {
  const file = `${hashOf(name).slice(0, 32)}.cjs`;
  return {
    read(key) {
      for (const folder of foldersFor(directory)) {
        const text = readTrusted(folder, file) ?? '';
        const end = text.indexOf('\n');
        const [digest, ...keys] = text.slice(0, end).split(' ');
        if (!keys.includes(key)) continue;
        const code = text.slice(end + 1);
        if (digest === hashOf(code)) return code;
      }
      return undefined;
    },
    write(keys, code) {
      const text = `${[hashOf(code), ...keys].join(' ')}\n${code}`;
      for (const folder of foldersFor(directory)) if (writeTrusted(folder, file, text)) return;
    },
  };
}

/** Yields the folders of a cache, the preferred one first. */
function* foldersFor(directory: string): Generator<string, void, void> {
  const modules = nearestUp(directory, 'node_modules');
  if (modules !== undefined) yield join(modules, '.cache/busbar');
  yield systemFolder();
}

function systemFolder(): string {
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const usual = process.platform === 'darwin' ? 'Library/Caches' : '.cache';
  return join(
    XDG_CACHE_HOME ?? LOCALAPPDATA ?? join(process.getBuiltinModule('node:os').homedir(), usual),
    'busbar',
  );
}

/** Reads the file that was checked, not one that replaces it between check and reading. */
function readTrusted(folder: string, file: string): string | undefined {
  let descriptor: number | undefined;
  try {
    if (!isTrusted(lstatSync(folder))) return undefined;
    descriptor = openSync(join(folder, file), 'r');
    return isTrusted(fstatSync(descriptor)) ? readFileSync(descriptor, 'utf8') : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function writeTrusted(folder: string, file: string, text: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    if (!isTrusted(lstatSync(folder))) return false;
    const temporary = join(folder, `${randomUUID()}.tmp`);
    try {
      writeFileSync(temporary, text, { mode: 0o644, flag: 'wx' });
      renameSync(temporary, join(folder, file));
    } finally {
      rmSync(temporary, { force: true });
    }
    return true;
  } catch {
    return false;
  }
}

/** Whether only this user and the administrator can write to a file or a folder. Windows lacks these bits. */
function isTrusted({ uid, mode }: Stats): boolean {
  const { getuid } = process;
  return getuid === undefined || ((uid === getuid() || uid === 0) && (mode & 0o022) === 0);
}

function hashOf(text: string): string {
  return hash('sha256', text);
}
