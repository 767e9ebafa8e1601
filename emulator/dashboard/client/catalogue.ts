import { signal } from '@preact/signals';
import type { CatalogueEvent } from '../../../catalogue/event-index.js';

/** A JSON Schema, as far as the page reads it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** Every event version by its name; empty until it has come. */
export const catalogue = signal<ReadonlyMap<string, CatalogueEvent>>(new Map());

export async function loadCatalogue(): Promise<void> {
  const events = await getJson<readonly CatalogueEvent[]>('/dashboard/catalogue');
  if (events !== undefined) catalogue.value = new Map(events.map((event) => [event.name, event]));
}

const schemas = new Map<string, Promise<Schema | undefined>>();

/** Asked for once; undefined for an event that the catalogue does not have. */
export function schemaOf(name: string): Promise<Schema | undefined> {
  let schema = schemas.get(name);
  if (schema === undefined) {
    schema = getJson<Schema>(`/dashboard/catalogue/${encodeURIComponent(name)}`);
    schemas.set(name, schema);
  }
  return schema;
}

/** Undefined when the server does not have it, or does not answer. */
export async function getJson<T>(path: string): Promise<T | undefined> {
  const response = await fetch(path).catch(() => undefined);
  return response?.ok === true ? ((await response.json()) as T) : undefined;
}
