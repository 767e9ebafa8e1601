import { type Definition, type Definitions, unusable } from '../additions.js';
import { numberFormats } from '../export/components.js';
import { type JsonSchema, mapObjects, mapReferences } from '../schema.js';
import { memberPointer } from '../../src/base/json-pointer.js';

/**
 * Reads the definitions of a document with several schemas: an export of Busbar, another JSON Schema with `$defs`, an
 * AsyncAPI document or the webhooks of an OpenAPI document. Returns undefined for a file with one schema.
 * @throws BusbarError `invalid-schema`
 */
export function readDocument(document: JsonSchema, place: string): Definitions | undefined {
  if ('asyncapi' in document) return readAsyncApi(document, place);
  if ('openapi' in document) return readOpenApi(document, place);
  const isOne = [
    'x-event-type',
    'x-event-version',
    'type',
    'properties',
    '$ref',
    'allOf',
    'anyOf',
    'oneOf',
  ].some((keyword) => keyword in document);
  return isOne ? undefined : readJsonSchema(document, place);
}

/** A part of a document. */
interface Part {
  readonly pointer: string;
  readonly name: string;
  readonly value: JsonSchema;
}

/** The schema of a payload, and the message or the webhook that has it. */
interface Payload extends Part {
  readonly message: JsonSchema;
}

function readJsonSchema(document: JsonSchema, place: string): Definitions | undefined {
  const events = partsAt(document, '/events');
  const others = ['/$defs', '/definitions'].flatMap((pointer) => partsAt(document, pointer));
  if (events.length + others.length === 0) return undefined;
  const isEvent = ({ name, value }: Part) => 'x-event-type' in value || nameWithVersion.test(name);
  const payloads = [...events, ...others.filter(isEvent)].map((part) => ({ ...part, message: {} }));
  return definitionsOf(document, place, payloads, others);
}

function readAsyncApi(document: JsonSchema, place: string): Definitions {
  requireVersion(document, place, 'asyncapi', /^[23]\.\d/, '2 or 3');
  const channels = partsAt(document, '/channels').map((channel) => target(document, channel));
  const messages = [
    ...partsAt(document, '/components/messages'),
    ...channels.flatMap(({ pointer }) => partsAt(document, `${pointer}/messages`)),
    ...channels.flatMap(({ pointer, name }) =>
      ['publish', 'subscribe'].flatMap((action) => {
        const message = { ...partAt(document, `${pointer}/${action}/message`), name };
        return 'oneOf' in message.value ? partsAt(document, `${message.pointer}/oneOf`) : [message];
      }),
    ),
  ];
  const found = messages.filter(({ value }) => value !== absent).map((message) => target(document, message));
  const payloads = found.map(({ pointer, name, value }): Payload => {
    const payload = target(document, partAt(document, `${pointer}/payload`));
    const { schemaFormat = value['schemaFormat'] } = payload.value;
    if (typeof schemaFormat === 'string' && !/asyncapi|schema\+json/.test(schemaFormat)) {
      const why = `its "schemaFormat" is "${schemaFormat}". Write the payload as a JSON Schema.`;
      throw unusable({ schema: {}, name, place, pointer }, why);
    }
    const inner = partAt(document, `${payload.pointer}/schema`);
    const schema = 'schemaFormat' in payload.value ? target(document, inner) : payload;
    const title = [value['name'], value['messageId']].find((each) => typeof each === 'string');
    return { ...schema, name: title ?? name, message: value };
  });
  return definitionsOf(document, place, payloads, partsAt(document, '/components/schemas'));
}

function readOpenApi(document: JsonSchema, place: string): Definitions {
  requireVersion(document, place, 'openapi', /^3\.[12]\./, '3.1');
  const payloads = partsAt(document, '/webhooks').map((webhook): Payload => {
    const { name } = webhook;
    const { pointer } = target(document, webhook);
    const body = target(document, partAt(document, `${pointer}/post/requestBody`));
    const [content = body] = partsAt(document, `${body.pointer}/content`).filter(({ name }) =>
      /json/.test(name),
    );
    const schema = target(document, partAt(document, `${content.pointer}/schema`));
    return { ...schema, name, message: partAt(document, `${pointer}/post`).value };
  });
  return definitionsOf(document, place, payloads, partsAt(document, '/components/schemas'));
}

/** Returns the events of the payloads, and as shapes the schemas that are not only payloads. */
function definitionsOf(
  document: JsonSchema,
  place: string,
  payloads: readonly Payload[],
  schemas: readonly Part[],
): Definitions {
  const byPointer = new Map(payloads.map((payload) => [`${payload.pointer} ${payload.name}`, payload]));
  const events = [...byPointer.values()].map(({ pointer, name, value, message }): Definition => {
    if (value === absent) throw unusable({ schema: {}, name, place, pointer }, 'it has no schema. Add it.');
    const { 'x-busbar-key': key } = document;
    const [, type = name, version] = nameWithVersion.exec(name) ?? [];
    const usual = { 'x-event-type': type, 'x-event-version': version, 'x-busbar-key': key };
    const schema = definedOf({ description: message['summary'], ...usual, ...value, ...marksOf(message) });
    return { schema: inDefinitions(schema), place, pointer };
  });
  const referred = new Set<string>();
  for (const { schema } of events) mapReferences(schema, (reference) => (referred.add(reference), reference));
  const pointers = new Set(payloads.map(({ pointer }) => pointer));
  const shapes = schemas
    .filter(({ pointer, name }) => !pointers.has(pointer) || referred.has(`#/$defs/${name}`))
    .map(({ name, value, pointer }): Definition => ({ schema: inDefinitions(value), place, pointer, name }));
  return { events, shapes };
}

/** A name that ends with a version: `tariff.changed-v1`. */
const nameWithVersion = /^(.+)[-._/](v\d+(?:\.\d+)*|\d+\.\d+\.\d+)$/;

const marks = ['x-event-type', 'x-event-version', 'x-group', 'x-busbar-key', 'x-busbar-override'];

function marksOf(message: JsonSchema): JsonSchema {
  return definedOf(Object.fromEntries(marks.map((mark) => [mark, message[mark]])));
}

function definedOf(schema: object): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}

function inDefinitions(schema: JsonSchema): JsonSchema {
  const referring = mapReferences(schema, (reference) =>
    reference.replace(/^#\/(components\/schemas|definitions)\//, '#/$defs/'),
  );
  return mapObjects(referring, (each) => {
    const { format, ...others } = each;
    return format === numberFormats[String(each['type'])] ? others : each;
  }) as JsonSchema;
}

/** The value of a part that a document lacks. */
const absent: JsonSchema = {};

function partAt(document: JsonSchema, pointer: string): Part {
  let value: unknown = document;
  const names = pointer.split('/').slice(1).map(unescaped);
  for (const name of names) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return { pointer, name: names.at(-1) ?? '', value: isObject(value) ? value : absent };
}

function partsAt(document: JsonSchema, pointer: string): Part[] {
  const names = Object.keys(partAt(document, pointer).value);
  return names.map((name) => partAt(document, memberPointer(pointer, name)));
}

/** Follows the references of a part inside its document. */
function target(document: JsonSchema, part: Part): Part {
  const seen = new Set<string>();
  let found = part;
  while (found.value.$ref?.startsWith('#/') && !seen.has(found.pointer)) {
    seen.add(found.pointer);
    found = partAt(document, decodeURIComponent(found.value.$ref.slice(1)));
  }
  return found;
}

function requireVersion(
  document: JsonSchema,
  place: string,
  member: string,
  pattern: RegExp,
  use: string,
): void {
  const version = document[member];
  if (typeof version === 'string' && pattern.test(version)) return;
  const why = `its version is ${JSON.stringify(version)}. Use version ${use}.`;
  throw unusable({ schema: {}, name: place, place, pointer: `/${member}` }, why);
}

function isObject(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null;
}

function unescaped(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~');
}
