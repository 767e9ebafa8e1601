import { readFile } from 'node:fs/promises';
import { BusbarError, quoted } from 'busbar/base';

/** Returns the text of a file that an option names. @throws BusbarError `file-failed` */
export async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    const message = `File ${quoted(path)} cannot be read: ${code}. Check its path.`;
    throw new BusbarError('file-failed', message, { cause });
  }
}
