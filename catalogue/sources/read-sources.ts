import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type Definitions, unreadable, unusable } from '../additions.js';
import type { Definition } from '../references.js';
import { isUtf16, withoutByteOrderMark } from '../../src/base/byte-order-mark.js';
import { BusbarError, quoted } from '../../src/base/errors.js';
import { builtInCatalogue } from '../catalogue.js';
import type { JsonSchema } from '../schema.js';
import { brokenLine } from './broken-line.js';
import { readDocument } from './documents.js';

/**
 * Reads schemas from files. A file has one schema in the form of the files in `catalogue/events` and `catalogue/shapes`, or
 * is an exported document with several.
 * @throws BusbarError `invalid-option` for a file that cannot be read, `invalid-schema`
 */
export function readSources(files: readonly string[], directory: string): Definitions {
  const read = files.map((file) => readSource(file, directory));
  return {
    events: read.flatMap(({ events = [] }) => events),
    shapes: read.flatMap(({ shapes = [] }) => shapes),
  };
}

/** Leaves out the built-in definitions, which exports contain. */
export async function withoutBuiltIn({ events, shapes }: Definitions): Promise<Definitions> {
  if (![...events, ...shapes].some(({ pointer }) => pointer !== undefined)) return { events, shapes };
  const builtIn = await builtInCatalogue().documents();
  const isOwn = ({ schema, pointer, name }: Definition) => {
    const event = builtIn.events[`${String(schema['x-event-type'])}-${String(schema['x-event-version'])}`];
    const other = name === undefined ? event : builtIn.shapes[name];
    return pointer === undefined || !isDeepStrictEqual(schema, other);
  };
  return { events: events.filter(isOwn), shapes: shapes.filter(isOwn) };
}

/** @throws BusbarError `invalid-schema` for an event of a new type without `x-busbar-key` */
export function requireKeys({ events }: Definitions): void {
  const builtIn = builtInCatalogue();
  for (const definition of events) {
    const { 'x-event-type': type, 'x-busbar-key': key } = definition.schema;
    if (key !== undefined || typeof type !== 'string' || builtIn.hasType(type)) continue;
    const why = 'it has no "x-busbar-key". Add it, such as "x-busbar-key": "account".';
    throw unusable({ ...definition, name: type }, why);
  }
}

function readSource(file: string, directory: string): Partial<Definitions> {
  const place = quoted(file.replaceAll('\\', '/'));
  const path = resolve(directory, file);
  const document = parse(textOf(bytesOf(path, file), place), place);
  const uri = pathToFileURL(path).href;
  const inFile = (definition: Definition) => ({ ...definition, uri, file: basename(file, '.json') });
  if (typeof document['schema'] === 'string') {
    const why = `it is a string, as schema registries return it. Save it as a file: jq -r .schema ${file} > schema.json`;
    throw unusable({ schema: {}, name: place, place, pointer: '/schema' }, why);
  }
  const several = readDocument(document, place);
  if (several !== undefined)
    return { events: several.events.map((each) => ({ ...each, uri })), shapes: several.shapes.map(inFile) };
  const { 'x-event-type': type, 'x-event-version': version } = document;
  const definition = inFile({ schema: document, place });
  if (type !== undefined || version !== undefined) return { events: [definition] };
  return { shapes: [definition] };
}

function textOf(bytes: Buffer, place: string): string {
  const text = bytes.toString();
  if (isUtf8(bytes) && !isUtf16(text)) return withoutByteOrderMark(text);
  const problem = isUtf16(text) ? 'is in UTF-16' : 'is not in UTF-8';
  throw new BusbarError('invalid-schema', `File ${place} ${problem}. Save it as UTF-8.`);
}

function bytesOf(file: string, name: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

function parse(text: string, place: string): JsonSchema {
  try {
    const value = JSON.parse(text) as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as JsonSchema;
  } catch (cause) {
    const problem = `is not JSON at line ${brokenLine(text)}. Correct that line.`;
    throw new BusbarError('invalid-schema', `File ${place} ${problem}`, { cause });
  }
  throw new BusbarError('invalid-schema', `File ${place} is not an object. Write a JSON Schema.`);
}
