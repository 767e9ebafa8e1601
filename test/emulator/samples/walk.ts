/** A value somewhere in a payload. */
export interface Found {
  readonly name: string;
  readonly value: unknown;
  /** The object that it is in. */
  readonly holder: Record<string, unknown>;
  /** Names that lead to it, itself the last. */
  readonly names: readonly string[];
}

/** Every value of a payload that has a name; those of a list share the name of the list. */
export function walk(payload: Record<string, unknown>, names: readonly string[] = []): Found[] {
  return Object.entries(payload).flatMap(([name, value]) => {
    const here = [...names, name];
    const values = Array.isArray(value) ? value : [value];
    return values.flatMap((each: unknown): Found[] => {
      const found = { name, value: each, holder: payload, names: here };
      return typeof each === 'object' && each !== null
        ? [found, ...walk(each as Record<string, unknown>, here)]
        : [found];
    });
  });
}
