import { type JsonSchema, shapeOf } from '../schema.js';

type Shapes = Readonly<Record<string, JsonSchema>>;

/** The part of a schema for one JSON type. */
export interface Alternative {
  readonly type: string;
  readonly schema: JsonSchema;
  /** Shape that the alternative consists of, without further keywords. */
  readonly shape: string | undefined;
}

/** Most references and parts on the way to a type: a schema that refers to itself has no end. */
const maxDepth = 32;

const jsonTypes = ['array', 'boolean', 'null', 'number', 'object', 'string'];

/**
 * Returns a schema as a list of alternatives, each with a single type: lists of types, `anyOf`, `oneOf`, `allOf` and
 * references at its top are resolved.
 */
export function alternativesOf(schema: JsonSchema | boolean, shapes: Shapes): Alternative[] {
  return partsOf(schema, shapes, 0).flatMap(({ schema: part, shape }) =>
    typesOf(part).map((type) => ({ type, schema: valuesOfType(part, type), shape })),
  );
}

interface Part {
  readonly schema: JsonSchema;
  readonly shape?: string | undefined;
}

function partsOf(schema: JsonSchema | boolean, shapes: Shapes, depth: number): Part[] {
  if (schema === false) return [];
  if (schema === true || depth > maxDepth) return [{ schema: {} }];
  const { $ref, allOf = [], anyOf, oneOf, ...own } = schema;
  let parts: Part[] = [{ schema: own }];
  const add = (others: Part[]) => {
    parts = parts.flatMap((one) => others.map((other) => both(one, other)));
  };
  const inside = (each: JsonSchema) => partsOf(each, shapes, depth + 1);
  if ($ref !== undefined)
    add(inside(shapes[shapeOf($ref)] ?? {}).map((part) => ({ shape: shapeOf($ref), ...part })));
  for (const each of allOf) add(inside(each));
  for (const choices of [anyOf, oneOf]) {
    if (Array.isArray(choices)) add((choices as JsonSchema[]).flatMap(inside));
  }
  return parts;
}

/** Returns the schema of a field. Each object inherits properties such as `constructor`, which are no fields. */
export function propertyOf({ properties = {} }: JsonSchema, name: string): JsonSchema | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** Returns the part that meets both parts. Keywords that cannot be merged stay in `allOf`. */
function both(one: Part, other: Part): Part {
  if (Object.keys(one.schema).every(isAnnotation)) return other;
  if (Object.keys(other.schema).every(isAnnotation)) return one;
  const { type, required, properties = {}, ...rest } = other.schema;
  const fields = Object.entries(properties).map(([name, field]) => {
    const known = propertyOf(one.schema, name);
    return [name, known === undefined ? field : { allOf: [known, field] }] as const;
  });
  const clashes = Object.keys(rest).some((keyword) => keyword in one.schema && !isAnnotation(keyword));
  return {
    schema: {
      ...rest,
      ...one.schema,
      ...(type && { type: narrower(one.schema.type ?? jsonTypes, type) }),
      ...(required && { required: [...(one.schema.required ?? []), ...required] }),
      ...(fields.length > 0 && { properties: { ...one.schema.properties, ...Object.fromEntries(fields) } }),
      ...(clashes && { allOf: [...(one.schema.allOf ?? []), rest] }),
    },
  };
}

/** Returns the types that are in both lists; each integer is a number. */
function narrower(some: string | readonly string[], others: string | readonly string[]): string[] {
  const within = (types: readonly string[]) => (type: string) =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  const [one, other] = [[some].flat(), [others].flat()];
  return [...new Set([...one.filter(within(other)), ...other.filter(within(one))])];
}

/** Returns the types that a schema without references accepts; a type without a possible value is none. */
function typesOf({ type = jsonTypes, enum: values, ...schema }: JsonSchema): readonly string[] {
  const types = [type].flat();
  const allowed = 'const' in schema ? [schema.const] : (values as unknown[] | undefined);
  return allowed === undefined
    ? types
    : types.filter((each) => allowed.some((value) => isOfType(value, each)));
}

/** Returns the schema with those values of its `enum` or `const` that have the type. */
function valuesOfType({ type: _, const: only, ...schema }: JsonSchema, type: string): JsonSchema {
  const values = only === undefined ? (schema.enum as unknown[] | undefined) : [only];
  return values === undefined ? schema : { ...schema, enum: values.filter((value) => isOfType(value, type)) };
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (value === null) return type === 'null';
  return Array.isArray(value) ? type === 'array' : typeof value === type;
}

const annotations =
  /^(x-.*|\$schema|\$id|\$comment|\$defs|title|description|examples?|default|deprecated|readOnly|writeOnly)$/;

/** Whether a keyword describes values without limiting them. */
export function isAnnotation(keyword: string): boolean {
  return annotations.test(keyword);
}
