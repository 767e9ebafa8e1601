import { memberPointer } from '../src/base/json-pointer.js';

/** The part of JSON Schema 2020-12 that the catalogue uses. Other keywords are allowed. */
export interface JsonSchema {
  readonly $schema?: string;
  readonly $id?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

/** Schemas of shapes by name, and of events by catalogue name. Every `$ref` is `#/$defs/<Shape>`. */
export interface Documents {
  readonly shapes: Readonly<Record<string, JsonSchema>>;
  readonly events: Readonly<Record<string, JsonSchema>>;
}

export const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** Returns the schema with every `$ref` replaced by the result of `rename`. */
export function mapReferences(schema: JsonSchema, rename: (reference: string) => string): JsonSchema {
  return mapSchemas(schema, (each) =>
    typeof each.$ref === 'string' ? { ...each, $ref: rename(each.$ref) } : each,
  ) as JsonSchema;
}

/** Returns the shapes that a shape consists of: those that it refers to without a property or an item between. */
export function shapesInPlace(
  name: string,
  shapes: Documents['shapes'],
  found: Set<string> = new Set(),
): ReadonlySet<string> {
  const follow = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword === '$ref' && typeof value === 'string' && !found.has(shapeOf(value))) {
        found.add(shapeOf(value));
        shapesInPlace(shapeOf(value), shapes, found);
      } else if (inPlace.includes(keyword)) [value].flat().forEach(follow);
    }
  };
  follow(shapes[name]);
  return found;
}

/** The keywords whose schemas apply to the value itself. */
const inPlace = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'];

/** Returns the fields that a document names for the value itself, as properties or as required. */
export function namedFields(document: JsonSchema): ReadonlySet<string> {
  const names = new Set<string>();
  const followed = new Set<JsonSchema>();
  const follow = (schema: JsonSchema): void => {
    if (followed.has(schema)) return;
    followed.add(schema);
    const { $ref, properties = {}, required = [] } = schema;
    for (const name of [...Object.keys(properties), ...required]) names.add(name);
    if ($ref !== undefined) follow(document.$defs?.[shapeOf($ref)] ?? {});
    for (const keyword of inPlace) ([schema[keyword] ?? []].flat() as JsonSchema[]).forEach(follow);
  };
  follow(document);
  return names;
}

/** Returns the names of the shapes that a document refers to, directly or through other shapes. */
export function reachedShapes(document: JsonSchema, shapes: Documents['shapes']): string[] {
  const reached = new Set<string>();
  const follow = (schema: JsonSchema): void => {
    mapReferences(schema, (reference) => {
      const shape = shapeOf(reference);
      if (!reached.has(shape)) {
        reached.add(shape);
        follow(shapes[shape] ?? {});
      }
      return reference;
    });
  };
  follow(document);
  return [...reached].sort();
}

/** Returns a standalone document: with its name and dialect, and in `$defs` every shape that it refers to. */
export function standalone(name: string, document: JsonSchema, shapes: Documents['shapes']): JsonSchema {
  const reached = reachedShapes(document, shapes);
  const $defs = Object.fromEntries(reached.map((shape) => [shape, shapes[shape] ?? {}]));
  return { $schema: dialect, $id: name, ...document, ...(reached.length > 0 && { $defs }) };
}

/**
 * Copies the fields of a shape into a payload that consists of that shape (`allOf` with a single reference), so that
 * all events have `properties`.
 */
export function withOwnFields(document: JsonSchema, shapes: Documents['shapes']): JsonSchema {
  const { allOf, ...rest } = document;
  const [only, ...others] = Array.isArray(allOf) ? (allOf as readonly JsonSchema[]) : [];
  if (typeof only?.$ref !== 'string' || others.length > 0 || document.properties !== undefined)
    return document;
  const { properties, required } = shapes[shapeOf(only.$ref)] ?? {};
  return { ...rest, ...(properties && { properties }), ...(required && { required }) };
}

/** Returns the shape of a reference: `Period` for `#/$defs/Period`. */
export function shapeOf(reference: string): string {
  return reference.slice('#/$defs/'.length);
}

/** Returns the URI of a reference relative to a base URI, which may be empty. */
export function uriIn(reference: string, base: string): string {
  return URL.canParse(reference, base) ? new URL(reference, base).href : reference;
}

/** Decodes a part of a URI. What is not encoded stays. */
export function decoded(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (codes) => {
    try {
      return decodeURIComponent(codes);
    } catch {
      return codes;
    }
  });
}

/** The place of a schema: the pointer to it, and the URI that its references are relative to. */
export interface SchemaPlace {
  readonly pointer: string;
  readonly base: string;
}

/** Replaces every schema in a schema by the result of `change`, innermost first. Values, such as that of `const`, stay. */
export function mapSchemas(
  value: unknown,
  change: (schema: Record<string, unknown>, place: SchemaPlace) => unknown,
  { pointer, base }: SchemaPlace = { pointer: '', base: '' },
  isMap = false,
): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { $id } = value as JsonSchema;
  const place = { pointer, base: typeof $id === 'string' && !isMap ? uriIn($id, base) : base };
  const inside = (each: unknown, key: string, isNames = false) =>
    mapSchemas(each, change, { ...place, pointer: memberPointer(pointer, key) }, isNames);
  if (Array.isArray(value)) return value.map((each, index) => inside(each, String(index)));
  const members = Object.entries(value).map(([key, each]): [string, unknown] => {
    if (!isMap && values.includes(key)) return [key, each];
    return [key, inside(each, key, !isMap && maps.includes(key))];
  });
  const mapped = Object.fromEntries(members);
  return isMap ? mapped : change(mapped, place);
}

/** The keywords with values. */
const values = ['const', 'enum', 'default', 'example', 'examples'];

/** The keywords with schemas by names, which may be those of keywords. */
export const maps = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
];
