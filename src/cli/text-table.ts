/** Rows in columns as wide as their widest cell, two spaces apart. What would steer a terminal is shown as `?`. */
export function textTable(given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map((cell) => cell.replaceAll(/\p{Cc}/gu, '?')));
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}
