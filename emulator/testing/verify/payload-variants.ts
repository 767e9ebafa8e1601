import { isObject } from 'busbar/base';
import type { JsonSchema } from 'busbar/catalogue';
import { numberAt } from '../../samples/constraints.js';
import { removeField } from '../../samples/field-path.js';
import { type Shapes, view } from '../../samples/schema-view.js';
import { mapInside } from '../boundaries.js';
import { payloads, type SampleKind, type Shape } from '../samples.js';
import { optionalFieldsOf } from './optional-fields.js';

/**
 * Returns a payload as one of a kind. It keeps its identifiers, so that the household's other events still refer to the
 * same things. `full` is a payload of the event with all optional fields.
 */
export function variantOf(kind: SampleKind, payload: unknown, full: unknown, of: Shape): unknown {
  const whole = filled(payload, full);
  const variant = payloads[kind](({ fields, lists }) => {
    if (fields === 'usual') return payload;
    if (fields === 'minimal') return withoutOptionalFields(payload, of);
    return lists === 'empty' ? withoutItems(whole, of.schema, of.shapes) : whole;
  }, of);
  return kind.endsWith('values') ? withIdentifiersOf(whole, variant) : variant;
}

function withoutOptionalFields(payload: unknown, { schema, shapes }: Shape): unknown {
  const left = structuredClone(payload) as Record<string, unknown>;
  for (const { path } of optionalFieldsOf(schema, shapes, payload)) removeField(left, path);
  return left;
}

/** Returns the payload with the fields that only the full one has. */
function filled(payload: unknown, full: unknown): unknown {
  if (!isObject(payload) || !isObject(full)) return payload;
  const own = Object.entries(payload).map(([name, value]) => [name, filled(value, full[name])] as const);
  return { ...full, ...Object.fromEntries(own) };
}

/** Leaves the fewest items that the schema allows. */
function withoutItems(value: unknown, given: JsonSchema, shapes: Shapes): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { schema } = view(given, shapes);
  const needed = Array.isArray(value) ? value.slice(0, numberAt(schema, 'minItems') ?? 0) : value;
  return mapInside(needed, schema, (each, inner) => withoutItems(each, inner, shapes));
}

/** Returns the changed value with the identifiers of the original. */
function withIdentifiersOf(original: unknown, changed: unknown, name = ''): unknown {
  if (identifierName.test(name)) return original;
  if (Array.isArray(original) && Array.isArray(changed)) {
    return changed.map((each, index) => withIdentifiersOf(original[index], each));
  }
  if (!isObject(original) || !isObject(changed)) return changed;
  const fields = Object.entries(changed).map(([field, each]) => [
    field,
    withIdentifiersOf(original[field], each, field),
  ]);
  return Object.fromEntries(fields);
}

const identifierName = /(^|[_-])(ids?|numbers?|identifiers?|references?|mpans?|mprns?|keys?)$/i;
