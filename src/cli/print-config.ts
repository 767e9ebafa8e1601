import { relative } from 'node:path';
import { type AnyTable, flagsByName } from './flags.js';
import type { ConfigFile, Setting } from './settings.js';
import { textTable } from './text-table.js';

/** Returns each value of a command and its origin, as a table or as JSON. Secrets are `***`. */
export function settingsText(
  table: AnyTable,
  settings: ReadonlyMap<string, Setting>,
  { path = '' }: ConfigFile,
  json: boolean,
): string {
  const rows = [...flagsByName(table)].map(([name, { isSecret }]) => {
    const { value, origin, from = '' } = settings.get(name) ?? { origin: 'default' };
    const shown = isSecret && value !== undefined ? '***' : value;
    return { name, value: shown, origin, from: origin === 'file' ? `${relative('', path)}: ${from}` : from };
  });
  if (json) return `${JSON.stringify(rows, null, 2)}\n`;
  const cells = rows.map(({ name, value, origin, from }) => [name, textOf(value), origin, from]);
  return textTable([['NAME', 'VALUE', 'ORIGIN', 'FROM'], ...cells]);
}

function textOf(value: unknown): string {
  if (value === undefined) return '-';
  if (typeof value === 'function') return 'a function';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
