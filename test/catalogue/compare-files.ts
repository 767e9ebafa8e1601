import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { EventFact, Facts, Field } from './resolve-facts.js';

/** A schema as it lies on disk, by its path inside `catalogue/`. */
export type Files = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

const dialect = 'https://json-schema.org/draft/2020-12/schema';
const marks = ['$schema', '$id', 'title', 'description', 'x-busbar-decision'];
const body = ['type', 'properties', 'required', 'allOf'];

/** Every file of `events/` and `shapes/` below a catalogue folder. */
export function readFiles(catalogue: string): Files {
  const paths = ['events', 'shapes'].flatMap((folder) =>
    readdirSync(join(catalogue, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.json'))
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  );
  return new Map(
    paths.map((path) => [
      path,
      JSON.parse(readFileSync(join(catalogue, path), 'utf8')) as Record<string, unknown>,
    ]),
  );
}

/** Returns the differences between the facts and the files, one sentence each. */
export function compareFiles(facts: Facts, files: Files): string[] {
  const expected = new Map<string, EventFact | readonly Field[]>([
    ...facts.events.map((event) => [eventPath(event), event] as const),
    ...[...facts.shapes].map(([name, fields]) => [`shapes/${name}.json`, fields] as const),
  ]);
  const missing = [...expected.keys()]
    .filter((path) => !files.has(path))
    .map((path) => `${path} is missing.`);
  const found = [...files].flatMap(([path, schema]) => {
    const fact = expected.get(path);
    if (fact === undefined) return [`${path} is in no line of the facts.`];
    const differences = 'fields' in fact ? compareEvent(fact, schema) : compareShape(fact, schema, path);
    return differences.map((difference) => `${path}: ${difference}`);
  });
  return [...missing, ...found];
}

/** Undotted types go by their first two words, all others by what stands before the first dot. */
function eventPath({ type, version }: EventFact): string {
  const folder = type.includes('.') ? type.replace(/\..*$/, '') : type.split('_').slice(0, 2).join('_');
  return `events/${folder}/${type}-${version}.json`;
}

function compareEvent(fact: EventFact, schema: Readonly<Record<string, unknown>>): string[] {
  const differences = [
    ...compareHead(schema, `${fact.type}-${fact.version}`),
    ...differs('x-event-type', schema['x-event-type'], fact.type),
    ...differs('x-event-version', schema['x-event-version'], fact.version),
    ...differs('x-group', schema['x-group'], fact.group),
    ...strangeKeywords(schema, [
      ...marks,
      ...body,
      'x-event-type',
      'x-event-version',
      'x-group',
      'x-busbar-key',
    ]),
  ];
  if (fact.payload === undefined)
    return [...differences, ...compareFields(fact.fields, schema, '../../shapes/')];
  const whole = [{ $ref: `../../shapes/${fact.payload}.json` }];
  return [
    ...differences,
    ...differs('allOf', schema.allOf, whole),
    ...differs('properties', schema.properties, undefined),
    ...differs('required', schema.required, undefined),
  ];
}

function compareShape(
  fields: readonly Field[],
  schema: Readonly<Record<string, unknown>>,
  path: string,
): string[] {
  return [
    ...compareHead(schema, basename(path, '.json')),
    ...differs('title', schema.title, basename(path, '.json')),
    ...differs('folder', dirname(path), 'shapes'),
    ...strangeKeywords(schema, [...marks, ...body]),
    ...compareFields(fields, schema, './'),
  ];
}

function compareHead(schema: Readonly<Record<string, unknown>>, id: string): string[] {
  return [
    ...differs('$schema', schema.$schema, dialect),
    ...differs('$id', schema.$id, id),
    ...differs('type', schema.type, 'object'),
    ...(typeof schema.title === 'string' ? [] : ['has no title']),
    ...(typeof schema.description === 'string' ? [] : ['has no description']),
  ];
}

function compareFields(
  fields: readonly Field[],
  schema: Readonly<Record<string, unknown>>,
  shapes: string,
): string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, unknown>);
  const wanted = fields.map((field) => `${field.name} ${JSON.stringify(typeSchema(field.type, shapes))}`);
  const written = properties.map(([name, property]) => `${name} ${JSON.stringify(withoutNotes(property))}`);
  const required = fields.filter((field) => field.required).map((field) => field.name);
  return [
    ...differs('allOf', schema.allOf, undefined),
    ...differs('properties', written, wanted),
    ...differs('required', schema.required ?? [], required),
  ];
}

/** Returns the only schema that a type may have: anything more would be an unspecified constraint. */
function typeSchema(type: string, shapes: string): object {
  const item = /^\[(.*)\]$/.exec(type)?.[1];
  if (item !== undefined) return { type: 'array', items: typeSchema(item, shapes) };
  return /^[A-Z]/.test(type) ? { $ref: `${shapes}${type}.json` } : { type };
}

/** A field may have only a type, a description and a unit, or only a `$ref`. */
function withoutNotes(property: unknown): unknown {
  if (typeof property !== 'object' || property === null || '$ref' in property) return property;
  const { description: _, 'x-busbar-unit': _unit, ...rest } = property as Record<string, unknown>;
  return rest;
}

function strangeKeywords(schema: Readonly<Record<string, unknown>>, known: readonly string[]): string[] {
  return Object.keys(schema)
    .filter((keyword) => !known.includes(keyword))
    .map((keyword) => `has a keyword "${keyword}"`);
}

function differs(what: string, actual: unknown, wanted: unknown): string[] {
  if (JSON.stringify(actual) === JSON.stringify(wanted)) return [];
  if (!Array.isArray(actual) || !Array.isArray(wanted)) {
    return [`${what} is ${JSON.stringify(actual)}, not ${JSON.stringify(wanted)}`];
  }
  const at = Array.from({ length: Math.max(actual.length, wanted.length) }).findIndex(
    (_, index) => JSON.stringify(actual[index]) !== JSON.stringify(wanted[index]),
  );
  return [`${what}[${at}] is ${JSON.stringify(actual[at])}, not ${JSON.stringify(wanted[at])}`];
}
