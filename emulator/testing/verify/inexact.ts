import type { Observed } from './households.js';

/** Returns a note on the fields that {@link inexactFields} finds; none if there are none. */
export function noteOnInexact(fields: Iterable<string>): string[] {
  const names = [...fields].sort();
  if (names.length === 0) return [];
  return [
    `Not exact, because sums of binary fractions are not: ${names.join(', ')}. Compute money in whole pence.`,
  ];
}

/** Returns the fields, by table, with values that sums of binary fractions leave, e.g. 0.30000000000000004. */
export function inexactFields(tables: Observed): { readonly table: string; readonly name: string }[] {
  return Object.entries(tables).flatMap(([table, rows]) => {
    const names = new Set(rows.flatMap((row) => Object.keys(row).filter((name) => isInexact(row[name]))));
    return [...names].map((name) => ({ table, name }));
  });
}

/** Whether a number is next to one with at most four decimals. */
function isInexact(value: unknown): boolean {
  if (typeof value !== 'number' || Number.isInteger(value)) return false;
  const exact = Number(value.toFixed(4));
  return exact !== 0 && value !== exact && Math.abs(value - exact) < Math.abs(exact) * 1e-12;
}
