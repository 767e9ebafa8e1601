/** One way in which a payload is made invalid. Where, never what: values are personal data. */
export interface Spoiled {
  readonly payload: unknown;
  /** JSON pointer (RFC 6901) of the value that is missing or wrong. */
  readonly pointer: string;
  readonly how: 'missing' | 'wrong-type';
}

/**
 * A copy of the payload that its schema does not allow: a value is missing or has another type. Tries the places in
 * turn, beginning with the one that `draw` (in [0, 1)) points at; undefined when the schema allows them all.
 */
export function spoilPayload(
  payload: unknown,
  isValid: (payload: unknown) => boolean,
  draw: number,
): Spoiled | undefined {
  const places = placesIn(payload, '', 0);
  const ways = places.flatMap((place) => [
    { place, how: 'missing' as const },
    { place, how: 'wrong-type' as const },
  ]);
  const start = Math.floor(draw * ways.length);
  for (let n = 0; n < ways.length; n++) {
    const way = ways[(start + n) % ways.length];
    if (way === undefined) continue;
    const { place, how } = way;
    const copy = structuredClone(payload);
    const holder = place.path.slice(0, -1).reduce<unknown>((value, key) => member(value, key), copy);
    const key = place.path.at(-1) ?? '';
    if (how === 'wrong-type') (holder as Record<string, unknown>)[key] = otherType(member(holder, key));
    else if (Array.isArray(holder)) continue;
    else Reflect.deleteProperty(holder as object, key);
    if (!isValid(copy)) return { payload: copy, pointer: place.pointer, how };
  }
  return undefined;
}

interface Place {
  readonly path: readonly string[];
  readonly pointer: string;
}

/** Deeper than the shapes of the catalogue nest. */
const deepest = 6;

function placesIn(value: unknown, pointer: string, depth: number, path: readonly string[] = []): Place[] {
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  return Object.entries(value).flatMap(([key, each]) => {
    const place = { path: [...path, key], pointer: `${pointer}/${escaped(key)}` };
    return [place, ...placesIn(each, place.pointer, depth + 1, place.path)];
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
