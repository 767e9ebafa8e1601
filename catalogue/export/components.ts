import { createRequire } from 'node:module';
import { type Documents, type JsonSchema, mapReferences, shapeOf } from '../schema.js';

/** Returns title, version, description and license of an exported document. */
export function documentInfo(): { title: string; version: string; description: string; license: object } {
  const { version } = createRequire(import.meta.url)('busbar/package.json') as { version: string };
  return {
    title: 'Energy platform events',
    version,
    description:
      'Every event version of the catalogue, by its payload. How a payload is wrapped on its way is a matter of the envelope.',
    license: { name: 'MIT', identifier: 'MIT' },
  };
}

/** Returns shapes by name and payloads by title, for `#/components/schemas` of AsyncAPI and OpenAPI. */
export function componentSchemas({ shapes, events }: Documents): Record<string, JsonSchema> {
  const components: Record<string, JsonSchema> = {};
  for (const [name, shape] of Object.entries(shapes)) components[name] = inComponents(shape);
  for (const [name, event] of Object.entries(events))
    components[payloadName(name, event)] = inComponents(event);
  return components;
}

/** Returns the component name of a payload: its title, or the catalogue name of an event without a title. */
export function payloadName(name: string, { title }: JsonSchema): string {
  return title !== undefined && /^[\w.-]+$/.test(title) ? title : name;
}

export function componentReference(name: string): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

function inComponents(schema: JsonSchema): JsonSchema {
  return mapReferences(schema, (reference) => componentReference(shapeOf(reference)).$ref);
}
