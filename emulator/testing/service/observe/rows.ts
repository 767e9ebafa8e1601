import { isObject } from 'busbar/base';
import type { Row } from '../../verify/households.js';
import type { ObservedTable } from '../contract.js';

/** Returns an observed value as rows. An object of objects is a table by `key`, any other object is one row. */
export function rowsFrom(
  value: unknown,
  { key = 'key', ordered = false, ignore = [] }: ObservedTable,
): Row[] {
  return listOf(value, key).map((each, index) => {
    const row: Record<string, unknown> = ordered ? { index } : {};
    flatten(each, '', row);
    for (const name of Object.keys(row)) {
      if (ignore.some((field) => name === field || name.startsWith(`${field}/`)))
        Reflect.deleteProperty(row, name);
    }
    return row;
  });
}

function listOf(value: unknown, key: string): unknown[] {
  if (Array.isArray(value)) return value;
  if (!isObject(value)) return value === null ? [] : [value];
  const entries = Object.entries(value);
  if (entries.length === 0) return [];
  return entries.every(([, each]) => isObject(each))
    ? entries.map(([name, each]) => ({ [key]: name, ...(each as object) }))
    : [value];
}

function flatten(value: unknown, path: string, row: Record<string, unknown>): void {
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    for (const [name, each] of Object.entries(value))
      flatten(each, path === '' ? name : `${path}/${name}`, row);
  } else row[path === '' ? 'value' : path] = scalar(value);
}

/** Drivers return types that JSON lacks. */
function scalar(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'bigint' ? String(value) : value;
}
