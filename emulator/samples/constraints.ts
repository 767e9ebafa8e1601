import type { JsonSchema } from 'busbar/catalogue';
import { shapeOf } from 'busbar/internal/catalogue';
import type { FieldType, Shapes } from './schema-view.js';

/** Returns the value if it has the type, or undefined. Numbers are converted to strings. */
export function asType(value: unknown, type: FieldType): unknown {
  switch (type) {
    case 'string':
      return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : undefined;
    case 'integer':
      return Number.isInteger(value) ? value : undefined;
    case 'number':
    case 'boolean':
      return typeof value === type ? value : undefined;
    case 'array':
      return Array.isArray(value) ? value : undefined;
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
    case 'null':
      return null;
  }
}

/** Whether a value of the right type meets the constraints of the schema. Objects and lists are not searched. */
export function meets(value: unknown, schema: JsonSchema): boolean {
  if ('const' in schema && schema.const !== value) return false;
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return false;
  if (typeof value === 'number') return numberMeets(value, schema);
  return typeof value === 'string' ? stringMeets(value, schema) : true;
}

/** Whether a value matches a schema, as far as `not` usually describes one: the keywords that are read here. */
export function matches(value: unknown, schema: JsonSchema | boolean, shapes: Shapes): boolean {
  if (typeof schema === 'boolean') return schema;
  const { $ref, type, allOf = [], anyOf, oneOf, not, properties = {}, required = [] } = schema;
  const is = (each: JsonSchema | boolean) => matches(value, each, shapes);
  const choices = (keyword: unknown) =>
    Array.isArray(keyword) ? (keyword as JsonSchema[]).filter(is).length : 1;
  const isObject = asType(value, 'object') !== undefined;
  return (
    meets(value, schema) &&
    (type === undefined || [type].flat().some((each) => isOfType(value, each))) &&
    ($ref === undefined || is(shapes[shapeOf($ref)] ?? {})) &&
    allOf.every(is) &&
    choices(anyOf) > 0 &&
    choices(oneOf) === 1 &&
    (not === undefined || !is(not as JsonSchema)) &&
    (!isObject || required.every((name) => Object.hasOwn(value as object, name))) &&
    (!isObject ||
      Object.entries(value as object).every(([name, each]) =>
        matches(each, properties[name] ?? true, shapes),
      ))
  );
}

function isOfType(value: unknown, type: string): boolean {
  return type === 'null' ? value === null : asType(value, type as FieldType) === value;
}

export function numberAt(schema: JsonSchema, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' ? value : undefined;
}

function numberMeets(value: number, schema: JsonSchema): boolean {
  const step = numberAt(schema, 'multipleOf');
  return (
    value >= (numberAt(schema, 'minimum') ?? -Infinity) &&
    value <= (numberAt(schema, 'maximum') ?? Infinity) &&
    value > (numberAt(schema, 'exclusiveMinimum') ?? -Infinity) &&
    value < (numberAt(schema, 'exclusiveMaximum') ?? Infinity) &&
    (step === undefined || Number.isInteger(value / step))
  );
}

function stringMeets(value: string, schema: JsonSchema): boolean {
  // JSON Schema counts characters, not UTF-16 units.
  const { length } = Array.from(value);
  const { pattern, format } = schema;
  return (
    length >= (numberAt(schema, 'minLength') ?? 0) &&
    length <= (numberAt(schema, 'maxLength') ?? Infinity) &&
    (typeof pattern !== 'string' || new RegExp(pattern, 'u').test(value)) &&
    (typeof format !== 'string' || (formats[format]?.test(value) ?? true))
  );
}

/** Formats by name, for example from RFC 3339. Other formats are not checked. */
const formats: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  time: /^\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/,
  email: /^[^@\s]+@[^@\s]+$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  uri: /^[a-z][a-z0-9+.-]*:/i,
  ipv4: /^\d{1,3}(\.\d{1,3}){3}$/,
};
