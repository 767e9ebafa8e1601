import { isDeepStrictEqual } from 'node:util';
import { memberPointer } from 'busbar/base';

/** Returns RFC 6901 pointers to the differences of two values; `""` if they differ as a whole. */
export function differences(one: unknown, other: unknown, pointer = ''): string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (one instanceof Map && other instanceof Map) {
    const inside = differences(Object.fromEntries(one), Object.fromEntries(other), pointer);
    // Keys that are not texts may look alike.
    return inside.length > 0 ? inside : [pointer];
  }
  if (!isPlain(one) || !isPlain(other) || Array.isArray(one) !== Array.isArray(other)) return [pointer];
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const inside = names.flatMap((name) => differences(one[name], other[name], memberPointer(pointer, name)));
  if (inside.length > 0) return inside;
  // A field that is there without a value, and one that is not. Else they are equal, but of two realms: Jest runs tests
  // in one of their own, and what structuredClone copies there is of the outer one.
  return names.every((name) => Object.hasOwn(one, name) && Object.hasOwn(other, name)) ? [] : [pointer];
}

/** Whether part of a pointer is the name of a field, not the key of a row. */
export function isName(part: string): boolean {
  return /^[a-z_$](?:[a-z_$]|\d(?!\d\d))*$/i.test(part);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (Array.isArray(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An Object.prototype, of whichever realm.
  return prototype !== null && Object.getPrototypeOf(prototype) === null;
}

/** Returns a list of pointers, e.g. `"/A-1/status", "/A-2" and elsewhere`. */
export function listed(pointers: readonly string[]): string {
  const shown = pointers.slice(0, 3).map((pointer) => JSON.stringify(pointer));
  return `${shown.join(', ')}${pointers.length > shown.length ? ' and elsewhere' : ''}`;
}
