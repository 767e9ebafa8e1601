import { builtInCatalogue, type Catalogue } from '../../../../catalogue/catalogue.js';
import { dialect, type JsonSchema } from '../../../../catalogue/schema.js';
import { keyOf } from '../key-of.js';
import type { ObservedEvent } from './observed-event.js';
import { acceptsType, type Place, placesOf } from './place.js';

/**
 * Returns a schema, in the form of the catalogue's files, that accepts every payload that was seen, and every payload that
 * the present schema accepts. Undefined where the present schema accepts all of them and names all fields.
 */
export function proposedSchema(observed: ObservedEvent, catalogue: Catalogue): JsonSchema | undefined {
  const { event, root, invalidRoot, document, name } = observed;
  if (event === undefined) {
    if (!isProposable(name)) return undefined;
    const [, type = '', version] = typeAndVersion.exec(name) ?? [];
    return {
      $schema: dialect,
      $id: name,
      'x-event-type': type,
      'x-event-version': version,
      'x-busbar-key': keyOf(type, catalogue),
      ...inferred(root),
    };
  }
  if (observed.findings().length === 0) return undefined;
  const marks = {
    $schema: dialect,
    $id: name,
    'x-event-type': event.type,
    'x-event-version': event.version,
    'x-group': event.group,
    'x-busbar-key': event.key,
    // The proposal for an event of the user replaces its file.
    ...(builtInCatalogue().named(name) !== undefined && { 'x-busbar-override': true }),
  };
  if (invalidRoot !== undefined) {
    if (observed.invalid === 0) return undefined;
    const { $defs, $id: _, $schema: __, ...present } = document;
    return { ...marks, anyOf: [present, inferred(invalidRoot)], ...($defs && { $defs }) };
  }
  return { ...(relaxed(document, changesOf(root)) as JsonSchema), ...marks };
}

/** A wire format with a single name for both: the end is the version. */
const typeAndVersion = /^(.+)-(v?\d+(?:\.\d+)*)$/;

/** Whether an unknown event has a type and a version that are shown. */
export function isProposable(name: string): boolean {
  return typeAndVersion.test(name) && !name.includes('?');
}

/** The places of each schema object. One shape may be at several places. */
function changesOf(root: Place): Map<JsonSchema, Place[]> {
  const bySchema = new Map<JsonSchema, Place[]>();
  for (const place of placesOf(root)) {
    const { schema } = place;
    if (schema !== undefined) bySchema.set(schema, [...(bySchema.get(schema) ?? []), place]);
  }
  return bySchema;
}

/** Returns a copy of a schema that also accepts what was seen at its places. */
function relaxed(schema: unknown, changes: ReadonlyMap<JsonSchema, readonly Place[]>): unknown {
  if (Array.isArray(schema)) return schema.map((each) => relaxed(each, changes));
  if (typeof schema !== 'object' || schema === null) return schema;
  const present = schema as JsonSchema;
  const copy = Object.fromEntries(
    Object.entries(present).map(([keyword, value]) => [keyword, relaxed(value, changes)]),
  ) as JsonSchema;
  const places = changes.get(present) ?? [];
  if (places.length === 0) return copy;
  const seen = places.flatMap(({ types }) => [...types.keys()]);
  const types = new Set([
    ...[present.type ?? []].flat(),
    ...seen.filter((type) => !acceptsType(present, type)),
  ]);
  const isMissing = (field: string) =>
    places.some((place) => (place.fields.get(field)?.count ?? 0) < (place.types.get('object') ?? 0));
  const required = (present.required ?? []).filter((field) => !isMissing(field));
  const { required: _, ...rest } = copy;
  return {
    ...rest,
    ...(types.size > 0 && { type: typeKeyword(types) }),
    ...(present.properties && { properties: { ...copy.properties, ...newProperties(places) } }),
    ...(required.length > 0 && { required }),
  };
}

/** Returns schemas of unknown fields. A field at several places gets one only if it fits all of them. */
function newProperties(places: readonly Place[]): Record<string, JsonSchema> {
  const properties: Record<string, JsonSchema> = {};
  for (const [name, place] of places.flatMap(({ unknown }) => unknown)) {
    properties[name] = Object.hasOwn(properties, name) ? {} : inferred(place);
  }
  return properties;
}

/** Returns a schema of a place that only its values describe. */
function inferred({ types, isCut, isMap, fields, items }: Place): JsonSchema {
  const objects = types.get('object') ?? 0;
  const open = isCut || isMap;
  const named = open ? [] : [...fields];
  const required = named.filter(([, { count }]) => count === objects).map(([name]) => name);
  const names = new Set(types.keys());
  return {
    ...(names.size > 0 && { type: typeKeyword(names) }),
    ...(named.length > 0 && {
      properties: Object.fromEntries(named.map(([name, place]) => [name, inferred(place)])),
    }),
    ...(required.length > 0 && { required }),
    ...(items !== undefined && !isCut && { items: inferred(items) }),
  };
}

function typeKeyword(types: ReadonlySet<string>): string | readonly string[] {
  const names = [...types].filter((type) => type !== 'integer' || !types.has('number'));
  return names.length === 1 ? (names[0] ?? names) : names;
}
