import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CatalogueEvent, inOrder } from '../event-index.js';
import { type Documents, type JsonSchema, mapReferences } from '../schema.js';

/** One schema file. */
export interface Source {
  /** Path inside the catalogue folder, with forward slashes. */
  readonly path: string;
  readonly schema: JsonSchema;
}

/** Events in catalogue order (type, then version), and shapes by name. */
export interface Sources {
  readonly events: readonly Source[];
  readonly shapes: readonly Source[];
}

/** Reads every schema below `events/` and `shapes/` of a catalogue folder. */
export function loadSources(catalogue: string): Sources {
  return {
    events: readFolder(catalogue, 'events').sort((one, other) => inOrder(keyOf(one), keyOf(other))),
    shapes: readFolder(catalogue, 'shapes'),
  };
}

/** Converts sources to documents: references to files become references into `$defs`. */
export function toDocuments(sources: Sources): Documents {
  const documents = (list: readonly Source[]): [string, JsonSchema][] =>
    list.map(({ schema: { $schema: _, $id = '', ...schema } }) => [
      $id,
      mapReferences(schema, (reference) => `#/$defs/${reference.replace(/^.*\/|\.json$/g, '')}`),
    ]);
  return {
    shapes: Object.fromEntries(documents(sources.shapes)),
    events: Object.fromEntries(documents(sources.events)),
  };
}

function readFolder(catalogue: string, folder: string): Source[] {
  return readdirSync(join(catalogue, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .sort()
    .map((path) => {
      const text = readFileSync(join(catalogue, folder, path), 'utf8');
      return { path: `${folder}/${path.replaceAll('\\', '/')}`, schema: JSON.parse(text) as JsonSchema };
    });
}

function keyOf({ schema }: Source): Pick<CatalogueEvent, 'type' | 'version'> {
  return { type: String(schema['x-event-type']), version: String(schema['x-event-version']) };
}
