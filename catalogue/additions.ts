import { BusbarError, quoted } from '../src/base/errors.js';
import { type CatalogueEvent, domainOf, type EventIndex, makeEvent } from './event-index.js';
import { usualKey } from './key-entities.js';
import { grouped } from '../src/base/grouped.js';
import { memberPointer } from '../src/base/json-pointer.js';
import { didYouMean, nearest } from '../src/base/nearest.js';
import { isObject } from '../src/base/options.js';
import {
  dialect,
  type Documents,
  type JsonSchema,
  mapReferences,
  mapSchemas,
  pointerTo,
  shapesInPlace,
} from './schema.js';

/** A schema of the user. */
export interface Definition {
  readonly schema: JsonSchema;
  /** Where it is defined: `"own/tariff.json"`, or `events[0]` in code. */
  readonly place: string;
  /** JSON pointer to it in a file with several. */
  readonly pointer?: string;
  /** Name of a shape. Default: the end of its `$id`, its title, or the name of its file. */
  readonly name?: string;
  /** Name of the file without `.json`. */
  readonly file?: string;
  /** URI of the file. */
  readonly uri?: string;
}

/** Schemas of the user. */
export interface Definitions {
  readonly events: readonly Definition[];
  readonly shapes: readonly Definition[];
}

/** Events and shapes of the user, which extend or replace those of the built-in catalogue. */
export interface Additions {
  readonly events: ReadonlyMap<string, CatalogueEvent>;
  /** Names of the shapes, the built-in ones included. */
  readonly shapes: ReadonlySet<string>;
  /** Returns their documents. @throws BusbarError `invalid-schema` */
  readonly documents: () => Documents;
  /** The definitions that they come from, by name. */
  readonly sources: ReadonlyMap<string, Named>;
}

type Named = Definition & {
  readonly name: string;
  /** Its URIs: that of its place, and its `$id`. */
  readonly uris?: readonly string[];
};

/**
 * Reads schemas in the form of the files in `catalogue/events` and `catalogue/shapes`. A `$ref` is the URI of a shape,
 * else `<any path or URL>/<Shape or file>.json`, the same with `#/$defs/<definition>`, or `#/$defs/<Shape>`; a schema's
 * own `$defs` become shapes named `<its name>.<definition>`. Without `x-busbar-key` an event has the key of the built-in
 * versions of its type, else `account`.
 * @throws BusbarError `invalid-schema`
 */
export function readAdditions(
  definitions: Definitions,
  builtIn: { readonly shapes: readonly string[]; readonly events: EventIndex },
): Additions {
  const named = definitions.shapes.map(current).map((shape) => located({ ...shape, name: shapeName(shape) }));
  const namedShapes = distinct(named, builtIn.shapes);
  const namedEvents = definitions.events
    .map(current)
    .map((event) => located({ ...event, ...eventName(event) }));
  const sources = new Map<string, Named>();
  for (const each of namedShapes) add(each, builtIn.shapes.includes(each.name), sources);
  for (const each of namedEvents) add(each, builtIn.events.named(each.name) !== undefined, sources);
  const shapes = new Set([
    ...builtIn.shapes,
    ...namedShapes.map(({ name }) => name),
    ...[...sources].flatMap(([name, { schema }]) =>
      Object.keys(schema.$defs ?? {}).map((key) => partName(name, key)),
    ),
  ]);
  const events = namedEvents.map((each) => [each.name, describe(each, builtIn.events)] as const);
  let documents: Documents | undefined;
  return {
    events: new Map(events),
    shapes,
    documents: () => (documents ??= resolve(namedEvents, namedShapes, targetsIn(sources, shapes), sources)),
    sources,
  };
}

/** Returns a definition with its URIs. One of several in a file has a part of the URI of the file. */
function located<T extends Named>(definition: T): T {
  const { place, uri = `file:///${place}`, pointer, name, schema } = definition;
  const own = pointer === undefined ? absolute('', uri) : partUri(uri, name);
  const id = typeof schema.$id === 'string' ? absolute(schema.$id, uri) : own;
  return { ...definition, uris: [...new Set([id, own])] };
}

/** Returns the URI of a reference that is relative to another URI, with `#/$defs/` for `#/definitions/`. */
function absolute(reference: string, base: string): string {
  const uri = URL.canParse(reference, base) ? new URL(reference, base).href : reference;
  return uri.replace('#/definitions/', '#/$defs/').replace(/#$/, '');
}

/** Returns the URI of a definition in another. */
function partUri(uri: string, key: string): string {
  return absolute(`${uri}${uri.includes('#') ? '' : '#'}/$defs/${key}`, uri);
}

/** Returns the shapes, several of one name with the folders that distinguish them: `v1.address`, `v2.address`. */
function distinct(shapes: readonly Named[], builtIn: readonly string[]): Named[] {
  const lengthened = (shape: Named, depth: number): Named => {
    const path = (shape.uris?.[0] ?? '').replace(/(\.json)?#\/\$defs/, '').split('/');
    return { ...shape, name: partName(path.slice(-1 - depth, -1).join('.'), shape.name) };
  };
  return [...grouped(shapes, ({ name }) => name)].flatMap(([name, group]) => {
    if (group.length === 1 || builtIn.includes(name)) return group;
    const choices = [1, 2, 3, 4].map((depth) => group.map((shape) => lengthened(shape, depth)));
    return choices.find((each) => new Set(each.map(({ name }) => name)).size === each.length) ?? group;
  });
}

const earlierDialect = /^https?:\/\/json-schema\.org\/(draft-0[67]|draft\/2019-09)\/schema#?$/;

/** Returns a schema of an earlier draft in the present one. Lists in `items` are rejected later, by the compiler. */
function current(definition: Definition): Definition {
  if (!isObject(definition.schema)) return definition;
  const { $schema, definitions, $defs, ...schema } = definition.schema;
  const isEarlier = typeof $schema === 'string' && earlierDialect.test($schema);
  if (!isEarlier && definitions === undefined) return definition;
  const parts = definitions === undefined ? $defs : { ...(definitions as object), ...$defs };
  const present = {
    ...schema,
    ...($schema !== undefined && !isEarlier && { $schema }),
    ...(parts && { $defs: parts }),
  };
  const rename = (reference: string) => reference.replace(/^#\/definitions\//, '#/$defs/');
  return { ...definition, schema: mapReferences(present, rename) };
}

/** Names of shapes by their URIs, and by the ends of references to them. A text that fits several shapes has none. */
type Targets = ReadonlyMap<string, string | undefined>;

/** Returns the names of shapes by themselves, by their URIs, and by the files that define them. */
function targetsIn(sources: Additions['sources'], shapes: ReadonlySet<string>): Targets {
  const targets = new Map<string, string | undefined>();
  for (const [name, { file, pointer, schema, uris = [] }] of sources) {
    const files = file === undefined ? [] : [file];
    const wholes = pointer === undefined ? files : files.map((each) => partName(each, name));
    const texts = [...wholes, ...uris].map((text) => [text, name] as const);
    const parts = Object.keys(schema.$defs ?? {}).flatMap((key) =>
      [...files.map((each) => partName(each, key)), ...uris.map((uri) => partUri(uri, key))].map(
        (text) => [text, partName(name, key)] as const,
      ),
    );
    for (const [text, shape] of [...texts, ...parts])
      if (shapes.has(shape)) targets.set(text, targets.has(text) ? undefined : shape);
  }
  for (const shape of shapes) targets.set(shape, shape);
  return targets;
}

function resolve(
  events: readonly Named[],
  shapes: readonly Named[],
  targets: Targets,
  sources: Additions['sources'],
): Documents {
  const found: Record<string, JsonSchema> = {};
  for (const shape of shapes) found[shape.name] = read(shape, targets, found);
  const documents = events.map((event) => [event.name, read(event, targets, found)] as const);
  for (const name of Object.keys(found)) {
    if (!shapesInPlace(name, found).has(name)) continue;
    const why = 'it refers to itself without a property between. Move the "$ref" into a property.';
    throw unusable(sourceOf(name, sources), why);
  }
  return { events: Object.fromEntries(documents), shapes: found };
}

/** Returns the document of a schema, and adds the shapes of its `$defs`. */
function read(definition: Named, targets: Targets, shapes: Record<string, JsonSchema>): JsonSchema {
  const { name, schema } = definition;
  const { $schema, $id: _, $defs = {}, ...rest } = schema;
  if ($schema !== undefined && $schema !== dialect) {
    const why = `its "$schema" is ${JSON.stringify($schema)}. Write it in JSON Schema 2020-12 ("${dialect}").`;
    throw unusable(definition, why);
  }
  if (!isObject($defs)) throw unusable(definition, 'its "$defs" is not an object. Write a JSON Schema.');
  const resolve = (each: JsonSchema) => resolveReferences(each, definition, targets);
  for (const [key, each] of Object.entries($defs)) shapes[partName(name, key)] = resolve(each);
  return resolve(rest);
}

/** Adds a definition to the others. @throws BusbarError `invalid-schema` for a second definition of a name */
function add(definition: Named, isBuiltIn: boolean, sources: Map<string, Named>): void {
  const { name, schema } = definition;
  const other = sources.get(name);
  if (other !== undefined) {
    const advice = 'x-event-type' in schema ? '' : ', or give it another "$id" and refer to that';
    throw unusable(definition, `it is in ${whereIs(other)}, too. Remove one of them${advice}.`);
  }
  const replaces = schema['x-busbar-override'] === true;
  if (isBuiltIn && !replaces) {
    const why = 'it is in the built-in catalogue, too. Rename it, or replace the built-in one';
    throw unusable(definition, `${why} with "x-busbar-override": true.`);
  }
  if (replaces && !isBuiltIn) {
    const why = 'it replaces nothing, because the built-in catalogue lacks it. Correct its name';
    throw unusable(definition, `${why}, or remove "x-busbar-override".`);
  }
  sources.set(name, definition);
}

/** Returns the definition of an event or a shape, which can be one of the `$defs` of another. */
export function sourceOf(name: string, sources: Additions['sources']): Named {
  for (const [owner, source] of sources) {
    const parts = Object.keys(source.schema.$defs ?? {});
    const part = parts.find((key) => partName(owner, key) === name);
    if (part === undefined && owner !== name) continue;
    const inside = part === undefined ? '' : memberPointer('/$defs', part);
    return { ...source, name: owner, pointer: `${source.pointer ?? ''}${inside}` };
  }
  return { schema: {}, place: 'the built-in catalogue', name, pointer: '' };
}

/** Returns the name of a shape that is one of the `$defs` of an event or a shape, without characters that references escape. */
function partName(owner: string, key: string): string {
  return `${owner}.${key}`.replaceAll(/[^\p{L}\p{N}_.-]/gu, '_');
}

/** Rejects versions of one event type with different keys. @throws BusbarError `invalid-schema` */
export function rejectMixedKeys({ events, sources }: Additions, index: EventIndex): void {
  for (const [name, event] of events) {
    const other = index
      .versionsOf(event.type)
      .map((version) => index.find(event.type, version))
      .find((each) => each?.key !== event.key);
    if (other === undefined) continue;
    const keys = `its "x-busbar-key" is "${event.key}", that of "${other.name}" is "${other.key}"`;
    const why = `${keys}. Use one key for all versions of an event type.`;
    throw unusable(sourceOf(name, sources), why);
  }
}

function describe(
  definition: Named & { readonly type: string; readonly version: string },
  builtIn: EventIndex,
): CatalogueEvent {
  const { type, version, schema } = definition;
  const { 'x-group': group, 'x-busbar-key': key } = schema;
  if (key !== undefined && (typeof key !== 'string' || key === '')) {
    const why = 'its "x-busbar-key" must be a word. Name the entity of the partition key, such as "account".';
    throw unusable(definition, why);
  }
  const [builtInVersion = version] = builtIn.versionsOf(type);
  const sibling = builtIn.find(type, builtInVersion);
  return makeEvent(
    type,
    version,
    typeof group === 'string' ? group : (sibling?.group ?? domainOf(type)),
    key ?? sibling?.key ?? usualKey,
  );
}

function eventName(definition: Definition): { type: string; version: string; name: string } {
  const { schema, place } = definition;
  requireObject(definition);
  for (const mark of ['x-event-type', 'x-event-version']) {
    if (typeof schema[mark] === 'string' && schema[mark] !== '') continue;
    const why = `it has no "${mark}". Add it, such as "x-event-type": "account.created" and "x-event-version": "v1".`;
    const names: unknown[] = [schema['x-event-type'], schema.$id, schema.title];
    const name = names.find((each): each is string => typeof each === 'string' && each !== '');
    throw unusable({ ...definition, name: name ?? place }, why);
  }
  const [type, version] = [schema['x-event-type'] as string, schema['x-event-version'] as string];
  return { type, version, name: `${type}-${version}` };
}

function shapeName(definition: Definition): string {
  const { schema, place, file } = definition;
  requireObject(definition);
  const names: unknown[] = [definition.name, endOf(schema.$id), schema.title, file];
  const name = names.find((each): each is string => typeof each === 'string' && /^[\w.-]+$/.test(each));
  if (name !== undefined) return name;
  const why = 'it has no name. Give it an "$id" of letters, digits, dots, dashes and underscores.';
  throw unusable({ ...definition, name: place }, why);
}

/** Returns the last part of a path or a URL, without `.json`. */
function endOf(id: unknown): string | undefined {
  return typeof id === 'string' ? /([^/#]*?)(?:\.json)?#?$/.exec(id)?.[1] : undefined;
}

function resolveReferences(schema: JsonSchema, definition: Named, targets: Targets): JsonSchema {
  const {
    name,
    schema: { $defs = {} },
    uris = [],
  } = definition;
  if (!isObject(schema))
    throw unusable(definition, 'one of its "$defs" is not an object. Write a JSON Schema.');
  const byId = new Map(
    Object.entries($defs).map(([key, each]) => [isObject(each) ? each.$id : undefined, key]),
  );
  const referring = mapReferences(schema, (reference) => {
    const [, local = byId.get(reference)] = /^#\/\$defs\/([^/]+)$/.exec(reference) ?? [];
    if (local !== undefined && Object.hasOwn($defs, local)) return `#/$defs/${partName(name, local)}`;
    const meant = uris.map((uri) => targets.get(absolute(reference, uri))).find((each) => each !== undefined);
    if (meant !== undefined) return `#/$defs/${meant}`;
    const shape = local ?? (reference === '#' ? name : /#./.test(reference) ? undefined : endOf(reference));
    const [, file, part = ''] = /^([^#]+)#\/(?:\$defs|definitions)\/([^/]+)$/.exec(reference) ?? [];
    const text = file === undefined ? shape : partName(endOf(file) ?? '', part);
    const target = targets.get(text ?? reference);
    if (target !== undefined) return `#/$defs/${target}`;
    const guesses = didYouMean(
      nearest(
        shape ?? reference,
        [...new Set(targets.values())].flatMap((each) => each ?? []),
      ),
    );
    const why = `it refers to "${reference}", which is not a shape. Refer to a shape as "#/$defs/<Shape>".${guesses}`;
    throw unusable(definition, why, pointerTo(definition.schema, '$ref', reference));
  });
  return mapSchemas(referring, plain) as JsonSchema;
}

/**
 * Returns a schema without `$id`, which would change the meaning of references below it, and that accepts `null` for
 * `nullable` of OpenAPI 3.0. Next to other keywords than `type`, ajv rejects it.
 */
function plain(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { $id: _, nullable, ...rest } = schema;
  if (nullable !== true) return rest;
  const types = [rest['type'] ?? []].flat();
  if (types.length > 0) return { ...rest, type: [...new Set([...types, 'null'])] };
  const { description, ...limits } = rest;
  return { ...(description !== undefined && { description }), anyOf: [limits, { type: 'null' }] };
}

function requireObject(definition: Definition): void {
  if (!isObject(definition.schema)) {
    throw unusable(
      { ...definition, name: definition.place },
      'it is not an object. Pass the parsed JSON Schema.',
    );
  }
}

/** Returns the error of a schema that cannot be used. `pointer` is relative to the schema. */
export function unusable(definition: Named, why: string, pointer = ''): BusbarError {
  const label = definition.name === definition.place ? '' : ` "${definition.name}"`;
  const where = whereIs(definition, pointer);
  return new BusbarError('invalid-schema', `The schema${label} in ${where} cannot be used: ${why}`);
}

/** Returns the error of a path that cannot be read. */
export function unreadable(path: string, cause: unknown): BusbarError {
  const { code = String(cause) } = cause as NodeJS.ErrnoException;
  const message = `Catalogue ${quoted(path)} cannot be read: ${code}. Name a file or a folder of schemas.`;
  return new BusbarError('invalid-option', message, { cause });
}

function whereIs({ place, pointer: base = '' }: Definition, pointer = ''): string {
  return base + pointer === '' ? place : `${place} at "${base}${pointer}"`;
}
