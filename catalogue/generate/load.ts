import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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
    events: readFolder(catalogue, 'events').sort(
      (a, b) =>
        byCodeUnits(a.schema['x-event-type'], b.schema['x-event-type']) ||
        byVersion(a.schema['x-event-version'], b.schema['x-event-version']),
    ),
    shapes: readFolder(catalogue, 'shapes').sort((a, b) => byCodeUnits(a.path, b.path)),
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
    .map((path) => {
      const text = readFileSync(join(catalogue, folder, path), 'utf8');
      return { path: `${folder}/${path.replaceAll('\\', '/')}`, schema: JSON.parse(text) as JsonSchema };
    });
}

/** Compares without a locale, so that the order does not depend on the machine. */
function byCodeUnits(a: unknown, b: unknown): number {
  const [left, right] = [String(a), String(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Orders `v2` before `v10`. */
function byVersion(a: unknown, b: unknown): number {
  return String(a).length - String(b).length || byCodeUnits(a, b);
}
