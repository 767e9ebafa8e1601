import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join, normalize, resolve } from 'node:path';
import { BusbarError, quoted } from '../../src/base/errors.js';
import { unreadable } from '../additions.js';

/** Files by path. A broken link has no stats. */
export type SourceFiles = ReadonlyMap<string, Stats | undefined>;

/**
 * Returns the files of paths, with all JSON files of folders.
 * @param directory Folder that the paths are relative to.
 * @throws BusbarError `invalid-option` for a path that cannot be read
 */
export function filesOf(paths: readonly string[], directory: string): SourceFiles {
  return new Map(paths.flatMap((path) => filesAt(path, directory)));
}

/**
 * Returns what changes with the content of the files, without reading them. Undefined for files that are so new that another
 * change may leave their times as they are.
 */
export function stampsOf(files: SourceFiles): readonly unknown[] | undefined {
  const latest = Date.now() - 2_000;
  const stamps = [];
  for (const [path, stats] of files) {
    if (stats === undefined || stats.ctimeMs > latest) return undefined;
    stamps.push([path, stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino]);
  }
  return stamps;
}

type SourceFile = readonly [path: string, stats: Stats | undefined];

function filesAt(path: string, directory: string): SourceFile[] {
  if (/^[a-z]+:\/\//i.test(path)) {
    const advice = `Download it: curl -o catalogue.json ${path}`;
    throw new BusbarError(
      'invalid-option',
      `A catalogue is a file or a folder, not ${quoted(path)}. ${advice}`,
    );
  }
  const { files, isFolder } = list(path, resolve(directory, path));
  const names = files.map(([name]) => name);
  for (const name of names) {
    const converted = name.replace(/\.ya?ml$/i, '.json');
    if (converted === name || names.includes(converted)) continue;
    if (isFolder && !isYamlSchema(name, resolve(directory, name))) continue;
    const advice = `Convert it: npx js-yaml ${name} > ${converted}`;
    throw new BusbarError('invalid-option', `Busbar does not read YAML: file ${quoted(name)}. ${advice}`);
  }
  const schemas = isFolder ? files.filter(([name]) => name.endsWith('.json')) : files;
  if (schemas.length > 0) return schemas;
  const [foreign] = names.flatMap((name) => /\.(?:avsc|avdl|proto|xsd)$/i.exec(name)?.[0] ?? []);
  const advice = foreign
    ? `Busbar does not read "${foreign}" files. Write JSON Schemas in ".json" files.`
    : 'Add one: busbar catalogue new my.event-v1';
  const message = `Folder ${quoted(path)} has no schemas. ${advice}`;
  throw new BusbarError('invalid-option', message);
}

/** Whether a file in YAML has schemas. A folder may have others, such as `docker-compose.yaml`. */
function isYamlSchema(path: string, absolute: string): boolean {
  const keys =
    /^["']?(asyncapi|openapi|\$schema|\$id|\$ref|\$defs|definitions|type|properties|x-event-type)["']?\s*:/m;
  try {
    return keys.test(readFileSync(absolute, 'utf8'));
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function list(path: string, absolute: string): { files: SourceFile[]; isFolder: boolean } {
  try {
    return { isFolder: statSync(absolute).isDirectory(), files: below(normalize(path), absolute) };
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

/** Returns a file, or the files in a folder and in those below it, without those of packages and of tools such as Git. */
function below(path: string, absolute: string): SourceFile[] {
  const stats = statSync(absolute, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return [[path, stats]];
  // Joining every name would take a fifth of the time that reading the stats takes.
  const prefix = join(path, '_').slice(0, -1);
  return readdirSync(absolute)
    .filter((name) => name !== 'node_modules' && !name.startsWith('.'))
    .sort()
    .flatMap((name) => below(`${prefix}${name}`, `${absolute}/${name}`));
}
