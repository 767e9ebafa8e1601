import { type Definitions, unusable } from '../additions.js';
import type { Definition } from '../references.js';
import { componentName, numberFormats } from '../export/components.js';
import { decoded, type JsonSchema, mapReferences, mapSchemas } from '../schema.js';
import { defined } from '../../src/base/defined.js';
import { memberPointer, stepsOf } from '../../src/base/json-pointer.js';

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
  const others = ['/$defs', '/definitions', '/schemas'].flatMap((pointer) => partsAt(document, pointer));
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
  /** Returns the schema in an object with its format; undefined for any other object. */
  const inFormat = (owner: Part, { pointer, value }: Part): Part | undefined => {
    const { schemaFormat = owner.value['schemaFormat'] } = value;
    if (typeof schemaFormat === 'string' && !/asyncapi|schema\+(json|yaml)/.test(schemaFormat)) {
      const why = `its "schemaFormat" is "${schemaFormat}". Write a JSON Schema.`;
      throw unusable({ schema: {}, name: owner.name, place, pointer: owner.pointer }, why);
    }
    return 'schemaFormat' in value ? schemaOf(document, partAt(document, `${pointer}/schema`)) : undefined;
  };
  const found = messages.filter(({ value }) => value !== absent).map((message) => target(document, message));
  const payloads = found.map((found): Payload => {
    const message = withTraits(document, found);
    const payload = schemaOf(document, partAt(document, `${message.pointer}/payload`));
    const { name, messageId } = message.value;
    const title = [name, messageId].find((each) => typeof each === 'string') ?? message.name;
    return { ...(inFormat(message, payload) ?? payload), name: title, message: message.value };
  });
  const schemas = partsAt(document, '/components/schemas').map((part) => ({
    ...(inFormat(part, part) ?? part),
    name: part.name,
  }));
  return definitionsOf(document, place, payloads, schemas);
}

/** Returns a message with the members of its traits that it lacks. */
function withTraits(document: JsonSchema, message: Part): Part {
  const traits = partsAt(document, `${message.pointer}/traits`).map((trait) => target(document, trait).value);
  return { ...message, value: Object.assign({}, ...traits, message.value) as JsonSchema };
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
    const schema = schemaOf(document, partAt(document, `${content.pointer}/schema`));
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
  const start = `${document.$id ?? ''}#`;
  /** Returns the reference of a document, to a component as `#/$defs/<Shape>`. */
  const rename = (reference: string) =>
    (reference.startsWith(start) ? reference.slice(start.length - 1) : reference).replace(
      /^#\/components\/schemas\//,
      '#/$defs/',
    );
  const byPointer = new Map(payloads.map((payload) => [`${payload.pointer} ${payload.name}`, payload]));
  const events = [...byPointer.values()].map(({ pointer, name, value, message }): Definition => {
    if (value === absent) {
      const missing = 'it has no schema. Add it.';
      const elsewhere = `it refers to "${message.$ref ?? ''}". Write all parts in one file.`;
      throw unusable({ schema: {}, name, place, pointer }, message.$ref === undefined ? missing : elsewhere);
    }
    const { 'x-busbar-key': key, 'x-event-version': ofAll } = document;
    const [, type = name, version = ofAll] = nameWithVersion.exec(name) ?? [];
    const usual = { 'x-event-type': type, 'x-event-version': version, 'x-busbar-key': key };
    const schema = defined({ description: message['summary'], ...usual, ...value, ...marksOf(message) });
    return { schema: inDefinitions(schema as JsonSchema, rename), place, pointer };
  });
  const referred = new Set<string>();
  for (const schema of [...events.map((each) => each.schema), ...schemas.map(({ value }) => value)])
    mapReferences(schema, (reference) => (referred.add(decoded(rename(reference))), reference));
  const pointers = new Set(payloads.map(({ pointer }) => pointer));
  const shapes = schemas
    .filter(({ pointer }) => !pointers.has(pointer) || referred.has(rename(`#${pointer}`)))
    .map(
      ({ name, value, pointer }): Definition => ({
        schema: inDefinitions(value, rename),
        place,
        pointer,
        name: componentName(name),
      }),
    );
  if (events.length + shapes.length === 0)
    throw unusable(
      { schema: {}, name: place, place },
      'it has no events. Add a message, a webhook or a schema.',
    );
  return { events, shapes };
}

/** A name that ends with a version: `tariff.changed-v1`. */
const nameWithVersion = /^(.+)[-._/](v\d+(?:\.\d+)*|\d+\.\d+\.\d+)$/;

const marks = ['x-event-type', 'x-event-version', 'x-group', 'x-busbar-key', 'x-busbar-override'];

function marksOf(message: JsonSchema): JsonSchema {
  return defined(Object.fromEntries(marks.map((mark) => [mark, message[mark]])));
}

function inDefinitions(schema: JsonSchema, rename: (reference: string) => string): JsonSchema {
  const referring = mapReferences(schema, rename);
  return mapSchemas(referring, (each) => {
    const { format, ...others } = each;
    return format === numberFormats[String(each['type'])] ? others : each;
  }) as JsonSchema;
}

/** The value of a part that a document lacks. */
const absent: JsonSchema = {};

function partAt(document: JsonSchema, pointer: string): Part {
  let value: unknown = document;
  const names = stepsOf(pointer);
  for (const name of names) value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return { pointer, name: names.at(-1) ?? '', value: isObject(value) ? value : absent };
}

function partsAt(document: JsonSchema, pointer: string): Part[] {
  const names = Object.keys(partAt(document, pointer).value);
  return names.map((name) => partAt(document, memberPointer(pointer, name)));
}

/** Follows the references of a part inside its document. */
function target(document: JsonSchema, part: Part, isEnd = (_value: JsonSchema) => false): Part {
  const seen = new Set<string>();
  let found = part;
  while (found.value.$ref?.startsWith('#/') && !isEnd(found.value) && !seen.has(found.pointer)) {
    seen.add(found.pointer);
    found = partAt(document, decoded(found.value.$ref.slice(1)));
  }
  return found;
}

/** Follows the references of a schema up to one with further keywords. */
function schemaOf(document: JsonSchema, part: Part): Part {
  return target(document, part, (value) => Object.keys(value).length > 1);
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
