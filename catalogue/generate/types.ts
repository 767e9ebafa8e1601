import { compile } from 'json-schema-to-typescript';
import { type Documents, type JsonSchema, mapSchemas, shapeOf } from '../schema.js';
import { banner, type Outputs } from './outputs.js';

/**
 * Generates `types.ts`: an interface for every shape and payload, and `BuiltInEvents`, which maps type and version to the
 * payload. Compiles all from one root, because separately compiled schemas would each declare their shapes.
 */
export async function generateTypes(documents: Documents): Promise<Outputs> {
  const definitions = new Map<string, JsonSchema>();
  for (const [name, shape] of Object.entries(documents.shapes)) definitions.set(name, forTypes(shape));
  const versions = new Map<string, Record<string, JsonSchema>>();
  for (const event of Object.values(documents.events)) {
    const title = event.title ?? '';
    const type = String(event['x-event-type']);
    definitions.set(title, forTypes(event));
    const reference = { $ref: `#/$defs/${title}` };
    versions.set(type, { ...versions.get(type), [String(event['x-event-version'])]: reference });
  }
  const root = {
    title: 'BuiltInEvents',
    description: 'The payload of every event of the catalogue, by event type and version.',
    ...closed(Object.fromEntries([...versions].map(([type, properties]) => [type, closed(properties)]))),
    $defs: Object.fromEntries(definitions),
  };
  return new Map([['catalogue/generated/types.ts', await typesOf(root, banner.trim())]]);
}

/** Returns the schema of an object that has these fields and no others. */
export function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Prepares a schema for the compiler: extends the shape of `allOf`, and types objects without listed fields. */
function forTypes({ allOf, ...document }: JsonSchema): JsonSchema {
  const [whole] = allOf ?? [];
  const shape = mapSchemas(document, (schema) =>
    schema.type === 'object' && schema.properties === undefined && whole === undefined
      ? { ...schema, tsType: 'Record<string, unknown>' }
      : schema,
  ) as JsonSchema;
  return whole?.$ref === undefined
    ? shape
    : { ...shape, extends: { $ref: `#/$defs/${shapeOf(whole.$ref)}` } };
}

/** Returns the declarations of a schema, without the compiler's remarks about definitions. */
export async function typesOf(schema: JsonSchema, bannerComment: string): Promise<string> {
  const source = await compile(schema as Parameters<typeof compile>[0], schema.title ?? '', {
    additionalProperties: false,
    bannerComment,
    style: { singleQuote: true, printWidth: 110 },
    unreachableDefinitions: true,
  });
  return source
    .replace(/( \*\n)? \* This interface was referenced by [^*]*\n \* via the `definition` "[^"]*"\.\n/g, '')
    .replace(/\/\*\*\n \*\/\n/g, '')
    .replace(/\/\*\*\n *\* ([^\n]*)\n *\*\//g, '/** $1 */');
}
