/** A row of an observed table: scalar values by JSON pointer. */
export type Row = Readonly<Record<string, unknown>>;

/** The observed state of a consumer: rows by table. */
export type Observed = Readonly<Record<string, readonly Row[]>>;

/** Owner of the rows that belong to no single household. */
export const shared = 'shared';

/** A household's cell, or {@link shared}. */
export type Owner = number | typeof shared;

export type OwnerOf = (row: Row) => Owner;

/**
 * Returns a function that finds the household whose identifiers a row contains. An identifier is a string that occurs in
 * the records of one household only: account numbers, ids, meter points. A row with those of several households, or of
 * none, is shared.
 * @param contents Decoded content of records, and its household.
 */
export function ownerByIdentifiers(
  contents: Iterable<{ readonly cell: number; readonly content: unknown }>,
): OwnerOf {
  const owners = new Map<string, Owner>();
  for (const { cell, content } of contents) {
    for (const text of identifiersIn(content)) {
      const known = owners.get(text);
      owners.set(text, known === undefined || known === cell ? cell : shared);
    }
  }
  return (row) => {
    const found = new Set<number>();
    for (const text of identifiersIn(row)) {
      for (const part of owners.has(text) ? [text] : text.split(/[^\w-]+/)) {
        const owner = owners.get(part);
        if (typeof owner === 'number') found.add(owner);
      }
    }
    const [first = shared as Owner, ...others] = found;
    return others.length === 0 ? first : shared;
  };
}

/** Returns the tables with only the rows of one owner. */
export function rowsOf(state: Observed, owner: Owner, ownerOf: OwnerOf): Observed {
  return Object.fromEntries(
    Object.entries(state).map(([table, rows]) => [table, rows.filter((row) => ownerOf(row) === owner)]),
  );
}

/** Texts that could be identifiers: at least six characters with a digit, and not a date. */
function* identifiersIn(value: unknown): Generator<string> {
  if (typeof value === 'string' || typeof value === 'number') {
    const text = String(value);
    if (text.length >= 6 && /\d/.test(text) && !/^\d{4}-\d\d-\d\d|^[\d.]{1,7}$/.test(text)) yield text;
  } else if (typeof value === 'object' && value !== null) {
    for (const each of Object.values(value)) yield* identifiersIn(each);
  }
}
