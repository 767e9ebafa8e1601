import { readFile } from 'node:fs/promises';
import { withoutByteOrderMark } from './byte-order-mark.js';
import { unreadable } from './errors.js';

/** Returns the text of a file that an option names. @throws BusbarError `invalid-option` */
export async function readText(path: string, advice = 'Check its path.'): Promise<string> {
  try {
    return withoutByteOrderMark(await readFile(path, 'utf8'));
  } catch (cause) {
    throw unreadable(path, cause, advice);
  }
}
