import type { JsonSchema } from '../../catalogue/index.js';
import type { FieldType } from './subject.js';

/** A schema with its references followed and its parts put together. */
export interface SchemaView {
  readonly schema: JsonSchema;
  /** Name of the shape that it is, if it is one. */
  readonly shape: string | undefined;
  readonly type: FieldType;
}

export type Shapes = Readonly<Record<string, JsonSchema>>;

/**
 * What the schema asks for: references are followed, `allOf` is put together, of `oneOf` and `anyOf` the first is
 * taken, and of several types the first that is not null. Where it names no type, its keywords tell, else `string`.
 */
export function view(schema: JsonSchema | boolean | undefined, shapes: Shapes): SchemaView {
  let shape: string | undefined;
  let found: JsonSchema = typeof schema === 'object' ? schema : {};
  // A reference may lead to another; no catalogue nests them deeper.
  for (let hops = 0; found.$ref !== undefined && hops < 32; hops++) {
    shape = found.$ref.slice('#/$defs/'.length);
    const { $ref: _, ...beside } = found;
    found = { ...shapes[shape], ...beside };
  }
  const parts = [...(found.allOf ?? []), ...firstOf(found.oneOf), ...firstOf(found.anyOf)];
  if (parts.length > 0) {
    const { allOf: _all, oneOf: _one, anyOf: _any, ...own } = found;
    const views = parts.map((part) => view(part, shapes));
    if (views.length === 1) shape ??= views[0]?.shape;
    found = [own, ...views.map((each) => each.schema)].reduce(merge);
  }
  return { schema: found, shape, type: typeOf(found) };
}

function firstOf(choices: unknown): JsonSchema[] {
  return Array.isArray(choices) ? (choices as JsonSchema[]).slice(0, 1) : [];
}

function merge(one: JsonSchema, other: JsonSchema): JsonSchema {
  const properties = { ...one.properties, ...other.properties };
  const required = [...new Set([...(one.required ?? []), ...(other.required ?? [])])];
  return {
    ...one,
    ...other,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function typeOf(schema: JsonSchema): FieldType {
  const { type } = schema;
  const named = typeof type === 'string' ? type : type?.find((each) => each !== 'null');
  if (named !== undefined) return named as FieldType;
  if (Array.isArray(type) && type.includes('null')) return 'null';
  if (schema.properties !== undefined) return 'object';
  if (schema.items !== undefined) return 'array';
  const values = 'const' in schema ? [schema.const] : Array.isArray(schema.enum) ? schema.enum : [];
  const example: unknown = values.find((value) => value !== null);
  if (Number.isInteger(example)) return 'integer';
  if (typeof example === 'number' || typeof example === 'boolean') return typeof example as FieldType;
  return 'string';
}
