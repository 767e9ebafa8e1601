/** Aligns rows in columns, two spaces apart. Replaces control characters by `?`, because they control a terminal. */
export function textTable(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map((cell) => cell.replaceAll(/\p{Cc}/gu, '?')));
  // A function cannot take as many arguments as a table can have rows.
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), 0),
  );
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('');
}
