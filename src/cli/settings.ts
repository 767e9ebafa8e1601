import { dirname, resolve } from 'node:path';
import { quoted, reworded } from '../base/errors.js';
import type { Option } from '../base/options.js';
import { configFile } from '../config/find-config.js';
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
  /** Rows of the keys that the file may have. */
  readonly keys: Readonly<Record<string, Option>>;
  /** Folder that paths in the file are relative to. */
  readonly folder: string;
}

/** Reads the configuration file: that of the flag or of the variable, else the nearest. @throws BusbarError `invalid-module` */
export async function openConfig({ configKeys }: Program, named: unknown): Promise<ConfigFile> {
  // The code that a command loads reads the same file.
  if (typeof named === 'string') process.env['BUSBAR_CONFIG'] = resolve(named);
  const path = configFile();
  if (path === undefined) return { values: {}, path, keys: {}, folder: process.cwd() };
  const { readConfig } = await import('../config/read-config.js');
  return { ...(await readConfig(path, await configKeys?.())), path, folder: dirname(path) };
}

/**
 * Returns the setting of each flag by its name: the typed value, else that of the environment, else that of the file, else
 * the default. A value excludes those after it that its flag conflicts with or replaces.
 * @throws BusbarError `invalid-option`, naming the variable
 */
export function settingsOf(table: AnyTable, typed: FlagValues, file: ConfigFile): Map<string, Setting> {
  const flags = flagsByName(table);
  const found = new Map<string, Setting>();
  const excludes = (one: string, other: string) => {
    const { conflicts = [], replaces = [] } = flags.get(one) ?? {};
    return conflicts.includes(other) || replaces.includes(other);
  };
  for (const layer of [inCommandLine(typed), inEnvironment, inFile(file)]) {
    const before = [...found.keys()];
    for (const [name, flag] of flags) {
      const isExcluded = before.some((each) => excludes(each, name) || flag.conflicts?.includes(each));
      const setting = isExcluded || found.has(name) ? undefined : layer(name, flag);
      if (setting !== undefined) found.set(name, setting);
    }
  }
  return new Map(
    [...flags].map(([name, { default: value }]) => [name, found.get(name) ?? { value, origin: 'default' }]),
  );
}

/** Returns the environment variable of a flag. */
export function variableOf(name: string): string {
  return `BUSBAR_${name.toUpperCase().replaceAll('-', '_')}`;
}

function inCommandLine(typed: FlagValues) {
  return (name: string): Setting | undefined =>
    typed[name] === undefined ? undefined : { value: typed[name], origin: 'flag', from: `--${name}` };
}

/** Returns the name of an environment variable for messages. */
export function variablePlace(variable: string): string {
  return `Environment variable ${quoted(variable)}`;
}

function inEnvironment(name: string, flag: Flag): Setting | undefined {
  const from = variableOf(name);
  const text = process.env[from];
  if (flag.key === undefined || text === undefined || text === '') return undefined;
  try {
    const value = readValue(flag, from, flag.adds === undefined ? text : text.split(','));
    return { value, origin: 'environment', from };
  } catch (error) {
    const named = (message: string) =>
      message.includes(from) ? message : `${variablePlace(from)}: ${message}`;
    throw reworded(error, named);
  }
}

function inFile({ values }: ConfigFile) {
  return (_name: string, { key = '', type }: Flag): Setting | undefined => {
    const inside = (value: unknown, part: string) =>
      value === false ? value : (value as FlagValues | undefined)?.[part];
    const found = key.split('.').reduce<unknown>(inside, values);
    if (found === undefined) return undefined;
    // A server that is off has no address, and of several topics none is the one.
    const forms = [
      found,
      [found],
      ...(Array.isArray(found) && found.length === 1 ? (found as unknown[]) : []),
    ];
    const value = forms.find((each) => type.accepts(each));
    return value === undefined ? undefined : { value, origin: 'file', from: key };
  };
}
