import type { Check, ErrorObject } from './compile-now.js';

/** One way in which a payload breaks its schema. Holds names and rules, never a value: values are personal data. */
export interface Violation {
  /** RFC 6901 pointer to the field; for a missing or an unknown one, to where it would stand. */
  readonly pointer: string;
  /** The JSON Schema keyword, such as `required` or `type`; `depth` for a payload too deep to be checked. */
  readonly rule: string;
  /** What the rule asks for, such as `must be string`. */
  readonly message: string;
}

const maximum = 100;
const longestPointer = 200;

/** Runs a compiled check; nothing when the payload is valid, otherwise at most 100 violations. */
export function violationsOf(check: Check, payload: unknown): Violation[] {
  try {
    if (check(payload)) return [];
  } catch (error) {
    if (error instanceof RangeError) return [tooDeep];
    throw error;
  }
  return (check.errors ?? []).slice(0, maximum).map(toViolation);
}

/**
 * Whether a payload is so large that collecting every error could exhaust the memory. Counts with a list of its
 * own, because a hostile payload may be nested deeper than the call stack.
 */
export function isLarge(payload: unknown, limit = 10_000): boolean {
  const open: unknown[] = [payload];
  let seen = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (++seen > limit) return true;
    if (typeof value !== 'object' || value === null) continue;
    const values: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (values.length > limit) return true;
    for (const each of values) open.push(each);
  }
  return false;
}

const tooDeep: Violation = { pointer: '', rule: 'depth', message: 'is nested too deeply to be checked' };

function toViolation({ instancePath, keyword, params, message }: ErrorObject): Violation {
  if (keyword === 'required') {
    return { pointer: at(instancePath, params.missingProperty), rule: keyword, message: 'is required' };
  }
  if (keyword === 'additionalProperties') {
    return {
      pointer: at(instancePath, params.additionalProperty),
      rule: keyword,
      message: 'is not a known field',
    };
  }
  return { pointer: cut(instancePath), rule: keyword, message: message ?? `breaks "${keyword}"` };
}

function at(path: string, name: unknown): string {
  return cut(`${path}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

/** A hostile payload chooses the names of its fields, and with them the length of a pointer. */
function cut(pointer: string): string {
  return pointer.length > longestPointer ? `${pointer.slice(0, longestPointer)}…` : pointer;
}
