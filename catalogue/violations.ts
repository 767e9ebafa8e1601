import type { Check, ErrorObject } from './compile-now.js';
import { isFieldName } from '../src/base/field-name.js';
import { memberPointer, stepsOf } from '../src/base/json-pointer.js';
import { mapSchemas } from './schema.js';

/** A rule of its schema that a payload breaks. Contains no values of the payload, because they are personal data. */
export interface Violation {
  /**
   * RFC 6901 pointer to the field, also to a missing or unknown one. It has `?` for a key of a map, and for the name of
   * an unknown field that does not look like a word.
   */
  readonly pointer: string;
  /**
   * JSON Schema keyword, such as `required` or `type`; `depth` for a payload too deep to be checked, `unexplained` with
   * Node's option `--disallow-code-generation-from-strings`.
   */
  readonly rule: string;
  /** Requirement of the rule, such as `must be string`. */
  readonly message: string;
}

const maxViolations = 100;
const maxValues = 10_000;
const maxPointer = 200;

/** Returns the violations that a compiled check finds, at most 100. */
export function violationsOf(check: Check, payload: unknown): Violation[] {
  try {
    if (check(payload)) return [];
  } catch (error) {
    if (error instanceof RangeError) return [tooDeep];
    throw error;
  }
  const names = namesIn(check);
  return (check.errors ?? []).slice(0, maxViolations).map((error) => toViolation(error, payload, names));
}

/**
 * Whether a payload is so large that collecting every error could exhaust the memory. Not recursive, because a hostile
 * payload may be nested deeper than the call stack.
 */
export function isLarge(payload: unknown): boolean {
  const open: unknown[] = [payload];
  let seen = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (++seen > maxValues) return true;
    if (typeof value !== 'object' || value === null) continue;
    const values: unknown[] = Array.isArray(value) ? value : Object.values(value);
    if (values.length > maxValues) return true;
    for (const each of values) open.push(each);
  }
  return false;
}

const tooDeep: Violation = { pointer: '', rule: 'depth', message: 'is nested too deeply to be checked' };

/** The violation that no rule explains, because Node may not compile the schema. */
const unexplained: Violation = {
  pointer: '',
  rule: 'unexplained',
  message: 'is invalid; without --disallow-code-generation-from-strings Busbar names the rule',
};

/** Returns the violations in place of those that an error prevents. @throws the error if it is another */
export function whyUnexplained(error: unknown): Violation[] {
  if (error instanceof Error && error.cause instanceof EvalError) return [unexplained];
  throw error;
}

function toViolation(
  { instancePath, keyword, params, message }: ErrorObject,
  payload: unknown,
  names: ReadonlySet<string>,
): Violation {
  const path = shownPath(instancePath, payload, names);
  if (keyword === 'required') {
    return { pointer: at(path, String(params.missingProperty)), rule: keyword, message: 'is required' };
  }
  if (keyword === 'additionalProperties') {
    const name = String(params.additionalProperty);
    return {
      pointer: at(path, isFieldName(name) ? name : '?'),
      rule: keyword,
      message: 'is not a known field',
    };
  }
  return { pointer: cut(path), rule: keyword, message: message ?? `breaks "${keyword}"` };
}

/** Returns a pointer with `?` for the keys of maps, which can be personal data. */
function shownPath(path: string, payload: unknown, names: ReadonlySet<string>): string {
  let value = payload;
  let shown = '';
  for (const name of stepsOf(path)) {
    shown = memberPointer(shown, Array.isArray(value) || names.has(name) ? name : '?');
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return shown;
}

/** Names by check. Many events can break one. */
const knownNames = new WeakMap<Check, ReadonlySet<string>>();

/** Returns the names of all fields in the schema of a check. */
function namesIn(check: Check): ReadonlySet<string> {
  const known = knownNames.get(check);
  if (known !== undefined) return known;
  const names = new Set<string>();
  knownNames.set(check, names);
  mapSchemas(check.schema, (part) => {
    for (const name of Object.keys(part['properties'] ?? {})) names.add(name);
    return part;
  });
  return names;
}

function at(path: string, name: string): string {
  return cut(memberPointer(path, name));
}

/** Truncates a pointer, because a hostile payload may have long field names. */
function cut(pointer: string): string {
  return pointer.length > maxPointer ? `${pointer.slice(0, maxPointer)}…` : pointer;
}
