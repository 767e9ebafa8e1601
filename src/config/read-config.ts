import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { brokenLine } from '../../catalogue/sources/broken-line.js';
import { isUtf16, withoutByteOrderMark } from '../base/byte-order-mark.js';
import { BusbarError, quoted } from '../base/errors.js';
import { firstLine, importModule } from '../base/import-module.js';
import { objectionTo, type Option } from '../base/options.js';
import { configKeys } from './keys.js';

/**
 * Reads and validates a configuration file. Returns the rows of its keys, and its values with absolute paths.
 * @param added Rows of the keys that another package has.
 * @throws BusbarError `invalid-module`
 */
export async function readConfig(
  path: string,
  added: Readonly<Record<string, Option>> = {},
): Promise<{ readonly keys: typeof added; readonly values: Readonly<Record<string, unknown>> }> {
  const keys = { ...configKeys, ...added };
  const invalid = (reason: string, cause?: unknown) => {
    const name = quoted(relative(process.cwd(), path));
    return new BusbarError('invalid-module', `Configuration file ${name}: ${reason}`, { cause });
  };
  const values = await valuesIn(path).catch((cause: unknown) => {
    throw invalid(cause instanceof Error ? firstLine(cause) : 'It throws when it is imported.', cause);
  });
  const objection = objectionTo(keys, values);
  if (objection !== undefined) throw invalid(objection);
  return { keys, values: withPaths(values, dirname(path)) as Readonly<Record<string, unknown>> };
}

async function valuesIn(path: string): Promise<unknown> {
  if (!existsSync(path)) throw new Error('The file does not exist. Check its path.');
  if (!/\.([cm]?[jt]s|json)$/.test(path)) throw new Error('Name a .ts, .js, .mjs or .json file.');
  if (path.endsWith('.json')) return jsonOf(withoutByteOrderMark(readFileSync(path, 'utf8')));
  const { default: values } = await importModule(path);
  if (values === undefined)
    throw new Error('It has no default export. Write: export default defineConfig({ ... })');
  return values;
}

/** Parses JSON. The parser itself quotes the text near an error, which may be a secret. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const problem = isUtf16(text)
      ? 'It is in UTF-16. Save it as UTF-8.'
      : `Line ${brokenLine(text)} is not JSON. Correct it.`;
    throw new Error(problem, { cause });
  }
}

/** Makes texts that begin with `./` or `../` absolute, in lists and plain objects. */
function withPaths(value: unknown, folder: string): unknown {
  if (typeof value === 'string') return /^\.\.?[/\\]/.test(value) ? resolve(folder, value) : value;
  if (Array.isArray(value)) return value.map((each) => withPaths(each, folder));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withPaths(each, folder)]));
}
