/** Replaces every nested object by the result of `change`, innermost first. */
export function mapObjects(value: unknown, change: (object: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mapObjects(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapObjects(each, change)])),
  );
}
