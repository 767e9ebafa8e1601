import type { JsonSchema } from '../../../../catalogue/schema.js';
import type { Drawn } from './schema-changes.js';

/** Values of each format. */
const texts: Readonly<Record<string, string>> = {
  date: '2026-03-01',
  'date-time': '2026-03-01T10:00:00Z',
  uuid: '0195a2b4-7c1e-4f00-8000-000000000001',
  email: 'a@example.com',
};

/** Numbers on both sides of every limit that a drawn schema can have. */
const numbers = [0, 0.5, ...Array.from({ length: 105 }, (_, index) => index - 3), 1e6];
const lengths = Array.from({ length: 24 }, (_, index) => 'abcdefghijklmnopqrstuvwxyz'.slice(0, index));
const scalars = [
  ...numbers,
  ...lengths,
  ...Object.values(texts),
  'new',
  'open',
  'closed',
  'void',
  'lost',
  true,
  null,
];

/**
 * Returns values that have each kind of value in each place: each type, both sides of each limit, each word of an `enum`,
 * and each optional field present and absent. Most are not valid, so the caller checks them.
 */
export function varied(
  schema: JsonSchema,
  shapes: Drawn['shapes'],
  isFit: (schema: JsonSchema, value: unknown) => boolean,
): unknown[] {
  if (schema.$ref !== undefined)
    return varied(shapes[schema.$ref.slice('#/$defs/'.length)] ?? {}, shapes, isFit);
  if (Array.isArray(schema['anyOf']))
    return (schema['anyOf'] as JsonSchema[]).flatMap((each) => varied(each, shapes, isFit));
  if (schema.type === 'array') return lists(schema, varied(schema.items ?? {}, shapes, isFit));
  if (schema.type !== 'object') return scalars.filter((value) => isFit(schema, value));
  const others = schema['additionalProperties'];
  if (typeof others === 'object') {
    return [{}, ...varied(others as JsonSchema, shapes, isFit).map((value) => ({ one: value }))];
  }
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, varied(field, shapes, isFit)] as const,
  );
  if (fields.some(([name, values]) => values.length === 0 && required.includes(name))) return [];
  const usual = Object.fromEntries(
    fields.filter(([, values]) => values.length > 0).map(([name, [value]]) => [name, value]),
  );
  return [
    usual,
    ...fields.flatMap(([name, values]) => [
      ...values.slice(1).map((value) => ({ ...usual, [name]: value })),
      ...(required.includes(name)
        ? []
        : [Object.fromEntries(Object.entries(usual).filter(([key]) => key !== name))]),
    ]),
  ];
}

function lists({ minItems = 0, maxItems = Infinity }: JsonSchema, values: readonly unknown[]): unknown[] {
  const [least, most] = [minItems as number, maxItems as number];
  const [usual] = values;
  const counts = Array.from({ length: 10 }, (_, count) => count).filter(
    (count) => count >= least && count <= most,
  );
  if (usual === undefined) return counts.includes(0) ? [[]] : [];
  const filled = (count: number, value: unknown) =>
    [value, ...Array<unknown>(count).fill(usual)].slice(0, count);
  const one = Math.max(1, least);
  const first = one <= most ? values.map((value) => filled(one, value)) : [];
  return [...first, ...counts.map((count) => filled(count, usual))];
}
