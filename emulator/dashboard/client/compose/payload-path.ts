/** A path in a payload: names of fields and indices of lists. */
export type PayloadPath = readonly (string | number)[];

export function pointerOf(path: PayloadPath): string {
  return path.map((each) => `/${String(each).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function valueAt(payload: unknown, path: PayloadPath): unknown {
  let found = payload;
  for (const each of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, each)) return undefined;
    found = (found as Readonly<Record<string | number, unknown>>)[each];
  }
  return found;
}

/** Returns the payload with another value at the path; undefined removes the field or item. */
export function withValue(payload: unknown, path: PayloadPath, value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const member = withValue(valueAt(payload, [first]), rest, value);
  if (Array.isArray(payload)) {
    const items: readonly unknown[] = payload;
    return items.toSpliced(Number(first), 1, ...(member === undefined ? [] : [member]));
  }
  const fields = new Map<string, unknown>(
    typeof payload === 'object' && payload !== null ? Object.entries(payload) : [],
  );
  if (member === undefined) fields.delete(String(first));
  else fields.set(String(first), member);
  return Object.fromEntries(fields);
}
