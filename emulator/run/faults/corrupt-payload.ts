/** An invalid payload and its defect, without values, which are personal data. */
export interface Corrupted {
  readonly payload: unknown;
  /** JSON pointer (RFC 6901) of the missing or wrong value. */
  readonly pointer: string;
  readonly how: 'missing' | 'wrong-type';
}

/**
 * Returns an invalid copy of a payload, with one value removed or of another type. Tries the values in turn, from the one that
 * `draw` (in [0, 1)) selects. Returns undefined if the schema allows every change.
 */
export function corruptPayload(
  payload: unknown,
  isValid: (payload: unknown) => boolean,
  draw: number,
): Corrupted | undefined {
  const targets = targetsIn(payload, '', 0);
  const ways = targets.flatMap((target) => [
    { target, how: 'missing' as const },
    { target, how: 'wrong-type' as const },
  ]);
  const start = Math.floor(draw * ways.length);
  for (let n = 0; n < ways.length; n++) {
    const way = ways[(start + n) % ways.length];
    if (way === undefined) continue;
    const { target, how } = way;
    const copy = structuredClone(payload);
    const holder = target.path.slice(0, -1).reduce<unknown>((value, key) => member(value, key), copy);
    const key = target.path.at(-1) ?? '';
    if (how === 'wrong-type') (holder as Record<string, unknown>)[key] = otherType(member(holder, key));
    else if (Array.isArray(holder)) continue;
    else Reflect.deleteProperty(holder as object, key);
    if (!isValid(copy)) return { payload: copy, pointer: target.pointer, how };
  }
  return undefined;
}

interface Target {
  readonly path: readonly string[];
  readonly pointer: string;
}

/** Maximum depth of values, above that of the catalogue's schemas. */
const maxDepth = 6;

function targetsIn(value: unknown, pointer: string, depth: number, path: readonly string[] = []): Target[] {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    const target = { path: [...path, key], pointer: `${pointer}/${escaped(key)}` };
    return [target, ...targetsIn(each, target.pointer, depth + 1, target.path)];
  });
}

function member(value: unknown, key: string): unknown {
  return (value as Record<string, unknown>)[key];
}

function otherType(value: unknown): unknown {
  return typeof value === 'number' ? 'not a number' : 0;
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
