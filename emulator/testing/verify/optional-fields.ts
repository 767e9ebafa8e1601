import type { JsonSchema } from 'busbar/catalogue';
import type { FieldPath } from '../../samples/field-path.js';
import { type Shapes, view } from '../../samples/schema-view.js';

/** An optional field of an object in a payload. */
interface OptionalField {
  readonly path: FieldPath;
  readonly isPresent: boolean;
}

/** Returns the optional fields of the payload, outer fields before those in them. */
export function* optionalFieldsOf(
  given: JsonSchema,
  shapes: Shapes,
  value: unknown,
  path: FieldPath = [],
): Generator<OptionalField> {
  const { schema } = view(given, shapes);
  const { items = {}, properties = {}, required = [] } = schema;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      yield* optionalFieldsOf(items, shapes, item, [...path, index]);
  } else if (typeof value === 'object' && value !== null) {
    for (const [field, each] of Object.entries(properties)) {
      const inner = [...path, field];
      const isPresent = field in value;
      if (!required.includes(field)) yield { path: inner, isPresent };
      if (isPresent) yield* optionalFieldsOf(each, shapes, (value as Record<string, unknown>)[field], inner);
    }
  }
}
