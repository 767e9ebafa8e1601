import { isObject } from 'busbar/base';
import { removeField } from '../../samples/field-path.js';
import { atBoundary, type Boundary, withUnknownFields } from '../boundaries.js';
import type { SampleKind, Shape } from '../samples.js';
import { optionalFieldsOf } from './optional-fields.js';

type Variant = (payload: unknown, full: unknown, of: Shape) => unknown;

/**
 * Variants of a payload by kind. They keep its identifiers, so that the household's other events still refer to the same
 * things. `full` is a payload of the event with all optional fields.
 */
export const variantsOf: Readonly<Record<SampleKind, Variant>> = {
  usual: (payload) => payload,
  minimal: (payload, _full, { schema, shapes }) => {
    const left = structuredClone(payload) as Record<string, unknown>;
    for (const { path } of optionalFieldsOf(schema, shapes, payload)) removeField(left, path);
    return left;
  },
  full: filled,
  'empty lists': (payload, full) => withoutItems(filled(payload, full)),
  'lowest values': (payload, full, of) => bounded(filled(payload, full), of, 'lowest'),
  'highest values': (payload, full, of) => bounded(filled(payload, full), of, 'highest'),
  'unknown fields': (payload, full, { schema, shapes }) =>
    withUnknownFields(filled(payload, full), schema, shapes),
};

/** Returns the payload with the fields that only the full one has. */
function filled(payload: unknown, full: unknown): unknown {
  if (!isObject(payload) || !isObject(full)) return payload;
  const own = Object.entries(payload).map(([name, value]) => [name, filled(value, full[name])] as const);
  return { ...full, ...Object.fromEntries(own) };
}

function withoutItems(value: unknown): unknown {
  if (Array.isArray(value)) return [];
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutItems(each)]));
}

function bounded(payload: unknown, { schema, shapes }: Shape, boundary: Boundary): unknown {
  return withIdentifiersOf(payload, atBoundary(payload, schema, shapes, boundary));
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
