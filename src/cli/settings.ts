import { dirname, resolve } from 'node:path';
import { findConfig } from '../config/find-config.js';
import type { Program } from './command.js';
import { type AnyTable, type Flag, flagsByName, type FlagValues, readValue } from './flags.js';

/** A value of a flag or of a key, and its origin. */
export interface Setting {
  readonly value: unknown;
  readonly origin: 'flag' | 'environment' | 'file' | 'default';
  /** The flag, the variable, or the path of the key. */
  readonly from?: string;
}

/** The configuration file of a command: its values by key, and its path. */
export interface ConfigFile {
  readonly values: FlagValues;
  readonly path: string | undefined;
  /** Folder that paths in the file are relative to. */
  readonly folder: string;
}

/** Reads the configuration file: that of the flag or of the variable, else the nearest. @throws BusbarError `invalid-module` */
export async function openConfig({ configKeys }: Program, named: unknown): Promise<ConfigFile> {
  const given = named ?? process.env['BUSBAR_CONFIG'];
  const path = typeof given === 'string' ? resolve(given) : findConfig(process.cwd());
  if (path === undefined) return { values: {}, path, folder: process.cwd() };
  const { readConfig } = await import('../config/read-config.js');
  return { values: await readConfig(path, await configKeys?.()), path, folder: dirname(path) };
}

/**
 * Returns the setting of each flag by its name: the typed value, else that of the environment, else that of the file, else
 * the default. A typed flag excludes the values that it replaces.
 * @throws BusbarError `invalid-option`, naming the variable
 */
export function settingsOf(table: AnyTable, typed: FlagValues, file: ConfigFile): Map<string, Setting> {
  const flags = flagsByName(table);
  const replaced = new Set<string>();
  for (const [name, { conflicts = [], replaces = [] }] of flags) {
    if (typed[name] !== undefined) for (const each of [...conflicts, ...replaces]) replaced.add(each);
    else if (conflicts.some((each) => typed[each] !== undefined)) replaced.add(name);
  }
  return new Map(
    [...flags].map(([name, flag]): [string, Setting] => {
      if (typed[name] !== undefined) return [name, { value: typed[name], origin: 'flag', from: `--${name}` }];
      const found = replaced.has(name) ? undefined : (inEnvironment(name, flag) ?? inFile(flag, file));
      return [name, found ?? { value: flag.default, origin: 'default' }];
    }),
  );
}

function inEnvironment(name: string, flag: Flag): Setting | undefined {
  const from = `BUSBAR_${name.toUpperCase().replaceAll('-', '_')}`;
  const text = process.env[from];
  if (flag.key === undefined || text === undefined || text === '') return undefined;
  const value = readValue(flag, from, flag.adds === undefined ? text : text.split(','));
  return { value, origin: 'environment', from };
}

function inFile({ key, type }: Flag, { values }: ConfigFile): Setting | undefined {
  if (key === undefined) return undefined;
  const inside = (value: unknown, part: string) =>
    value === false ? value : (value as FlagValues | undefined)?.[part];
  const found = key.split('.').reduce<unknown>(inside, values);
  if (found === undefined) return undefined;
  // A server that is off has no address, and of several topics none is the one.
  const forms = [found, [found], ...(Array.isArray(found) && found.length === 1 ? (found as unknown[]) : [])];
  const value = forms.find((each) => type.accepts(each));
  return value === undefined ? undefined : { value, origin: 'file', from: key };
}
