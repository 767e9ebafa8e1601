import { BusbarError, quoted, readText } from 'busbar/base';

/**
 * Reads a secret from a file, else from the environment; undefined if neither is set. The command line can't carry
 * secrets: every process of the machine can read it.
 * @throws BusbarError `invalid-option` for an empty secret, or a file that cannot be read
 */
export async function secretFrom(
  path: string | undefined,
  variable: string,
  what: string,
): Promise<string | undefined> {
  const secret = path === undefined ? process.env[variable] : (await readText(path)).trim();
  if (secret !== '') return secret;
  const where = path === undefined ? variable : quoted(path);
  throw new BusbarError('invalid-option', `The ${what} in ${where} is empty. Set it, or remove the setting.`);
}
