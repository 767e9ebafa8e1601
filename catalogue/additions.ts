import { BusbarError } from '../src/base/errors.js';
import { type CatalogueEvent, domainOf, type EventIndex, makeEvent } from './event-index.js';
import { usualKey } from './key-entities.js';
import { didYouMean, nearest } from '../src/base/nearest.js';
import { dialect, type JsonSchema, mapReferences } from './schema.js';

/** Events and shapes of the user, which extend or replace those of the built-in catalogue. */
export interface Additions {
  readonly events: ReadonlyMap<string, { readonly event: CatalogueEvent; readonly document: JsonSchema }>;
  readonly shapes: Readonly<Record<string, JsonSchema>>;
}

/**
 * Reads schemas in the form of the files in `catalogue/events` and `catalogue/shapes`. A `$ref` is
 * `<any path>/<Shape>.json` or `#/$defs/<Shape>`; a schema's own `$defs` become shapes named
 * `<its name>.<definition>`. Without `x-busbar-key` an event has the key of the built-in versions of its type, else
 * `account`.
 * @throws BusbarError `invalid-schema`
 */
export function readAdditions(
  { events = [], shapes = [] }: { events?: readonly JsonSchema[]; shapes?: readonly JsonSchema[] },
  builtIn: { readonly shapes: readonly string[]; readonly events: EventIndex },
): Additions {
  const namedShapes = shapes.map((schema, index) => ({ schema, name: shapeName(schema, index) }));
  const namedEvents = events.map((schema, index) => ({ schema, ...eventName(schema, index) }));
  const named = [...namedShapes, ...namedEvents];
  rejectDuplicates(named.map(({ name }) => name));
  const known = new Set([
    ...builtIn.shapes,
    ...namedShapes.map(({ name }) => name),
    ...named.flatMap(({ schema, name }) => Object.keys(schema.$defs ?? {}).map((key) => `${name}.${key}`)),
  ]);

  const readShapes: Record<string, JsonSchema> = {};
  const read = (name: string, { $schema, $id: _, $defs = {}, ...rest }: JsonSchema): JsonSchema => {
    if ($schema !== undefined && $schema !== dialect) {
      throw unusable(name, `its "$schema" is "${$schema}". Write it in JSON Schema 2020-12 ("${dialect}").`);
    }
    const resolve = (schema: JsonSchema) => resolveReferences(schema, name, Object.keys($defs), known);
    for (const [key, definition] of Object.entries($defs)) readShapes[`${name}.${key}`] = resolve(definition);
    return resolve(rest);
  };
  for (const { name, schema } of namedShapes) readShapes[name] = read(name, schema);
  const readEvents = namedEvents.map(({ name, type, version, schema }) => {
    const document = read(name, schema);
    return [name, { event: describe(type, version, document, builtIn.events), document }] as const;
  });
  return { events: new Map(readEvents), shapes: readShapes };
}

/** Rejects versions of one event type with different keys. @throws BusbarError `invalid-schema` */
export function rejectMixedKeys({ events }: Additions, index: EventIndex): void {
  for (const [name, { event }] of events) {
    const other = index
      .versionsOf(event.type)
      .map((version) => index.find(event.type, version))
      .find((each) => each?.key !== event.key);
    if (other === undefined) continue;
    const keys = `its "x-busbar-key" is "${event.key}", that of "${other.name}" is "${other.key}"`;
    throw unusable(name, `${keys}. Use one key for all versions of an event type.`);
  }
}

function describe(
  type: string,
  version: string,
  { description, ...schema }: JsonSchema,
  builtIn: EventIndex,
): CatalogueEvent {
  const { 'x-group': group, 'x-busbar-key': key } = schema;
  if (key !== undefined && (typeof key !== 'string' || key === '')) {
    throw unusable(
      `${type}-${version}`,
      'its "x-busbar-key" is not a word. Name the entity of the partition key, such as "account".',
    );
  }
  const [builtInVersion = version] = builtIn.versionsOf(type);
  return makeEvent(
    type,
    version,
    typeof group === 'string' ? group : domainOf(type),
    key ?? builtIn.find(type, builtInVersion)?.key ?? usualKey,
    description ?? '',
  );
}

function eventName(schema: JsonSchema, index: number): { type: string; version: string; name: string } {
  if (!isObject(schema))
    throw unusable(`events[${index}]`, 'it is not an object. Pass the parsed JSON Schema.');
  const label = schema.$id ?? schema.title ?? `events[${index}]`;
  for (const mark of ['x-event-type', 'x-event-version']) {
    if (typeof schema[mark] !== 'string' || schema[mark] === '') {
      throw unusable(
        label,
        `it has no "${mark}". Add it, such as "x-event-type": "account.created" and "x-event-version": "v1".`,
      );
    }
  }
  const [type, version] = [schema['x-event-type'] as string, schema['x-event-version'] as string];
  return { type, version, name: `${type}-${version}` };
}

function shapeName(schema: JsonSchema, index: number): string {
  if (!isObject(schema))
    throw unusable(`shapes[${index}]`, 'it is not an object. Pass the parsed JSON Schema.');
  const name = schema.$id ?? schema.title;
  if (typeof name !== 'string' || !/^[\w.-]+$/.test(name)) {
    throw unusable(
      `shapes[${index}]`,
      'it has no name. Give it an "$id" of letters, digits, dots, dashes and underscores.',
    );
  }
  return name.replace(/\.json$/, '');
}

function rejectDuplicates(names: readonly string[]): void {
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) throw unusable(duplicate, 'it exists twice. Remove one of them.');
}

function resolveReferences(
  schema: JsonSchema,
  owner: string,
  ownDefinitions: readonly string[],
  known: ReadonlySet<string>,
): JsonSchema {
  if (!isObject(schema)) throw unusable(owner, 'one of its "$defs" is not an object. Write a JSON Schema.');
  return mapReferences(schema, (reference) => {
    const match = /^#\/\$defs\/([^/]+)$|^(?:[^#]*\/)?([^/#]+)\.json$/.exec(reference);
    const [, definition, file] = match ?? [];
    if (definition !== undefined && ownDefinitions.includes(definition))
      return `#/$defs/${owner}.${definition}`;
    const shape = definition ?? file;
    if (shape !== undefined && known.has(shape)) return `#/$defs/${shape}`;
    throw new BusbarError(
      'invalid-schema',
      `The schema "${owner}" refers to "${reference}", which is not a shape.` +
        ` Refer to a shape as "#/$defs/<Shape>".${didYouMean(nearest(shape ?? reference, [...known]))}`,
    );
  });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unusable(name: string, why: string): BusbarError {
  return new BusbarError('invalid-schema', `The schema "${name}" cannot be used: ${why}`);
}
