import { readdirSync, statSync } from 'node:fs';
import { join, normalize, resolve } from 'node:path';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';

/**
 * Returns the files of paths, with all JSON files of folders, each once.
 * @param directory Folder that the paths are relative to.
 * @throws BusbarError `invalid-option` for a path that cannot be read
 */
export function filesOf(paths: readonly string[], directory: string): readonly string[] {
  return [...new Set(paths.flatMap((path) => filesAt(path, directory)))];
}

/**
 * Returns what changes with the content of the files, without reading them. Undefined for files that are so new that another
 * change may leave their times as they are.
 */
export function stampsOf(files: readonly string[], directory: string): readonly unknown[] | undefined {
  const stats = files.map((file) => statSync(resolve(directory, file)));
  const isNew = Math.max(...stats.map(({ ctimeMs }) => ctimeMs)) > Date.now() - 2_000;
  if (isNew) return undefined;
  return stats.map(({ size, mtimeMs, ctimeMs, ino }, index) => [files[index], size, mtimeMs, ctimeMs, ino]);
}

function filesAt(path: string, directory: string): string[] {
  if (/^[a-z]+:\/\//i.test(path)) {
    const advice = `Download it: curl -o catalogue.json ${path}`;
    throw new BusbarError(
      'invalid-option',
      `A catalogue is a file or a folder, not ${quoted(path)}. ${advice}`,
    );
  }
  const names = namesIn(resolve(directory, path), path);
  const files = names?.map((name) => join(path, name)) ?? [normalize(path)];
  for (const file of files) {
    const converted = file.replace(/\.ya?ml$/i, '.json');
    if (converted === file || files.includes(converted)) continue;
    const advice = `Convert it: npx js-yaml ${file} > ${converted}`;
    throw new BusbarError('invalid-option', `Busbar does not read YAML: file ${quoted(file)}. ${advice}`);
  }
  const schemas = names === undefined ? files : files.filter((file) => file.endsWith('.json'));
  if (schemas.length > 0) return schemas;
  const message = `Folder ${quoted(path)} has no schemas. Add one: busbar catalogue new my.event-v1`;
  throw new BusbarError('invalid-option', message);
}

/** Returns the names of the files in a folder; undefined for a file. */
function namesIn(absolute: string, path: string): string[] | undefined {
  try {
    if (!statSync(absolute).isDirectory()) return undefined;
    return readdirSync(absolute, { recursive: true, encoding: 'utf8' }).sort();
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** Returns the error of a path that cannot be read. */
export function unreadable(path: string, cause: unknown): BusbarError {
  const { code = String(cause) } = cause as NodeJS.ErrnoException;
  const message = `Catalogue ${quoted(path)} cannot be read: ${code}. Name a file or a folder of schemas.`;
  return new BusbarError('invalid-option', message, { cause });
}
