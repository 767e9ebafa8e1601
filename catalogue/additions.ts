import { BusbarError, quoted } from '../src/base/errors.js';
import { type CatalogueEvent, domainOf, type EventIndex, makeEvent } from './event-index.js';
import { usualKey } from './key-entities.js';
import { grouped } from '../src/base/grouped.js';
import { memberPointer, stepsOf } from '../src/base/json-pointer.js';
import { didYouMean, nearest } from '../src/base/nearest.js';
import { isObject } from '../src/base/options.js';
import { type Definition, finderIn, type Located, type Named, type Place, schemaAt } from './references.js';
import {
  dialect,
  type Documents,
  type JsonSchema,
  maps,
  mapSchemas,
  type SchemaPlace,
  shapesInPlace,
  uriIn,
} from './schema.js';

/** Schemas of the user. */
export interface Definitions {
  readonly events: readonly Definition[];
  readonly shapes: readonly Definition[];
}

/** Events and shapes of the user, which extend or replace those of the built-in catalogue. */
export interface Additions {
  readonly events: ReadonlyMap<string, CatalogueEvent>;
  /** Names of the shapes, the built-in ones included. @throws BusbarError `invalid-schema` */
  readonly shapes: ReadonlySet<string>;
  /** Returns their documents. @throws BusbarError `invalid-schema` */
  readonly documents: () => Documents;
  /** The definitions that they come from, by name. */
  readonly sources: ReadonlyMap<string, Named>;
}

/**
 * Reads schemas in the form of the files in `catalogue/events` and `catalogue/shapes`. A `$ref` is the URI of any schema,
 * else `<any path or URL>/<Shape or file>.json`, the same with `#/$defs/<definition>`, or `#/$defs/<Shape>`; a schema's
 * own `$defs`, and other schemas in it with references, become shapes named `<its name>.<definition>`. Without
 * `x-busbar-key` an event has the key of the built-in versions of its type, else `account`.
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
  const events = namedEvents.map((each) => [each.name, describe(each, builtIn.events)] as const);
  let documents: Documents | undefined;
  const resolved = () => (documents ??= resolve(namedEvents, namedShapes, builtIn.shapes, sources));
  return {
    events: new Map(events),
    get shapes() {
      return new Set([...builtIn.shapes, ...Object.keys(resolved().shapes)]);
    },
    documents: resolved,
    sources,
  };
}

/** Returns a definition with the URI of its file. */
function located<T extends Definition>(definition: T): T & { readonly uri: string } {
  const { place, uri = `file:///${place}` } = definition;
  return { ...definition, uri: uriIn('', uri) };
}

/** Returns the shapes, several of one name with the folders that distinguish them: `v1.address`, `v2.address`. */
function distinct(shapes: readonly Located[], builtIn: readonly string[]): Located[] {
  const lengthened = (shape: Located, depth: number): Located => {
    const { uri, pointer, schema } = shape;
    const own = pointer === undefined ? uri : `${uri.replace(/(\.json)?$/, '')}/${shape.name}`;
    const path = (typeof schema.$id === 'string' ? uriIn(schema.$id, uri) : own).split('/');
    return { ...shape, name: partName(path.slice(-1 - depth, -1).join('.'), shape.name) };
  };
  return [...grouped(shapes, ({ name }) => name)].flatMap(([name, group]) => {
    if (group.length === 1 || builtIn.includes(name)) return group;
    const choices = [1, 2, 3, 4].map((depth) => group.map((shape) => lengthened(shape, depth)));
    return choices.find((each) => new Set(each.map(({ name }) => name)).size === each.length) ?? group;
  });
}

/** Returns a schema with `$defs` for the `definitions` of an earlier draft. */
function current(definition: Definition): Definition {
  if (!isObject(definition.schema) || definition.schema['definitions'] === undefined) return definition;
  const { definitions, $defs, ...schema } = definition.schema;
  return { ...definition, schema: { ...schema, $defs: { ...(definitions as object), ...$defs } } };
}

function resolve(
  events: readonly Located[],
  shapes: readonly Located[],
  builtIn: readonly string[],
  sources: Map<string, Named>,
): Documents {
  const found: Record<string, JsonSchema> = {};
  const names = new Map<string, string>();
  const open: (Place & { readonly name: string })[] = [];
  /** Returns the name of the shape at a place: that of the definition, or of a part of it. */
  const nameAt = ({ owner, pointer }: Place): string => {
    if (pointer === '' && !('x-event-type' in owner.schema)) return owner.name;
    const key = `${owner.name}#${pointer}`;
    const words = stepsOf(pointer).filter((step) => !maps.includes(step));
    const usual = partName(owner.name, words.join('.') || 'self');
    let name = names.get(key) ?? usual;
    if (names.has(key)) return name;
    for (let count = 2; sources.has(name) || builtIn.includes(name); count++) name = `${usual}_${count}`;
    names.set(key, name);
    sources.set(name, { ...owner, pointer: `${owner.pointer ?? ''}${pointer}` });
    open.push({ name, owner, pointer });
    return name;
  };
  const definitions = [...shapes, ...events];
  for (const owner of definitions) {
    const { $schema, $defs = {} } = owner.schema;
    if (!isKnown($schema)) {
      const why = `its "$schema" is ${JSON.stringify($schema)}. Write it in JSON Schema 2020-12 ("${dialect}").`;
      throw unusable(owner, why);
    }
    if (!isObject($defs)) throw unusable(owner, 'its "$defs" is not an object. Write a JSON Schema.');
    for (const key of Object.keys($defs)) nameAt({ owner, pointer: memberPointer('/$defs', key) });
  }
  const byText = shapesByText(definitions, builtIn, nameAt);
  const find = finderIn(definitions);
  const read = (place: Place) =>
    readAt(place, (reference, base, pointer) => {
      const { owner } = place;
      const inDefinition = reference.replace('#', `#${owner.pointer ?? ''}`);
      // A reference may be relative to the file, or to the definition.
      const found =
        find(reference, base, owner) ??
        find(reference, owner.uri, owner) ??
        find(inDefinition, owner.uri, owner);
      if (found === undefined && /^\d+\//.test(reference)) {
        const why = `it refers to "${reference}", which is a relative pointer. Generate references from the root: "#/properties/<field>".`;
        throw unusable(owner, why, memberPointer(pointer, '$ref'));
      }
      const text = endOf(reference);
      const name = found === undefined ? byText.get(text ?? reference) : nameAt(found);
      if (name !== undefined) return name;
      const names = [...new Set(byText.values())].flatMap((each) => each ?? []);
      const guesses = didYouMean(nearest(text ?? reference, names));
      const why = `it refers to "${reference}", which is not a shape. Refer to a shape as "#/$defs/<Shape>".${guesses}`;
      throw unusable(owner, why, memberPointer(pointer, '$ref'));
    });
  for (const owner of shapes) found[owner.name] = read({ owner, pointer: '' });
  const documents = events.map((owner) => [owner.name, read({ owner, pointer: '' })] as const);
  // Reading a part may find others.
  for (const part of open) found[part.name] = part.pointer === '' ? unmarked(read(part)) : read(part);
  for (const name of Object.keys(found)) {
    if (!shapesInPlace(name, found).has(name)) continue;
    const why = 'it refers to itself without a property between. Move the "$ref" into a property.';
    throw unusable(sourceOf(name, sources), why);
  }
  return { events: Object.fromEntries(documents), shapes: found };
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

/** Returns the definition of an event or a shape, which can be a part of another. */
export function sourceOf(name: string, sources: Additions['sources']): Named {
  return sources.get(name) ?? { schema: {}, place: 'the built-in catalogue', name, pointer: '' };
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

/** Returns the last part of a path or a URL, without `.json`. With a definition: `file.definition`. */
function endOf(reference: unknown): string | undefined {
  if (typeof reference !== 'string') return undefined;
  const [, end = '', part] =
    /^(?:[^#]*\/)?([^/#]*?)(?:\.json)?(?:#(?:\/(?:\$defs|definitions|components\/schemas)\/([^/]+))?)?$/.exec(
      reference,
    ) ?? [];
  return part === undefined || end === '' ? (part ?? end) : partName(end, part);
}

/** Returns the names of shapes by the ends of references to them. A string that fits several shapes has none. */
function shapesByText(
  definitions: readonly Located[],
  builtIn: readonly string[],
  nameAt: (place: Place) => string,
): ReadonlyMap<string, string | undefined> {
  const names = new Map<string, string | undefined>();
  const own = new Set(builtIn);
  for (const owner of definitions) {
    const { name, file, pointer, schema } = owner;
    const parts = Object.keys(schema.$defs ?? {}).map(
      (key) => [key, nameAt({ owner, pointer: memberPointer('/$defs', key) })] as const,
    );
    const isShape = !('x-event-type' in schema);
    for (const each of [...(isShape ? [name] : []), ...parts.map(([, part]) => part)]) own.add(each);
    if (file === undefined) continue;
    const whole = pointer === undefined ? file : partName(file, name);
    const texts = parts.map(([key, part]) => [partName(file, key), part] as const);
    for (const [text, shape] of isShape ? [[whole, name] as const, ...texts] : texts)
      names.set(text, names.has(text) ? undefined : shape);
  }
  for (const name of own) names.set(name, name);
  return names;
}

/** Whether a schema is of a known draft. */
function isKnown($schema: unknown): boolean {
  const earlier = /^https?:\/\/json-schema\.org\/(draft-0[467]|draft\/2019-09)\/schema#?$/;
  return (
    $schema === undefined || $schema === dialect || (typeof $schema === 'string' && earlier.test($schema))
  );
}

/**
 * Returns the schema at a place in the present dialect, with `#/$defs/<Shape>` for each reference.
 * @param shapeAt Returns the shape of a reference relative to a URI. `pointer` is that of its schema.
 */
function readAt(
  place: Place,
  shapeAt: (reference: string, base: string, pointer: string) => string,
): JsonSchema {
  const { schema, base } = schemaAt(place);
  if (typeof schema === 'boolean') return schema ? {} : { not: {} };
  if (!isObject(schema))
    throw unusable(place.owner, 'one of its "$defs" is not an object. Write a JSON Schema.');
  const { $schema: _, $defs: __, ...rest } = schema;
  const change = (each: JsonSchema, { pointer, base }: SchemaPlace) =>
    present(
      typeof each.$ref === 'string'
        ? { ...each, $ref: `#/$defs/${shapeAt(each.$ref, base, pointer)}` }
        : each,
    );
  return mapSchemas(rest, change, { pointer: place.pointer, base }) as JsonSchema;
}

/** Returns the schema of an event that contains itself, as a shape. */
function unmarked(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).filter(([key]) => !/^(title|x-(event|group|busbar).*)$/.test(key)),
  );
}

/**
 * Returns a schema without the keywords that references have been resolved by, and with the present ones for those of
 * earlier drafts and of OpenAPI: `prefixItems` for a list of items, numbers for exclusive limits, and `null` for `nullable`
 * (3.0) and `x-nullable` (2.0), which ajv rejects next to other keywords than `type`.
 */
function present(schema: JsonSchema): JsonSchema {
  const { $id: _, $anchor: __, $defs: ___, definitions: ____, nullable, ...marked } = schema;
  const { 'x-nullable': isNullable = nullable, ...others } = marked;
  let rest: JsonSchema = others;
  if (Array.isArray(rest.items)) {
    const { items: prefixItems, additionalItems: items, ...unlisted } = rest;
    rest = { ...unlisted, prefixItems, ...(items !== undefined && { items: items as JsonSchema }) };
  }
  for (const [exclusive, limit] of exclusiveLimits) {
    const { [exclusive]: is, [limit]: value, ...unlimited } = rest;
    if (typeof is === 'boolean')
      rest = { ...unlimited, ...(value !== undefined && { [is ? exclusive : limit]: value }) };
  }
  if (isNullable !== true) return rest;
  const types = [rest.type ?? []].flat();
  if (types.length > 0) return { ...rest, type: [...new Set([...types, 'null'])] };
  const { description, ...limits } = rest;
  return { ...(description !== undefined && { description }), anyOf: [limits, { type: 'null' }] };
}

const exclusiveLimits = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

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
