import { domainOf } from '../event-index.js';
import { isKeyEntity, keyEntities } from '../key-entities.js';
import { dialect, type JsonSchema, mapReferences } from '../schema.js';
import type { Source, Sources } from './load.js';

/** Returns the problems of the sources, one sentence each, beginning with the file. */
export function checkSources({ events, shapes }: Sources): string[] {
  const known = new Set(shapes.map(({ path }) => path));
  return [
    ...events.flatMap((event) => complaints(event, [...eventRules(event), ...commonRules(event, known)])),
    ...shapes.flatMap((shape) => complaints(shape, [...shapeRules(shape), ...commonRules(shape, known)])),
    ...repeatedTitles([...events, ...shapes]),
    ...mixedKeys(events),
  ];
}

type Rule = readonly [holds: boolean, complaint: string];

function complaints({ path }: Source, rules: readonly Rule[]): string[] {
  return rules.filter(([holds]) => !holds).map(([, complaint]) => `catalogue/${path}: ${complaint}`);
}

function eventRules({ path, schema }: Source): Rule[] {
  const [type, version] = [schema['x-event-type'], schema['x-event-version']];
  if (typeof type !== 'string' || typeof version !== 'string') {
    return [[false, '"x-event-type" and "x-event-version" are both required.']];
  }
  const expected = `events/${domainOf(type)}/${type}-${version}.json`;
  return [
    [path === expected, `must be catalogue/${expected}.`],
    [schema.$id === `${type}-${version}`, `"$id" must be "${type}-${version}".`],
    [typeof schema['x-group'] === 'string', '"x-group" must name the group the event belongs to.'],
    [
      isKeyEntity(schema['x-busbar-key']),
      `"x-busbar-key" must say what the partition key names: ${Object.keys(keyEntities).join(', ')}.`,
    ],
  ];
}

function shapeRules({ path, schema }: Source): Rule[] {
  return [
    [path === `shapes/${schema.$id ?? ''}.json`, '"$id" must be the name of the file.'],
    [schema.title === schema.$id, '"title" must be the same as "$id".'],
  ];
}

function commonRules({ path, schema }: Source, known: ReadonlySet<string>): Rule[] {
  const shapes = path.startsWith('shapes/') ? './' : '../../shapes/';
  const references: Rule[] = [];
  mapReferences(schema, (reference) => {
    references.push([
      reference.startsWith(shapes) && known.has(`shapes/${reference.slice(shapes.length)}`),
      `"$ref": "${reference}" must be "${shapes}<Shape>.json", and name a file of catalogue/shapes.`,
    ]);
    return reference;
  });
  return [
    [schema.$schema === dialect, `"$schema" must be "${dialect}".`],
    [/^[A-Z]\w*$/.test(schema.title ?? ''), '"title" must be a name for a type, such as "AccountCreatedV1".'],
    [typeof schema.description === 'string', '"description" must say what happened.'],
    [schema.type === 'object', '"type" must be "object".'],
    [
      !hasCrowdedReference(schema),
      '"$ref" must be the only keyword: with others, the generator duplicates types.',
    ],
    ...unknownKeywords(schema).map(
      (keyword): Rule => [false, `"${keyword}" is a keyword that the generator does not know.`],
    ),
    ...undescribedFields(schema).map((field): Rule => [false, `field "${field}" needs a "description".`]),
    ...references,
  ];
}

/** Returns the fields without a description. A shape that a field refers to has its own. */
function undescribedFields({ properties = {}, items }: JsonSchema): string[] {
  return [
    ...Object.entries(properties).flatMap(([name, field]) =>
      field.description === undefined && field.$ref === undefined ? [name] : undescribedFields(field),
    ),
    ...(items ? undescribedFields(items) : []),
  ];
}

const marks = [
  '$schema',
  '$id',
  'title',
  'x-event-type',
  'x-event-version',
  'x-group',
  'x-busbar-key',
  'x-busbar-decision',
  'allOf',
];

/** Returns the keywords that the generated validators would ignore. */
function unknownKeywords({ properties = {}, items, ...schema }: JsonSchema, top = true): string[] {
  const known = ['type', 'required', 'description', 'x-busbar-unit', '$ref', ...(top ? marks : [])];
  const nested = [...Object.values(properties), ...(items ? [items] : [])];
  return [
    ...Object.keys(schema).filter((keyword) => !known.includes(keyword)),
    ...nested.flatMap((each) => unknownKeywords(each, false)),
  ];
}

function hasCrowdedReference(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if ('$ref' in value && Object.keys(value).length > 1) return true;
  return Object.values(value).some(hasCrowdedReference);
}

function repeatedTitles(sources: readonly Source[]): string[] {
  const first = new Map<string, string>();
  return sources.flatMap(({ path, schema: { title = '' } }) => {
    const other = first.get(title);
    first.set(title, path);
    return other === undefined
      ? []
      : [`catalogue/${path}: "title" "${title}" is taken by catalogue/${other}.`];
  });
}

/** Returns the events whose key differs from other versions of their type: all versions of an occurrence have one key. */
function mixedKeys(events: readonly Source[]): string[] {
  const first = new Map<unknown, unknown>();
  return events.flatMap(({ path, schema }) => {
    const [type, key] = [schema['x-event-type'], schema['x-busbar-key']];
    if (!first.has(type)) first.set(type, key);
    return first.get(type) === key
      ? []
      : [`catalogue/${path}: "x-busbar-key" must be "${String(first.get(type))}", as in the other versions.`];
  });
}
