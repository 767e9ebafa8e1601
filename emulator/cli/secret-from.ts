import { readFile } from 'node:fs/promises';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';

/**
 * A secret from that file, or else from the environment; undefined where there is none. Never from the command line,
 * which every process of the machine can read.
 * @throws BusbarError `invalid-option` for an empty one, `file-failed`
 */
export async function secretFrom(
  path: string | undefined,
  variable: string,
  what: string,
): Promise<string | undefined> {
  const secret = path === undefined ? process.env[variable] : (await readSecret(path)).trim();
  if (secret !== '') return secret;
  const where = path === undefined ? variable : quoted(path);
  throw new BusbarError('invalid-option', `The ${what}, in ${where}, is empty.`);
}

async function readSecret(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new BusbarError('file-failed', `File ${quoted(path)} cannot be read: ${code}. Check its path.`, {
      cause: error,
    });
  }
}
