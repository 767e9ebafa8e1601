/** The part of JSON Schema 2020-12 that the catalogue is written in; other keywords may stand beside it. */
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

/** Schemas by their name: shapes, and events by catalogue name. Every `$ref` is `#/$defs/<Shape>`. */
export interface Documents {
  readonly shapes: Readonly<Record<string, JsonSchema>>;
  readonly events: Readonly<Record<string, JsonSchema>>;
}

export const dialect = 'https://json-schema.org/draft/2020-12/schema';

/** The same schema with every `$ref` exchanged for what `rename` answers. */
export function mapReferences(schema: JsonSchema, rename: (reference: string) => string): JsonSchema {
  return mapObjects(schema, (each) =>
    typeof each.$ref === 'string' ? { ...each, $ref: rename(each.$ref) } : each,
  ) as JsonSchema;
}

/** The shapes that a document with `#/$defs/<Shape>` references reaches, directly or through other shapes. */
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

/** A document that stands alone: its own name and dialect, and in `$defs` every shape that it reaches. */
export function standalone(name: string, document: JsonSchema, shapes: Documents['shapes']): JsonSchema {
  const reached = reachedShapes(document, shapes);
  const $defs = Object.fromEntries(reached.map((shape) => [shape, shapes[shape] ?? {}]));
  return { $schema: dialect, $id: name, ...document, ...(reached.length > 0 && { $defs }) };
}

/**
 * A payload that is one shape (`allOf` with a single reference) with the shape's fields written out, so that
 * whoever reads events finds `properties` in all of them.
 */
export function withOwnFields(document: JsonSchema, shapes: Documents['shapes']): JsonSchema {
  const { allOf, ...rest } = document;
  const [only, ...others] = allOf ?? [];
  if (only?.$ref === undefined || others.length > 0 || document.properties !== undefined) return document;
  const { properties, required } = shapes[shapeOf(only.$ref)] ?? {};
  return { ...rest, ...(properties && { properties }), ...(required && { required }) };
}

/** `#/$defs/Period` -> `Period` */
export function shapeOf(reference: string): string {
  return reference.slice('#/$defs/'.length);
}

/** Rebuilds nested objects and arrays, innermost first. What it cannot nest in is returned as it is. */
export function mapObjects(value: unknown, change: (object: Record<string, unknown>) => unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mapObjects(each, change));
  if (typeof value !== 'object' || value === null) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mapObjects(each, change)])),
  );
}
