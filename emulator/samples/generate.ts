import { BusbarError } from 'busbar/base';
import type { JsonSchema } from 'busbar/catalogue';
import type { RandomStream } from '../engine/random.js';
import { asType, matches, meets, numberAt } from './constraints.js';
import { type FieldPath, formatFieldPath, isWithin, readField } from './field-path.js';
import { viewWith } from './field-at.js';
import type { ListLength, Override } from './fit.js';
import { invented, type Surroundings } from './invented.js';
import { type FieldType, itemOf, propertyOf, type Shapes, tupleOf, view } from './schema-view.js';

interface Draft extends Surroundings {
  readonly eventType: string;
  readonly shapes: Shapes;
  /** Optional fields: some by chance, none, or all. */
  readonly fields: 'usual' | 'minimal' | 'full';
  readonly overrides: readonly Override[];
  readonly lengths: readonly ListLength[];
  /** Returns the random stream of a field. */
  random(path: string): RandomStream;
}

/** Likelihood of an optional field. */
const optionalShare = 0.7;

/** Depth below which a recursive schema gets no optional fields. */
const deepest = 6;
/** Depth at which a recursive schema is rejected. */
const endless = 40;

/** Draws of an item of a list whose items are unique, of the name of a property, and of a value that `not` limits. */
const maxTries = 100;

/** Generates a payload by the schema: each value is the override, else the played value, else one by name and schema. */
export function generate(draft: Draft, schema: JsonSchema, played: unknown): Record<string, unknown> {
  const { schema: seen, type } = viewWith(draft.overrides, schema, draft.shapes);
  const isOther = seen.type !== undefined && type !== 'object';
  const payload = isOther ? valueOf(draft, schema, [], played) : allowed(draft, seen, [], played, objectOf);
  return payload as Record<string, unknown>;
}

function valueOf(draft: Draft, schema: JsonSchema, path: FieldPath, played: unknown): unknown {
  const wanted = draft.overrides
    .filter((each) => isWithin(each.path, path))
    .map((each) => ({ path: each.path.slice(path.length), value: each.value }));
  const override = wanted.find((each) => each.path.length === 0);
  if (override !== undefined) return override.value;
  const isDeep = played === undefined && path.length > deepest;
  const { schema: seen, type } = viewWith(wanted, schema, draft.shapes, isDeep);
  if (type === 'array') return allowed(draft, seen, path, played, listOf);
  const { properties, minProperties, required } = seen;
  const hasFields = (properties ?? minProperties ?? required) !== undefined || isMap(seen, played);
  if (type === 'object' && hasFields) return allowed(draft, seen, path, played, objectOf);
  return allowed(draft, seen, path, played, (...values) => leafOf(type, ...values));
}

type Make<T> = (draft: Draft, schema: JsonSchema, path: FieldPath, played: unknown) => T;

/** Makes a value that the schema's `not` allows: the usual one, else one with few fields, else others. */
function allowed<T>(draft: Draft, schema: JsonSchema, path: FieldPath, played: unknown, make: Make<T>): T {
  const { not } = schema;
  const isAllowed = (value: T) => not === undefined || !matches(value, not as JsonSchema, draft.shapes);
  const usual = make(draft, schema, path, played);
  if (isAllowed(usual)) return usual;
  for (let tries = 1; tries <= maxTries; tries++) {
    const fields = tries === 1 ? 'minimal' : draft.fields;
    const value = make({ ...another(draft, tries), fields }, schema, path, undefined);
    if (isAllowed(value)) return value;
  }
  const ofOtherTypes =
    schema.type === undefined && schema.properties === undefined ? [1, true, null, {}, []] : [];
  for (const value of ofOtherTypes as T[]) if (isAllowed(value) && meets(value, schema)) return value;
  throw impossible(draft, path, 'its "not" excludes too much');
}

/** Returns a draft that draws other values. */
function another(draft: Draft, tries: number): Draft {
  return { ...draft, random: (text) => draft.random(`${text} ${tries}`) };
}

function objectOf(
  draft: Draft,
  schema: JsonSchema,
  path: FieldPath,
  played: unknown,
): Record<string, unknown> {
  if (path.length > endless) {
    throw new BusbarError(
      'invalid-schema',
      `"${draft.eventType}" contains itself endlessly at "${formatFieldPath(path).slice(0, 100)}". Make a field on the way optional.`,
    );
  }
  const { required = [] } = schema;
  const isPossible = ([, field]: [string, JsonSchema | boolean]) =>
    field !== false && JSON.stringify((field as JsonSchema).not) !== '{}';
  const properties = Object.fromEntries(Object.entries(schema.properties ?? {}).filter(isPossible));
  const result: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(properties), ...required])) {
    const field = [...path, name];
    const value = readField(played, [name]);
    const isUsual = played === undefined || value !== undefined;
    if (!required.includes(name) && !isPresent(draft, field, isUsual)) continue;
    result[name] = valueOf(draft, propertyOf(schema, name) ?? {}, field, value);
  }
  const isSet = draft.overrides.some((each) => isWithin(each.path, path));
  const isFilled = isMap(schema, played) && !isSet && draft.fields !== 'minimal' && path.length <= deepest;
  const entries = isFilled ? draft.random(`${formatFieldPath(path)}{}`).integer(1, 2) : 0;
  const least = Math.max(numberAt(schema, 'minProperties') ?? 0, entries);
  // Invented names may be equal.
  const further = furtherProperties(draft, schema, path, least && least + maxTries);
  for (const [name, field] of [...Object.entries(properties), ...further]) {
    if (Object.keys(result).length >= least) break;
    result[name] ??= valueOf(draft, asSchema(field), [...path, name], undefined);
  }
  return result;
}

/** Whether an object that no scenario sends has only fields that its schema describes without names. */
function isMap(
  { properties, additionalProperties, patternProperties }: JsonSchema,
  played: unknown,
): boolean {
  const isDescribed = typeof additionalProperties === 'object' || patternProperties !== undefined;
  return properties === undefined && isDescribed && played === undefined;
}

/** Returns properties that the schema allows and does not name: those of its patterns first. */
function furtherProperties(
  draft: Draft,
  { patternProperties = {}, propertyNames, additionalProperties }: JsonSchema,
  path: FieldPath,
  count: number,
): (readonly [name: string, field: unknown])[] {
  const places = Array.from({ length: count }, (_, n) => n + 1);
  const inventedNames = (schema: JsonSchema, text: string) =>
    places.flatMap((n) => {
      const random = draft.random(`${formatFieldPath(path)} ${text} ${n}`);
      const name = invented('', { schema, type: 'string' }, random, draft);
      return typeof name === 'string' ? [name] : [];
    });
  const matching = Object.entries(patternProperties as object)
    .filter(([, field]) => field !== false)
    .flatMap(([pattern, field]) => inventedNames({ pattern }, pattern).map((name) => [name, field] as const));
  const usual = places.map((n) => `field_${n}`);
  const names =
    propertyNames === undefined
      ? usual
      : inventedNames(view(asSchema(propertyNames), draft.shapes).schema, '');
  const others = names.map((name) => [name, additionalProperties] as const);
  return additionalProperties === false ? matching : [...matching, ...others];
}

function asSchema(value: unknown): JsonSchema {
  return typeof value === 'object' ? (value as JsonSchema) : {};
}

/** Whether an optional field is present. Overridden fields always are. */
function isPresent(draft: Draft, path: FieldPath, isUsual: boolean): boolean {
  if ([...draft.overrides, ...draft.lengths].some((set) => isWithin(set.path, path))) return true;
  if (draft.fields === 'minimal' || path.length > deepest) return false;
  if (draft.fields === 'full') return true;
  return isUsual && draft.random(`${formatFieldPath(path)}?`).chance(optionalShare);
}

function listOf(draft: Draft, schema: JsonSchema, path: FieldPath, played: unknown): unknown[] {
  const items: readonly unknown[] | undefined = Array.isArray(played) ? played : undefined;
  const set = draft.lengths.find((each) => formatFieldPath(each.path) === formatFieldPath(path))?.length;
  const places = draft.overrides
    .filter((each) => each.path.length > path.length && isWithin(each.path, path))
    .map((each) => Number(each.path[path.length]) + 1);
  const { contains } = schema;
  const contained = contains === undefined ? 0 : (numberAt(schema, 'minContains') ?? 1);
  // After those of a tuple, if there may be more.
  const start = contained === 0 || (schema.items as unknown) === false ? 0 : tupleOf(schema).length;
  const mostContained = numberAt(schema, 'maxContains') ?? Infinity;
  const least = Math.max(numberAt(schema, 'minItems') ?? 0, start + contained, ...places);
  const most = numberAt(schema, 'maxItems') ?? Infinity;
  const fewest = items === undefined || draft.fields === 'full' ? 1 : 0;
  const usual = path.length > deepest ? 0 : Math.max(fewest, items?.length ?? tupleOf(schema).length);
  const length = set ?? Math.max(least, Math.min(usual, most));
  const seen = new Set<string>();
  return Array.from({ length }, (_, index) => {
    const item = itemOf(schema, index) ?? {};
    const isContained = index >= start && index < start + contained;
    const rule = isContained
      ? asSchema(contains)
      : index < mostContained - contained
        ? {}
        : { not: contains };
    const wanted = contains === undefined ? item : { allOf: [item, rule] };
    const at = [...path, index];
    const first = valueOf(draft, wanted, at, items?.[index]);
    if (schema.uniqueItems !== true) return first;
    let value = first;
    for (let tries = 1; seen.has(JSON.stringify(value)); tries++) {
      if (tries > maxTries) throw impossible(draft, path, 'its items must be unique ("uniqueItems")');
      value = valueOf(another(draft, tries), wanted, at, undefined);
    }
    seen.add(JSON.stringify(value));
    return value;
  });
}

function leafOf(
  type: FieldType,
  draft: Draft,
  schema: JsonSchema,
  path: FieldPath,
  played: unknown,
): unknown {
  // Other samples can use the played value.
  const known = asType(typeof played === 'object' ? structuredClone(played) : played, type);
  if (known !== undefined && meets(known, schema)) return known;
  if (played === null && Array.isArray(schema.type) && schema.type.includes('null')) return null;
  const text = formatFieldPath(path);
  const names = path.filter((part) => typeof part === 'string');
  // A number is one of its object: that of an "account" is an account number.
  const words = names.slice(names.at(-1) === 'number' ? -2 : -1).join('_');
  const name = words.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase();
  const value = invented(name, { schema, type }, draft.random(text), draft);
  if (value !== undefined) return value;
  throw impossible(draft, path, 'its limits or its pattern are too hard');
}

function impossible({ eventType }: Draft, path: FieldPath, why: string): BusbarError {
  const message = `No sample can be made for "${formatFieldPath(path)}" of "${eventType}": ${why}. Add "examples" to the schema, or set a value.`;
  return new BusbarError('invalid-schema', message);
}
