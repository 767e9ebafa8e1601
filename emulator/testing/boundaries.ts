import type { JsonSchema } from 'busbar/catalogue';
import { meets, numberAt } from '../samples/constraints.js';
import { type SchemaView, type Shapes, view } from '../samples/schema-view.js';
import { textKindOf } from './text-kind.js';

type Boundary = 'lowest' | 'highest';

/**
 * Returns the payload with every value replaced by the lowest or highest that its schema allows. Without a limit, the
 * value is one that often breaks programs. Times and amounts keep their format. Lists keep their length.
 */
export function atBoundary(value: unknown, schema: JsonSchema, shapes: Shapes, boundary: Boundary): unknown {
  const seen = view(schema, shapes);
  if (boundary === 'lowest' && mayBeNull(seen)) return null;
  if (typeof value === 'object' && value !== null)
    return mapInside(value, seen.schema, (each, inner) => atBoundary(each, inner, shapes, boundary));
  return candidates(value, seen, boundary).find((each) => meets(each, seen.schema)) ?? value;
}

/** Returns the payload with undeclared fields in every object whose schema lists fields. */
export function withUnknownFields(value: unknown, schema: JsonSchema, shapes: Shapes): unknown {
  const { schema: seen } = view(schema, shapes);
  if (typeof value !== 'object' || value === null) return value;
  const own = mapInside(value, seen, (each, inner) => withUnknownFields(each, inner, shapes));
  if (Array.isArray(value) || seen.properties === undefined) return own;
  return { ...own, unknown_text: 'added later', unknown_list: [{ unknown: null }] };
}

/** Returns the payload with the fewest items in every list that its schema allows. */
export function withoutItems(value: unknown, given: JsonSchema, shapes: Shapes): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { schema } = view(given, shapes);
  const contained = schema.contains === undefined ? 0 : (numberAt(schema, 'minContains') ?? 1);
  const least = Math.max(numberAt(schema, 'minItems') ?? 0, contained);
  const needed = Array.isArray(value) ? value.slice(0, least) : value;
  return mapInside(needed, schema, (each, inner) => withoutItems(each, inner, shapes));
}

/** Returns the value with its items, or its declared fields, changed. */
function mapInside(
  value: object,
  { items = {}, properties = {} }: JsonSchema,
  change: (value: unknown, schema: JsonSchema) => unknown,
): object {
  if (Array.isArray(value)) return value.map((item) => change(item, items));
  const fields = Object.entries(value).map(([name, each]: [string, unknown]) => {
    return [name, name in properties ? change(each, properties[name] ?? {}) : each];
  });
  return Object.fromEntries(fields) as object;
}

/** Returns values of the type, the most extreme first. */
function candidates(value: unknown, { schema, type }: SchemaView, boundary: Boundary): unknown[] {
  const isLowest = boundary === 'lowest';
  if ('const' in schema) return [schema.const];
  if (Array.isArray(schema.enum)) return [schema.enum.at(isLowest ? 0 : -1)];
  switch (type) {
    case 'boolean':
      return [!isLowest];
    case 'integer':
      return [numberAt(schema, isLowest ? 'minimum' : 'maximum') ?? (isLowest ? 0 : Number.MAX_SAFE_INTEGER)];
    case 'number':
      return [numberAt(schema, isLowest ? 'minimum' : 'maximum') ?? (isLowest ? 0 : 999_999_999_999.99)];
    case 'string':
      return typeof value === 'string' ? texts(value, schema, boundary) : [];
    case 'array':
    case 'object':
    case 'null':
      return [];
  }
}

function texts(value: string, schema: JsonSchema, boundary: Boundary): string[] {
  const limit = limits[textKindOf(value)];
  if (limit !== undefined) return [limit[boundary]];
  const length = numberAt(schema, boundary === 'lowest' ? 'minLength' : 'maxLength');
  if (boundary === 'lowest') return ['x'.repeat(length ?? 0)];
  return [letters.repeat(64).slice(0, Math.min(length ?? 255, 255))];
}

/** Letters of two and three bytes, and a combining mark. None is a surrogate pair that a cut could split. */
const letters = 'Zoë-東e\u0301';

const limits: Readonly<Partial<Record<ReturnType<typeof textKindOf>, Readonly<Record<Boundary, string>>>>> = {
  date: { lowest: '1900-01-01', highest: '2999-12-31' },
  'date-time': { lowest: '1970-01-01T00:00:00Z', highest: '2999-12-31T23:59:59.999999+14:00' },
  amount: { lowest: '0', highest: '999999999999.99' },
};

function mayBeNull({ schema }: SchemaView): boolean {
  return Array.isArray(schema.type) && schema.type.includes('null') && meets(null, schema);
}
