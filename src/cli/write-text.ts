import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { BusbarError, quoted } from '../base/errors.js';

/**
 * Writes a file of a command, and its folder.
 * @param advice Last sentence of the message.
 * @param isNew Whether the file must not exist.
 * @throws BusbarError `file-failed`
 */
export function writeText(path: string, text: string, advice: string, isNew = false): void {
  try {
    createFolder(dirname(path));
    writeFileSync(path, text, { flag: isNew ? 'wx' : 'w' });
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    const reasons: Readonly<Record<string, string>> = {
      EEXIST: 'it exists',
      ENOTDIR: 'its folder is a file',
    };
    const reason = reasons[code] ?? code;
    const message = `File ${quoted(path)} cannot be written: ${reason}. ${advice}`;
    throw new BusbarError('file-failed', message, { cause });
  }
}

/**
 * Creates a folder and those around it. Node's option `recursive` never returns if the system refuses a folder with
 * ENOENT. `/proc` does.
 */
function createFolder(folder: string): void {
  if (existsSync(folder) || folder === dirname(folder)) return;
  createFolder(dirname(folder));
  mkdirSync(folder);
}
