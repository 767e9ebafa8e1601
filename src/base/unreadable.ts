import { BusbarError } from './errors.js';
import { quoted } from './quoted.js';

/**
 * Returns the error for an input file that cannot be read. The user named it, so it counts as wrong use.
 * @param cause The error of the file system.
 */
export function unreadable(file: string, cause: unknown, advice: string): BusbarError {
  const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
  const message = `File ${quoted(file)} cannot be read: ${code}. ${advice}`;
  return new BusbarError('invalid-option', message, { cause });
}
