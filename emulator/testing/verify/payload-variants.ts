import { isObject } from 'busbar/base';
import { removeField } from '../../samples/field-path.js';
import { payloads, type SampleKind, type Shape } from '../samples.js';
import { optionalFieldsOf } from './optional-fields.js';

/**
 * Returns a payload as one of a kind. It keeps its identifiers, so that the household's other events still refer to the
 * same things. `full` is a payload of the event with all optional fields.
 */
export function variantOf(kind: SampleKind, payload: unknown, full: unknown, of: Shape): unknown {
  const whole = filled(payload, full);
  const draws = {
    usual: () => payload,
    minimal: () => withoutOptionalFields(payload, of),
    full: () => whole,
  };
  const variant = payloads[kind]((fields) => draws[fields](), of);
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
