import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, normalize, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { type Definition, type Definitions, unusable } from '../additions.js';
import { BusbarError } from '../../src/base/errors.js';
import { quoted } from '../../src/base/quoted.js';
import { openCatalogue } from '../open.js';
import type { JsonSchema } from '../schema.js';
import { brokenLine } from './broken-line.js';
import { readDocument } from './documents.js';

/**
 * Reads schemas from files, and from all JSON files in folders. A file has one schema in the form of the files in
 * `catalogue/events` and `catalogue/shapes`, or is an exported document with several.
 * @param directory Folder that the paths are relative to.
 * @throws BusbarError `invalid-option` for a path that cannot be read, `invalid-schema`
 */
export function readSources(paths: readonly string[], directory: string): Definitions {
  const files = paths.flatMap((path) => filesOf(path, directory));
  const read = [...new Set(files)].map((file) => readSource(file, directory));
  return {
    events: read.flatMap(({ events = [] }) => events),
    shapes: read.flatMap(({ shapes = [] }) => shapes),
  };
}

/** Leaves out the built-in definitions, which exports contain. */
export async function withoutBuiltIn({ events, shapes }: Definitions): Promise<Definitions> {
  if (![...events, ...shapes].some(({ pointer }) => pointer !== undefined)) return { events, shapes };
  const builtIn = await openCatalogue().documents();
  const isOwn = ({ schema, pointer, name }: Definition) => {
    const event = builtIn.events[`${String(schema['x-event-type'])}-${String(schema['x-event-version'])}`];
    const other = name === undefined ? event : builtIn.shapes[name];
    return pointer === undefined || !isDeepStrictEqual(schema, other);
  };
  return { events: events.filter(isOwn), shapes: shapes.filter(isOwn) };
}

/** @throws BusbarError `invalid-schema` for an event of a new type without `x-busbar-key` */
export function requireKeys({ events }: Definitions): void {
  const builtIn = openCatalogue();
  for (const definition of events) {
    const { 'x-event-type': type, 'x-busbar-key': key } = definition.schema;
    if (key !== undefined || typeof type !== 'string' || builtIn.hasType(type)) continue;
    const why = 'it has no "x-busbar-key". Add it, such as "x-busbar-key": "account".';
    throw unusable({ ...definition, name: type }, why);
  }
}

function filesOf(path: string, directory: string): string[] {
  if (/^[a-z]+:\/\//i.test(path)) {
    const advice = `Download it: curl -o catalogue.json ${path}`;
    throw new BusbarError(
      'invalid-option',
      `A catalogue is a file or a folder, not ${quoted(path)}. ${advice}`,
    );
  }
  const names = namesIn(resolve(directory, path), path);
  const files = names?.map((name) => join(path, name)) ?? [normalize(path)];
  for (const file of files) {
    const converted = file.replace(/\.ya?ml$/i, '.json');
    if (files.includes(converted)) continue;
    const advice = `Convert it: npx js-yaml ${file} > ${converted}`;
    throw new BusbarError('invalid-option', `Busbar does not read YAML, as in ${quoted(file)}. ${advice}`);
  }
  const schemas = names === undefined ? files : files.filter((file) => file.endsWith('.json'));
  if (schemas.length > 0) return schemas;
  const message = `Folder ${quoted(path)} has no schemas. Add one: busbar catalogue new my.event-v1`;
  throw new BusbarError('invalid-option', message);
}

/** Returns the names of the files in a folder; undefined for a file. */
function namesIn(absolute: string, path: string): string[] | undefined {
  try {
    if (!statSync(absolute).isDirectory()) return undefined;
    return readdirSync(absolute, { recursive: true, encoding: 'utf8' }).sort();
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function readSource(file: string, directory: string): Partial<Definitions> {
  const place = quoted(file.replaceAll('\\', '/'));
  const document = parse(readText(resolve(directory, file), file), place);
  const several = readDocument(document, place);
  if (several !== undefined) return several;
  const { 'x-event-type': type, 'x-event-version': version } = document;
  const definition: Definition = { schema: document, place };
  return type === undefined && version === undefined ? { shapes: [definition] } : { events: [definition] };
}

function readText(file: string, name: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

function parse(text: string, place: string): JsonSchema {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonSchema;
  } catch (cause) {
    const message = `File ${place} is not JSON at line ${brokenLine(text)}. Correct that line.`;
    throw new BusbarError('invalid-schema', message, { cause });
  }
  throw new BusbarError('invalid-schema', `File ${place} is not an object. Write a JSON Schema.`);
}

function unreadable(path: string, cause: unknown): BusbarError {
  const { code = String(cause) } = cause as NodeJS.ErrnoException;
  const message = `Catalogue ${quoted(path)} cannot be read: ${code}. Name a file or a folder of schemas.`;
  return new BusbarError('invalid-option', message, { cause });
}
