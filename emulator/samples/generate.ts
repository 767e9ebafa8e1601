import type { JsonSchema } from '../../catalogue/index.js';
import { BusbarError } from '../../src/base/errors.js';
import type { RandomStream } from '../engine/random.js';
import { asType, meets, numberAt } from './constraints.js';
import { type FieldPath, formatFieldPath, isWithin } from './field-path.js';
import { countFor, ruleFor } from './fields/index.js';
import { type Shapes, type SchemaView, view } from './schema-view.js';
import type { FieldType, Rule, Scene, Subject } from './subject.js';
import { ruleBySuffix, valueByType } from './unknown-fields.js';

/** A payload in the making. */
export interface Draft {
  readonly subject: Subject;
  readonly shapes: Shapes;
  /** Of the optional fields, which are there: some by chance, none, or all. */
  readonly fields: 'usual' | 'minimal' | 'full';
  readonly overrides: readonly Override[];
  /** Lists that have that length, whatever is usual. */
  readonly lengths: readonly ListLength[];
  /** The random numbers of a field. */
  random(path: string): RandomStream;
}

export interface Override {
  readonly path: FieldPath;
  readonly value: unknown;
}

export interface ListLength {
  readonly path: FieldPath;
  readonly length: number;
}

/** How often an optional field is there. */
export const optionalShare = 0.7;

/** Makes what the schema of an event asks for. */
export function generate(draft: Draft, schema: JsonSchema): Record<string, unknown> {
  const { schema: root, shape } = view(schema, draft.shapes);
  return objectOf(draft, root, { path: [], shape, index: 0, list: '' });
}

/** Where in the payload we are. */
interface Spot {
  readonly path: FieldPath;
  /** The shape that holds it. */
  readonly shape: string | undefined;
  readonly index: number;
  readonly list: string;
}

/** A schema that contains itself ends here: below, nothing optional is made. */
const deepest = 6;
const endless = 40;

function valueOf(draft: Draft, schema: JsonSchema, spot: Spot): unknown {
  const override = draft.overrides.find(
    ({ path }) => path.length === spot.path.length && isWithin(path, spot.path),
  );
  if (override !== undefined) return override.value;
  const seen = view(schema, draft.shapes);
  if (seen.type === 'array') return listOf(draft, seen.schema, spot);
  if (seen.type === 'object' && seen.schema.properties !== undefined) {
    return objectOf(draft, seen.schema, { ...spot, shape: seen.shape });
  }
  return leafOf(draft, seen, spot);
}

function objectOf(draft: Draft, schema: JsonSchema, spot: Spot): Record<string, unknown> {
  if (spot.path.length > endless) {
    throw new BusbarError(
      'invalid-schema',
      `"${draft.subject.eventType}" contains itself without an end at "${formatFieldPath(spot.path).slice(0, 100)}". Make a field on the way optional.`,
    );
  }
  const { properties = {}, required = [] } = schema;
  const result: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(properties)) {
    const path = [...spot.path, name];
    if (!required.includes(name) && !isThere(draft, path)) continue;
    result[name] = valueOf(draft, field, { ...spot, path });
  }
  for (const name of required) {
    if (!(name in properties)) result[name] = valueOf(draft, {}, { ...spot, path: [...spot.path, name] });
  }
  return result;
}

/** Whether an optional field is there. What the caller sets always is. */
function isThere(draft: Draft, path: FieldPath): boolean {
  if ([...draft.overrides, ...draft.lengths].some((set) => isWithin(set.path, path))) return true;
  if (draft.fields === 'minimal' || path.length > deepest) return false;
  return draft.fields === 'full' || draft.random(`${formatFieldPath(path)}?`).chance(optionalShare);
}

function listOf(draft: Draft, schema: JsonSchema, spot: Spot): unknown[] {
  const items = view(schema.items, draft.shapes);
  const name = nameOf(spot);
  const isStructured = items.schema.properties !== undefined;
  const known = isStructured ? undefined : ownList(draft, schema, items, spot);
  const wanted = known?.length ?? countFor(name)(sceneAt(draft, spot, 'array'));

  const least = Math.max(numberAt(schema, 'minItems') ?? 0, longestSet(draft, spot.path));
  const isEmpty = !draft.subject.hasLists || spot.path.length > deepest;
  const usual = Math.max(least, isEmpty ? 0 : Math.min(wanted, numberAt(schema, 'maxItems') ?? Infinity));
  const set = draft.lengths.find(({ path }) => path.length === spot.path.length && isWithin(path, spot.path));
  const length = set?.length ?? usual;
  return Array.from({ length }, (_, index) => {
    const path = [...spot.path, index];
    const override = draft.overrides.some((each) => isWithin(each.path, path));
    // A list that has to be longer than what we know repeats itself.
    const place = schema.uniqueItems === true ? index : index % (known?.length ?? 1);
    if (known?.[place] !== undefined && !override) return known[place];
    return valueOf(draft, schema.items ?? {}, { ...spot, path, index, list: name });
  });
}

/** A list of plain values that we know as a whole. */
function ownList(draft: Draft, schema: JsonSchema, items: SchemaView, spot: Spot): unknown[] | undefined {
  const rule = ruleAt(draft, spot);
  const values = rule?.(sceneAt(draft, spot, 'array'));
  if (!Array.isArray(values)) return undefined;
  const fitting = values.map((value) => asType(value, items.type));
  return fitting.every((value) => value !== undefined && meets(value, items.schema)) ? fitting : undefined;
}

/** How long a list has to be for all that the caller sets in it. */
function longestSet(draft: Draft, path: FieldPath): number {
  const places = draft.overrides
    .filter((override) => override.path.length > path.length && isWithin(override.path, path))
    .map((override) => Number(override.path[path.length]) + 1);
  return Math.max(0, ...places);
}

function leafOf(draft: Draft, { schema, type }: SchemaView, spot: Spot): unknown {
  const scene = sceneAt(draft, spot, type);
  for (const rule of [ruleAt(draft, spot), ruleBySuffix(nameOf(spot))]) {
    const value = asType(rule?.(scene), type);
    if (value !== undefined && meets(value, schema)) return value;
  }
  const value = valueByType(schema, type, scene);
  if (value !== undefined) return value;
  throw new BusbarError(
    'invalid-schema',
    `No sample can be made for "${formatFieldPath(spot.path)}" of "${draft.subject.eventType}": its limits or its pattern are too hard. Add "examples" to the schema, or set a value.`,
  );
}

function ruleAt(draft: Draft, spot: Spot): Rule | undefined {
  const names = spot.path.filter((part) => typeof part === 'string');
  return ruleFor({ eventType: draft.subject.eventType, shape: spot.shape, names });
}

function nameOf({ path }: Spot): string {
  return path.findLast((part) => typeof part === 'string') ?? '';
}

function sceneAt(draft: Draft, spot: Spot, type: FieldType): Scene {
  let random: RandomStream | undefined;
  const holder = spot.path.slice(0, -1);
  return {
    ...draft.subject,
    type,
    index: spot.index,
    list: spot.list,
    get random() {
      return (random ??= draft.random(formatFieldPath(spot.path)));
    },
    given(field, place) {
      const other = holder.findLastIndex((part) => typeof part === 'number');
      const path = [...(place === undefined ? holder : holder.with(other, place)), field];
      return draft.overrides.find((each) => each.path.length === path.length && isWithin(each.path, path))
        ?.value;
    },
  };
}
