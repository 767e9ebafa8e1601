import { computed, effect } from '@preact/signals';
import type { CatalogueEvent } from 'busbar/catalogue';
import { useEffect } from 'preact/hooks';
import { type Query, query, useEarlier } from './query.js';
import { fetchJson, restarts } from './requests.js';

/** The members of a JSON Schema that the dashboard reads. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  /** For example `pence`. */
  readonly 'x-busbar-unit'?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  /** False for a list that has only the items of `prefixItems`. */
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly required?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly $defs?: Readonly<Record<string, Schema>>;
}

const events = query<readonly CatalogueEvent[]>(() => fetchJson('/dashboard/catalogue'), { period: 'once' });
events.watch();

/** Event versions by catalogue name; empty until loaded. */
export const catalogue = computed<ReadonlyMap<string, CatalogueEvent>>(
  () => new Map(events.loaded.value.value?.map((event) => [event.name, event])),
);

const schemas = new Map<string, Query<Schema>>();

// Another emulator may have other events.
effect(() => {
  if (restarts.value === 0) return;
  schemas.clear();
  events.refresh();
});

/**
 * Returns the schema at a path of the server, which is fetched once for each emulator; undefined until loaded. That of the
 * emulator before stays meanwhile: fields keep their kind and the focus.
 */
export function useSchema(path: string): Schema | undefined {
  const schema = schemas.get(path) ?? query<Schema>(() => fetchJson(path), { period: 'once' });
  schemas.set(path, schema);
  useEffect(schema.watch, [schema]);
  const { state, value } = schema.loaded.value;
  const known = useEarlier(path, value);
  return state === 'missing' ? undefined : known;
}

/** Returns the schema of an event; undefined until loaded, and for an unknown event. */
export function useEventSchema(name: string): Schema | undefined {
  return useSchema(`/dashboard/catalogue/${encodeURIComponent(name)}`);
}
