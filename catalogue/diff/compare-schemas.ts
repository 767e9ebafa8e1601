import { isDeepStrictEqual } from 'node:util';
import { memberPointer } from '../../src/base/json-pointer.js';
import { type JsonSchema, shapeOf } from '../schema.js';
import { type Alternative, alternativesOf, isAnnotation, propertyOf } from './alternatives.js';

/** The readers and the writers of events. */
export type Side = 'consumers' | 'producers';

/** The kind of a difference. */
export type DifferenceKind =
  | 'event'
  | 'version'
  | 'key'
  | 'field'
  | 'required'
  | 'type'
  | 'enum'
  | 'format'
  | 'bounds'
  | 'unit'
  | 'rule';

/** A difference of two schemas at one field. */
export interface FieldDifference {
  readonly kind: DifferenceKind;
  /** RFC 6901 pointer to the field; `*` is any item of a list, or any field of a map. */
  readonly pointer: string;
  /** The change, such as `integer or null instead of integer`. */
  readonly change: string;
  /**
   * The sides that the change breaks: consumers where the new schema allows what the old one does not, producers where
   * the old schema allows what the new one does not.
   */
  readonly breaks: readonly Side[];
}

/** Two schemas to compare, each with the shapes that it may refer to. */
export interface Compared {
  readonly shapes: readonly [old: Shapes, young: Shapes];
  /** Called for each place with the same shape on both sides, which is not compared there. */
  readonly sameShape: (pointer: string, shape: string) => void;
  /** The pairs on the way to these schemas: a schema that contains itself has no end. */
  readonly outer?: readonly (readonly unknown[])[];
}

type Shapes = Readonly<Record<string, JsonSchema>>;

/** Returns the differences of two schemas, without those within shapes that both refer to by the same name. */
export function compareSchemas(
  compared: Compared,
  old: JsonSchema,
  young: JsonSchema,
  pointer = '',
): FieldDifference[] {
  if (isDeepStrictEqual(old, young)) {
    eachReference(old, pointer, compared.sameShape);
    return [];
  }
  const { outer = [] } = compared;
  const pair = [old, young];
  if (outer.some((each) => isDeepStrictEqual(each, pair))) return [];
  const inside = { ...compared, outer: [...outer, pair] };
  const before = alternativesOf(old, compared.shapes[0]);
  const after = alternativesOf(young, compared.shapes[1]);
  return [
    ...differentTypes(before, after, pointer),
    ...differentUnits(old, young, pointer),
    ...baseTypes(before).flatMap((type) =>
      compareAlternatives(inside, ofType(before, type), ofType(after, type), pointer),
    ),
  ];
}

/** Calls `found` with the pointer and the shape of each reference. */
function eachReference(schema: JsonSchema, pointer: string, found: Compared['sameShape']): void {
  if (schema.$ref !== undefined) found(pointer, shapeOf(schema.$ref));
  const { properties = {}, items, additionalProperties, allOf, anyOf, oneOf } = schema;
  for (const [name, field] of Object.entries(properties))
    eachReference(field, memberPointer(pointer, name), found);
  for (const each of [items, additionalProperties]) {
    if (typeof each === 'object') eachReference(each as JsonSchema, `${pointer}/*`, found);
  }
  for (const part of [allOf, anyOf, oneOf].flat()) {
    if (typeof part === 'object') eachReference(part as JsonSchema, pointer, found);
  }
}

/** The base type: `number` for `integer`. */
const baseOf = ({ type }: Alternative) => (type === 'integer' ? 'number' : type);
const baseTypes = (alternatives: readonly Alternative[]) => [...new Set(alternatives.map(baseOf))];
const ofType = (alternatives: readonly Alternative[], base: string) =>
  alternatives.filter((each) => baseOf(each) === base);

function differentTypes(
  before: readonly Alternative[],
  after: readonly Alternative[],
  pointer: string,
): FieldDifference[] {
  const typesOf = (each: readonly Alternative[]) => [...new Set(each.map(({ type }) => type))].sort();
  const [old, young] = [typesOf(before), typesOf(after)];
  const hasAll = (types: readonly string[], others: readonly string[]) =>
    others.every((type) => types.includes(type) || (type === 'integer' && types.includes('number')));
  return difference('type', pointer, `${listed(young)} instead of ${listed(old)}`, {
    consumers: !hasAll(old, young),
    producers: !hasAll(young, old),
  });
}

function listed(types: readonly string[]): string {
  return types.length === 6 ? 'any type' : types.join(' or ') || 'no value';
}

function differentUnits(old: JsonSchema, young: JsonSchema, pointer: string): FieldDifference[] {
  const [before, after] = [old, young].map((schema) => schema['x-busbar-unit']);
  const isChanged = before !== undefined && after !== undefined && before !== after;
  return difference('unit', pointer, `"${String(after)}" instead of "${String(before)}"`, {
    consumers: isChanged,
    producers: isChanged,
  });
}

/** Compares the alternatives of one type that are not on both sides: in pairs if as many are old as new, else each with all. */
function compareAlternatives(
  compared: Compared,
  before: readonly Alternative[],
  after: readonly Alternative[],
  pointer: string,
): FieldDifference[] {
  const isIn = (others: readonly Alternative[]) => (one: Alternative) =>
    others.some((other) => isSameShape(one, other) || isDeepStrictEqual(one, other));
  for (const each of before.filter(isIn(after))) eachShape(each, pointer, compared.sameShape);
  const old = before.filter((each) => !isIn(after)(each));
  const young = after.filter((each) => !isIn(before)(each));
  if (old.length === young.length) {
    return old.flatMap((one, index) => comparePair(compared, one, young[index] ?? one, pointer));
  }
  if (before.length === 0 || after.length === 0) return [];
  sharedShapes(old, young, pointer, compared.sameShape);
  const silent = { ...compared, sameShape: () => undefined };
  const covers = (
    others: readonly Alternative[],
    side: Side,
    compare: (other: Alternative) => FieldDifference[],
  ) => others.some((other) => compare(other).every(({ breaks }) => !breaks.includes(side)));
  const isWider = !young.every((each) =>
    covers(before, 'consumers', (other) => comparePair(silent, other, each, pointer)),
  );
  const isNarrower = !old.every((each) =>
    covers(after, 'producers', (other) => comparePair(silent, each, other, pointer)),
  );
  return difference('type', pointer, `${alternatives(after.length)} instead of ${before.length}`, {
    consumers: isWider,
    producers: isNarrower,
  });
}

function alternatives(count: number): string {
  return count === 1 ? '1 alternative' : `${count} alternatives`;
}

function isSameShape(old: Alternative, young: Alternative): boolean {
  return old.shape !== undefined && old.shape === young.shape;
}

/** Calls `found` with the shape of an alternative, or with those within it. */
function eachShape({ shape, schema }: Alternative, pointer: string, found: Compared['sameShape']): void {
  if (shape === undefined) eachReference(schema, pointer, found);
  else found(pointer, shape);
}

/** Calls `found` with the shapes that alternatives of both sides have at the same place. */
function sharedShapes(
  old: readonly Alternative[],
  young: readonly Alternative[],
  pointer: string,
  found: Compared['sameShape'],
): void {
  const known = new Set<string>();
  for (const each of old) eachShape(each, pointer, (at, shape) => known.add(`${at} ${shape}`));
  for (const each of young)
    eachShape(each, pointer, (at, shape) => known.has(`${at} ${shape}`) && found(at, shape));
}

function comparePair(
  compared: Compared,
  old: Alternative,
  young: Alternative,
  pointer: string,
): FieldDifference[] {
  if (isSameShape(old, young)) return [];
  const [before, after] = [old.schema, young.schema];
  if (before.enum !== undefined && after.enum !== undefined) return differentValues(before, after, pointer);
  const inside = {
    array: () => compareSchemas(compared, before.items ?? {}, after.items ?? {}, `${pointer}/*`),
    object: () => compareFields(compared, before, after, pointer),
  }[old.type];
  return [
    ...(inside?.() ?? []),
    ...differentValues(before, after, pointer),
    ...differentFormats(before, after, pointer),
    ...differentBounds(before, after, pointer),
    ...differentRules(before, after, pointer),
  ];
}

function compareFields(
  compared: Compared,
  old: JsonSchema,
  young: JsonSchema,
  pointer: string,
): FieldDifference[] {
  const names = new Set(
    [old, young].flatMap(({ properties = {}, required = [] }) => [...Object.keys(properties), ...required]),
  );
  const [before, after] = [othersIn(old), othersIn(young)];
  return [
    ...[...names].flatMap((name) => compareField(compared, old, young, name, memberPointer(pointer, name))),
    ...difference('field', pointer, 'further fields no longer allowed', {
      producers: before !== false && after === false,
    }),
    ...(typeof before === 'object' || typeof after === 'object'
      ? compareSchemas(compared, before || {}, after || {}, `${pointer}/*`)
      : []),
  ];
}

/** Returns the schema of the fields that an object does not name; undefined for any fields, false for none. */
function othersIn({ additionalProperties: others }: JsonSchema): JsonSchema | false | undefined {
  return others === true ? undefined : (others as JsonSchema | false | undefined);
}

function compareField(
  compared: Compared,
  old: JsonSchema,
  young: JsonSchema,
  name: string,
  pointer: string,
): FieldDifference[] {
  const [was, is] = [isRequired(old, name), isRequired(young, name)];
  const [before, after] = [fieldOf(old, name), fieldOf(young, name)];
  if (before === undefined) {
    return [change('field', pointer, is ? 'added, required' : 'added, optional', { producers: is })];
  }
  if (after === undefined) {
    const isForbidden = othersIn(young) === false;
    const text = was ? 'removed, was required' : 'removed, was optional';
    return [change('field', pointer, text, { consumers: was, producers: isForbidden })];
  }
  return [
    ...difference('required', pointer, is ? 'required instead of optional' : 'optional instead of required', {
      consumers: was && !is,
      producers: is && !was,
    }),
    ...compareSchemas(compared, before, after, pointer),
  ];
}

function isRequired({ required = [] }: JsonSchema, name: string): boolean {
  return required.includes(name);
}

function fieldOf(schema: JsonSchema, name: string): JsonSchema | undefined {
  return propertyOf(schema, name) ?? (othersIn(schema) || (isRequired(schema, name) ? {} : undefined));
}

function differentValues(old: JsonSchema, young: JsonSchema, pointer: string): FieldDifference[] {
  const [before, after] = [old.enum, young.enum] as (unknown[] | undefined)[];
  const without = (values: unknown[] | undefined, others: unknown[] | undefined) =>
    values
      ?.filter((value) => others?.some((other) => isDeepStrictEqual(value, other)) !== true)
      .map((value) => JSON.stringify(value)) ?? [];
  if (before === undefined) {
    return difference('enum', pointer, `only ${without(after, before).join(', ')}`, {
      producers: after !== undefined,
    });
  }
  if (after === undefined) return difference('enum', pointer, 'any value', { consumers: true });
  const [added, removed] = [without(after, before), without(before, after)];
  const changes = Object.entries({ added, removed }).filter(([, values]) => values.length > 0);
  const text = changes.map(([verb, values]) => `${verb} ${values.join(', ')}`).join('; ');
  return difference('enum', pointer, text, {
    consumers: added.length > 0,
    producers: removed.length > 0,
  });
}

function differentFormats(old: JsonSchema, young: JsonSchema, pointer: string): FieldDifference[] {
  const [before = 'none', after = 'none'] = [old.format, young.format] as (string | undefined)[];
  return difference('format', pointer, `${after} instead of ${before}`, {
    consumers: before !== after && before !== 'none',
    producers: before !== after && after !== 'none',
  });
}

/** Keywords of limits: inclusive, exclusive, and the limit without a keyword. */
const limits = [
  ['minimum', 'exclusiveMinimum', -Infinity],
  ['maximum', 'exclusiveMaximum', Infinity],
  ['minLength', '', 0],
  ['maxLength', '', Infinity],
  ['minItems', '', 0],
  ['maxItems', '', Infinity],
  ['minProperties', '', 0],
  ['maxProperties', '', Infinity],
] as const;

function differentBounds(old: JsonSchema, young: JsonSchema, pointer: string): FieldDifference[] {
  return limits.flatMap(([inclusive, exclusive, usual]) => {
    const direction = inclusive.startsWith('min') ? 1 : -1;
    const limitOf = (schema: JsonSchema) => {
      const open = Number(schema[exclusive] ?? usual);
      const closed = Number(schema[inclusive] ?? usual);
      const isOpen = open !== usual && direction * open >= direction * closed;
      const limit = isOpen ? open : closed;
      return { limit, isOpen, text: `${isOpen ? exclusive : inclusive} ${limit}` };
    };
    const [before, after] = [limitOf(old), limitOf(young)];
    const byLimit = direction * (after.limit - before.limit) || Number(after.isOpen) - Number(before.isOpen);
    return difference('bounds', pointer, `${after.text} instead of ${before.text}`, {
      consumers: byLimit < 0,
      producers: byLimit > 0,
    });
  });
}

const compareds = new Set<string>([
  ...limits.flatMap(([inclusive, exclusive]) => [inclusive, exclusive]),
  ...['type', 'enum', 'format', 'required', 'properties', 'items', 'additionalProperties'],
]);

/** Returns the changes of other keywords. Busbar cannot tell which values a change adds, so it breaks both sides. */
function differentRules(old: JsonSchema, young: JsonSchema, pointer: string): FieldDifference[] {
  const keywords = new Set([...Object.keys(old), ...Object.keys(young)]);
  return [...keywords]
    .filter((keyword) => !compareds.has(keyword) && !isAnnotation(keyword))
    .flatMap((keyword) => {
      const isAdded = old[keyword] === undefined;
      const isRemoved = young[keyword] === undefined;
      const isSame = isDeepStrictEqual(old[keyword], young[keyword]);
      const text = `"${keyword}" ${isAdded ? 'added' : isRemoved ? 'removed' : 'changed'}`;
      return difference('rule', pointer, text, {
        consumers: !isAdded && !isSame,
        producers: !isRemoved && !isSame,
      });
    });
}

type Breaks = Readonly<Partial<Record<Side, boolean>>>;

const sides: readonly Side[] = ['consumers', 'producers'];

/** Returns the difference if it breaks a side. */
function difference(kind: DifferenceKind, pointer: string, text: string, breaks: Breaks): FieldDifference[] {
  return breaks.consumers || breaks.producers ? [change(kind, pointer, text, breaks)] : [];
}

function change(kind: DifferenceKind, pointer: string, text: string, breaks: Breaks): FieldDifference {
  return { kind, pointer, change: text, breaks: sides.filter((side) => breaks[side]) };
}
