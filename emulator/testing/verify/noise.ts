import { sameInstants } from './same-instants.js';
import { type Observed, type Owner, type OwnerOf, type Row, rowsOf, shared } from './households.js';

/** Fields by table that differ between equal runs, and tables whose number of rows does. */
export interface NoiseMask {
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly tables: readonly string[];
}

export const noNoise: NoiseMask = { fields: {}, tables: [] };

/**
 * Compares two runs of the same events, whose households were interleaved differently, and returns what differs. A
 * masked field hides no missing row: rows are counted without it.
 */
export function noiseBetween(
  one: Observed,
  other: Observed,
  cells: Iterable<number>,
  ownerOf: OwnerOf,
): NoiseMask {
  const fields: Record<string, string[]> = {};
  const tables = new Set<string>();
  const owners: readonly Owner[] = [...cells, shared];
  for (const owner of owners) {
    const [mine, theirs] = [rowsOf(one, owner, ownerOf), rowsOf(other, owner, ownerOf)];
    for (const table of tableNames(mine, theirs)) {
      const [rows, others] = [mine[table] ?? [], theirs[table] ?? []];
      if (rows.length !== others.length) tables.add(table);
      const names = new Set([...rows, ...others].flatMap((row) => Object.keys(row)));
      for (const name of names) {
        if (!sameTexts(valuesIn(rows, name), valuesIn(others, name))) (fields[table] ??= []).push(name);
      }
    }
  }
  for (const [table, names] of Object.entries(fields)) fields[table] = [...new Set(names)];
  return { fields, tables: [...tables] };
}

export interface TableDifference {
  readonly table: string;
  /** Numbers of rows. */
  readonly expected: number;
  readonly actual: number;
  /** Fields that differ, if the numbers are equal. */
  readonly fields: readonly string[];
  /** Rows of the first state that the second lacks, and the reverse. */
  readonly missing: readonly Row[];
  readonly extra: readonly Row[];
}

/**
 * Returns the tables that differ, without what the mask leaves out. The order of rows does not count, nor does the form of
 * a time.
 */
export function differencesOf(
  expected: Observed,
  actual: Observed,
  mask: NoiseMask = noNoise,
): TableDifference[] {
  return tableNames(expected, actual)
    .filter((table) => !mask.tables.includes(table))
    .flatMap((table) => {
      const [rows, others] = [expected[table] ?? [], actual[table] ?? []];
      const text = (row: Row) => textOf(row, mask.fields[table]);
      const missing = without(rows, others, text);
      const extra = without(others, rows, text);
      if (missing.length + extra.length === 0) return [];
      const isChanged = rows.length === others.length;
      const names = [...new Set([...missing, ...extra].flatMap((row) => Object.keys(row)))];
      const differ = names.filter(
        (name) =>
          !(mask.fields[table] ?? []).includes(name) &&
          !sameTexts(valuesIn(missing, name), valuesIn(extra, name)),
      );
      const fields = isChanged ? differ.sort() : [];
      return [{ table, expected: rows.length, actual: others.length, fields, missing, extra }];
    });
}

function tableNames(one: Observed, other: Observed): string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])];
}

function textOf(row: Row, masked: readonly string[] = []): string {
  const names = Object.keys(row).filter((name) => !masked.includes(name));
  return JSON.stringify(names.sort().map((name) => [name, sameInstants(row[name])]));
}

function valuesIn(rows: readonly Row[], name: string): string[] {
  return rows.map((row) => JSON.stringify([sameInstants(row[name])]));
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify([...one].sort()) === JSON.stringify([...other].sort());
}

/** Returns the rows that the others lack, each counted as often as it occurs. */
function without(rows: readonly Row[], others: readonly Row[], text: (row: Row) => string): Row[] {
  const counts = new Map<string, number>();
  for (const row of others) counts.set(text(row), (counts.get(text(row)) ?? 0) + 1);
  return rows.filter((row) => {
    const left = counts.get(text(row)) ?? 0;
    counts.set(text(row), left - 1);
    return left <= 0;
  });
}
