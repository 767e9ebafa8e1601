import { BusbarError } from 'busbar/base';
import type { CatalogueEvent, JsonSchema } from 'busbar/catalogue';
import { meets } from './constraints.js';
import { type FieldPath, formatFieldPath, parseFieldPath } from './field-path.js';
import { type FieldType, itemOf, propertyOf, type SchemaView, type Shapes, view } from './schema-view.js';

/** A field of an event's schema. */
export interface Field {
  readonly path: FieldPath;
  readonly type: FieldType;
  readonly schema: JsonSchema;
  /** Whether its object requires it. False for a value of a list. */
  readonly isRequired: boolean;
}

/** A field that a schema should have, or that should also allow a value. */
interface Wanted {
  readonly path: FieldPath;
  readonly value?: unknown;
}

/**
 * Views a schema by the choices of `oneOf` and `anyOf` that have most of the wanted fields.
 * @param parts Parts of a path that decide. Each multiplies the time for a schema that contains itself.
 */
export function viewWith(
  wanted: readonly Wanted[],
  schema: JsonSchema,
  shapes: Shapes,
  isDeep = false,
  parts = 4,
): SchemaView {
  const score = (choice: JsonSchema) => wanted.filter((each) => has(choice, each, shapes, parts)).length;
  return view(schema, shapes, isDeep, score);
}

function has(schema: JsonSchema, { path, value }: Wanted, shapes: Shapes, parts: number): boolean {
  const seen = viewWith([{ path, value }], schema, shapes, false, parts);
  const [part, ...rest] = path;
  if (part === undefined) return value === undefined || meets(value, seen.schema);
  const child = childOf(seen, part);
  return child !== undefined && (parts === 0 || has(child, { path: rest, value }, shapes, parts - 1));
}

/** An object without any schema for its fields. */
const open: JsonSchema = {};

/** Returns the schema of a field or an item; undefined if a value of the type has none. */
function childOf({ schema, type }: SchemaView, part: string | number): JsonSchema | undefined {
  if (typeof part === 'number') return type === 'array' ? (itemOf(schema, part) ?? {}) : undefined;
  if (type !== 'object') return undefined;
  const { properties, patternProperties, additionalProperties } = schema;
  const isClosed =
    properties !== undefined || (patternProperties !== undefined && additionalProperties === false);
  return propertyOf(schema, part) ?? (isClosed ? undefined : open);
}

/**
 * Returns the field at a path of an event. Fields of an object without any schema for them count as strings.
 * @throws BusbarError `invalid-option` for a path without a field.
 */
export function fieldAt(event: CatalogueEvent, schema: JsonSchema, shapes: Shapes, text: string): Field {
  const path = parseFieldPath(text);
  let seen = viewWith([{ path }], schema, shapes);
  let isRequired = true;
  for (const [depth, part] of path.entries()) {
    const child = childOf(seen, part);
    if (child === undefined) {
      const why = problemOf(seen, path.slice(0, depth), part);
      throw new BusbarError('invalid-option', `"${event.name}" has no field "${text}": ${why}.`);
    }
    if (child === open) return { path, type: 'string', schema: {}, isRequired: false };
    isRequired = typeof part === 'string' && (seen.schema.required ?? []).includes(part);
    seen = viewWith([{ path: path.slice(depth + 1) }], child, shapes);
  }
  return { path, type: seen.type, schema: seen.schema, isRequired };
}

/** Returns why a value lacks a field or an item. */
function problemOf({ schema, type }: SchemaView, before: FieldPath, part: string | number): string {
  const holder = before.length === 0 ? 'the event' : `"${formatFieldPath(before)}"`;
  if (typeof part === 'number') return `${holder} is ${article(type)}, not a list`;
  if (type === 'object') {
    const { properties = {}, patternProperties = {} } = schema;
    const names = Object.keys(properties).map((name) => `"${name}"`);
    const patterns = Object.keys(patternProperties as object).map((each) => `those that match "${each}"`);
    return `the fields of ${holder} are ${listed([...names, ...patterns])}`;
  }
  const advice = type === 'array' ? `: write "${formatFieldPath([...before, 0])}"` : '';
  return `${holder} is ${article(type)}, which has no fields${advice}`;
}

/** Returns the type with its article, for example `an object`. */
export function article(type: FieldType): string {
  const word = type === 'array' ? 'list' : type;
  return `${/^[aeio]/.test(word) ? 'an' : 'a'} ${word}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 30);
  return names.length > shown.length ? `${shown.join(', ')} and more` : shown.join(', ');
}
