import { signal } from '@preact/signals';
import type { CatalogueEvent } from 'busbar/catalogue';
import { getJson, useLoaded } from './requests.js';

/** The members of a JSON Schema that the dashboard reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  /** For example `pence`. */
  readonly 'x-busbar-unit'?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** Event versions by catalogue name; empty until loaded. */
export const catalogue = signal<ReadonlyMap<string, CatalogueEvent>>(new Map());

export async function loadCatalogue(): Promise<void> {
  const events = await getJson<readonly CatalogueEvent[]>('/dashboard/catalogue');
  if (events !== undefined) catalogue.value = new Map(events.map((event) => [event.name, event]));
}

const schemas = new Map<string, Promise<Schema | undefined>>();

/** Returns the schema at a path of the server, which is fetched once; undefined until loaded. */
export function useSchema(path: string): Schema | undefined {
  return useLoaded(() => {
    const schema = schemas.get(path) ?? getJson<Schema>(path);
    schemas.set(path, schema);
    return schema;
  }, [path]);
}

/** Returns the schema of an event; undefined until loaded, and for an unknown event. */
export function useEventSchema(name: string): Schema | undefined {
  return useSchema(`/dashboard/catalogue/${encodeURIComponent(name)}`);
}
