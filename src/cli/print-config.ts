import { relative } from 'node:path';
import type { Option } from '../base/options.js';
import { type AnyTable, flagsByName, type FlagValues, readValue } from './flags.js';
import type { ConfigFile, Setting } from './settings.js';
import { textTable } from './text-table.js';

/**
 * Returns each value of a command and its origin, as a table or as JSON: those of its flags, those of the file that
 * no flag sets, and those that the release fixes. Secrets are `***`.
 */
export function settingsText(
  table: AnyTable,
  settings: ReadonlyMap<string, Setting>,
  { path = '', keys, values }: ConfigFile,
  { fixed, json }: { readonly fixed: FlagValues; readonly json: boolean },
): string {
  const flags = [...flagsByName(table)];
  const fromFile = (key: string) => `${relative('', path)}: ${key}`;
  const typed = flags.map(([name, flag]) => {
    const { value, origin, from = '' } = settings.get(name) ?? { origin: 'default' };
    return {
      name,
      value: withoutSecrets(flag, origin === 'flag' ? readValue(flag, from, value) : value),
      origin,
      from: origin === 'file' ? fromFile(from) : from,
    };
  });
  const others = leavesOf(keys, values, '')
    .filter(([key]) => flags.every(([, flag]) => flag.key !== key && !key.startsWith(`${flag.key}.`)))
    .map(([key, value]) => ({ name: key, value, origin: 'file', from: fromFile(key) }));
  const ofRelease = Object.entries(fixed).map(([name, value]) => ({
    name,
    value,
    origin: 'release',
    from: '',
  }));
  const rows = [...typed, ...others, ...ofRelease];
  if (json) return `${JSON.stringify(rows, null, 2)}\n`;
  const cells = rows.map(({ name, value, origin, from }) => [name, textOf(value), origin, from]);
  return textTable([['NAME', 'VALUE', 'ORIGIN', 'FROM'], ...cells]);
}

/** Returns the values of options by path, those of nested options one by one. */
function leavesOf(rows: ConfigFile['keys'], values: FlagValues, path: string): [string, unknown][] {
  return Object.entries(values).flatMap(([name, value]) => {
    const row = rows[name];
    const fields = row && fieldsOf(row, value);
    return row === undefined || fields === undefined
      ? [[path + name, row && withoutSecrets(row, value)]]
      : leavesOf(fields, value as FlagValues, `${path}${name}.`);
  });
}

function withoutSecrets(row: Option, value: unknown): unknown {
  if (row.isSecret && value !== undefined) return '***';
  const fields = fieldsOf(row, value);
  return fields === undefined ? value : Object.fromEntries(leavesOf(fields, value as FlagValues, ''));
}

function fieldsOf({ type }: Option, value: unknown): ConfigFile['keys'] | undefined {
  return (type.types ?? [type]).find((each) => each.accepts(value))?.fields;
}

function textOf(value: unknown): string {
  if (value === undefined) return '-';
  if (typeof value === 'function') return 'a function';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
