import type { JsonSchema } from 'busbar/catalogue';
import type { FieldPath } from '../../samples/field-path.js';
import { type Shapes, view } from '../../samples/schema-view.js';

/** An optional field that a payload has. */
interface OptionalField {
  readonly path: FieldPath;
  /** RFC 6901 pointer. */
  readonly pointer: string;
}

/** Returns the optional fields that the payload has, outer fields first. */
export function optionalFieldsOf(schema: JsonSchema, shapes: Shapes, payload: unknown): OptionalField[] {
  return within(schema, shapes, payload, []);
}

function within(given: JsonSchema, shapes: Shapes, value: unknown, path: FieldPath): OptionalField[] {
  const { schema } = view(given, shapes);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => within(schema.items ?? {}, shapes, item, [...path, index]));
  }
  if (typeof value !== 'object' || value === null) return [];
  const { properties = {}, required = [] } = schema;
  const known = Object.entries(value).filter(([field]) => field in properties);
  const own = known
    .filter(([field]) => !required.includes(field))
    .map(([field]) => ({ path: [...path, field], pointer: `/${[...path, field].join('/')}` }));
  return [
    ...own,
    ...known.flatMap(([field, each]) => within(properties[field] ?? {}, shapes, each, [...path, field])),
  ];
}
