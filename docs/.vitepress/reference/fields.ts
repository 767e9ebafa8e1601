import type { Documents, JsonSchema } from '../../../catalogue/schema.js';
import { shapeOf, withOwnFields } from '../../../catalogue/schema.js';

/** One field of a payload. */
export interface Field {
  /** `period.start`, or `supply_points[].market_name` for a field of each element. */
  readonly path: string;
  /** `string`, or `string[]` for a list. */
  readonly type: string;
  /** Whether the object that contains the field must have it. */
  readonly isRequired: boolean;
  /** `pence` or `kWh`, for example; empty without a unit. */
  readonly unit: string;
  /** Empty if the schema has none. */
  readonly description: string;
}

/** Returns the fields of a payload, each before the fields of its value. */
export function fieldsOf(schema: JsonSchema, shapes: Documents['shapes'], parent = ''): Field[] {
  const whole = withOwnFields(schema, shapes);
  return Object.entries(whole.properties ?? {}).flatMap(([name, property]) => {
    const { value, dimensions } = withoutLists(property);
    const resolved = resolve(value, shapes);
    const path = parent + name;
    const field: Field = {
      path,
      type: String(resolved.type) + dimensions,
      isRequired: whole.required?.includes(name) === true,
      unit: unitOf(property) || unitOf(value) || unitOf(resolved),
      description: property.description ?? resolved.description ?? '',
    };
    return [field, ...fieldsOf(resolved, shapes, `${path}${dimensions}.`)];
  });
}

/** Returns the schema of a value inside its lists, with `[]` for each list around it. */
function withoutLists(schema: JsonSchema): { readonly value: JsonSchema; readonly dimensions: string } {
  if (schema.items === undefined) return { value: schema, dimensions: '' };
  const { value, dimensions } = withoutLists(schema.items);
  return { value, dimensions: `${dimensions}[]` };
}

/** Returns the shape that a schema refers to, or the schema itself. */
function resolve(schema: JsonSchema, shapes: Documents['shapes']): JsonSchema {
  return schema.$ref === undefined ? schema : (shapes[shapeOf(schema.$ref)] ?? {});
}

function unitOf(schema: JsonSchema): string {
  const unit = schema['x-busbar-unit'];
  return typeof unit === 'string' ? unit : '';
}
