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
  const within = (member: unknown) => withValue(member, rest, value);
  if (Array.isArray(payload)) {
    const position = Number(first);
    const items: readonly unknown[] = payload;
    if (rest.length === 0 && value === undefined) return items.filter((_, index) => index !== position);
    return position < items.length
      ? items.map((item, index) => (index === position ? within(item) : item))
      : [...items, within(undefined)];
  }
  const fields = typeof payload === 'object' && payload !== null ? Object.entries(payload) : [];
  if (rest.length === 0 && value === undefined) {
    return Object.fromEntries(fields.filter(([name]) => name !== first));
  }
  const name = String(first);
  return fields.some(([each]) => each === name)
    ? Object.fromEntries(fields.map(([each, member]) => [each, each === name ? within(member) : member]))
    : Object.fromEntries([...fields, [name, within(undefined)]]);
}
