import { isDeepStrictEqual } from 'node:util';

/** RFC 6901 pointers to where two values part; `""` where they do as a whole. */
export function differences(one: unknown, other: unknown, pointer = ''): string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) return [pointer];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const inside = names.flatMap((name) =>
    differences(one[name], other[name], `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
  // A field that is there without a value, and one that is not.
  return inside.length > 0 ? inside : [pointer];
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (Array.isArray(value)) return true;
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
