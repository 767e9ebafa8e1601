import type { Catalogue } from '../catalogue.js';
import { dialect, type Documents, type JsonSchema, mapReferences, mapSchemas, shapeOf } from '../schema.js';
import { createRequire } from 'node:module';

/** Returns title, version, description and license of an exported document. */
export function documentInfo(): { title: string; version: string; description: string; license: object } {
  const { version } = createRequire(import.meta.url)('busbar/package.json') as { version: string };
  return {
    title: 'Energy platform events',
    version,
    description:
      'The payload of every event version in the catalogue. The envelope around a payload depends on the wire format.',
    license: { name: 'MIT', identifier: 'MIT' },
  };
}

/** Returns shapes by name and payloads by title, for `#/components/schemas` of AsyncAPI and OpenAPI. */
export function componentSchemas(documents: Documents): Record<string, JsonSchema> {
  const { shapes, events } = documents;
  const components: Record<string, JsonSchema> = {};
  for (const [name, shape] of Object.entries(shapes)) components[name] = inComponents(shape);
  for (const [name, event] of Object.entries(events))
    components[payloadName(name, documents)] = inComponents(event);
  return components;
}

/** Returns a name with the characters that the key of a component may have; others by their codes, so names stay distinct. */
export function componentName(name: string): string {
  return name.replaceAll(/[^\w.-]/g, (each) => `_${each.charCodeAt(0).toString(16)}`);
}

/** Returns the component name of a payload: its title if no other schema has that name, else its catalogue name. */
export function payloadName(name: string, { shapes, events }: Documents): string {
  const title = events[name]?.title ?? '';
  const isShared = Object.entries(events).some(
    ([other, event]) => other !== name && (other === title || event.title === title),
  );
  return /^[\w.-]+$/.test(title) && !isShared && !Object.hasOwn(shapes, title) ? title : componentName(name);
}

export function componentReference(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** Formats of numbers, without which generators choose 32 bits. Reading a document back removes them. */
export const numberFormats: Readonly<Record<string, string>> = { integer: 'int64', number: 'double' };

function inComponents(schema: JsonSchema): JsonSchema {
  const referring = mapReferences(schema, (reference) => componentReference(shapeOf(reference)).$ref);
  return mapSchemas(referring, (each) => {
    const format = typeof each['type'] === 'string' ? numberFormats[each['type']] : undefined;
    return format === undefined ? each : { ...each, format: each['format'] ?? format };
  }) as JsonSchema;
}

/** The part of a catalogue that exports use. */
export type ExportedCatalogue = Pick<Catalogue, 'events' | 'documents'>;

/** Returns one JSON Schema document, with the shapes in `$defs` and the events by catalogue name in `events`. */
export async function exportJsonSchema(catalogue: ExportedCatalogue): Promise<object> {
  const { shapes, events } = await catalogue.documents();
  return { $schema: dialect, $defs: shapes, events };
}
