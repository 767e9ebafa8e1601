import fc from 'fast-check';
import type { JsonSchema } from '../../../../catalogue/schema.js';

/** A schema of an event, and the shapes that it may refer to. */
export interface Drawn {
  readonly event: JsonSchema;
  readonly shapes: Readonly<Record<string, JsonSchema>>;
}

type Mutable = Record<string, unknown> & { properties?: Record<string, Mutable>; required?: string[] };

const formats = ['date', 'date-time', 'uuid', 'email'];

const leaf: fc.Arbitrary<JsonSchema> = fc.oneof(
  fc.constant({ type: 'string' }),
  fc.constantFrom(...formats).map((format) => ({ type: 'string', format })),
  fc
    .subarray(['new', 'open', 'closed', 'void'], { minLength: 1 })
    .map((each) => ({ type: 'string', enum: each })),
  fc.record({ type: fc.constant('string'), minLength: fc.nat(3), maxLength: fc.integer({ min: 5, max: 9 }) }),
  fc.constant({ type: 'boolean' }),
  fc.record({
    type: fc.constantFrom('integer', 'number'),
    minimum: fc.nat(5),
    maximum: fc.integer({ min: 9, max: 99 }),
  }),
  fc.constantFrom(
    { type: 'integer' },
    { type: 'number' },
    { type: ['string', 'null'] },
    { type: ['integer', 'null'] },
  ),
);

const shapeNames = ['Season', 'Band'];

/** Draws a schema of an object whose fields are at most two objects, lists or maps deep. */
function objects(depth: number, shapes: readonly string[]): fc.Arbitrary<JsonSchema> {
  const reference = shapes.map((shape) => fc.constant({ $ref: `#/$defs/${shape}` }));
  const nested =
    depth === 0
      ? []
      : [
          objects(depth - 1, shapes),
          fc.record({ type: fc.constant('array'), items: fc.oneof(leaf, objects(depth - 1, shapes)) }),
          fc.record({
            type: fc.constant('array'),
            items: leaf,
            minItems: fc.nat(2),
            maxItems: fc.integer({ min: 3, max: 5 }),
          }),
          fc.record({ type: fc.constant('object'), additionalProperties: leaf }),
        ];
  const nullable = reference.map((each) => each.map((schema) => ({ anyOf: [schema, { type: 'null' }] })));
  const field = fc.oneof({ weight: 4, arbitrary: leaf }, ...reference, ...nullable, ...nested);
  return fc.array(fc.tuple(field, fc.boolean()), { minLength: 1, maxLength: 4 }).map((fields) => ({
    type: 'object',
    properties: Object.fromEntries(fields.map(([schema], index) => [`field_${index}`, schema])),
    required: fields.flatMap(([, isRequired], index) => (isRequired ? [`field_${index}`] : [])),
  }));
}

export const drawnSchemas: fc.Arbitrary<Drawn> = fc.record({
  event: objects(2, shapeNames),
  shapes: fc.tuple(objects(1, []), objects(1, ['Season'])).map(([Season, Band]) => ({ Season, Band })),
});

/** Returns the schemas after a change that the three numbers select. */
export function changed(
  { event, shapes }: Drawn,
  [place, kind, choice]: readonly [number, number, number],
): Drawn {
  const copy = structuredClone({ event, shapes });
  const all = [copy.event, ...Object.values(copy.shapes)].flatMap((each) => schemasIn(each as Mutable));
  const schema = pick(all, place);
  const possible = changes.filter((change) => change.fits(schema));
  if (possible.length > 0) pick(possible, kind).apply(schema, choice);
  return copy;
}

function pick<T>(list: readonly T[], number: number): T {
  return list[number % list.length] as T;
}

function schemasIn(schema: Mutable): Mutable[] {
  const inside = [
    ...Object.values(schema.properties ?? {}),
    ...(schema['items'] ? [schema['items']] : []),
    ...(schema['additionalProperties'] ? [schema['additionalProperties']] : []),
    ...((schema['anyOf'] as unknown[] | undefined) ?? []),
  ];
  return [schema, ...inside.flatMap((each) => schemasIn(each as Mutable))];
}

interface Change {
  readonly fits: (schema: Mutable) => boolean;
  readonly apply: (schema: Mutable, choice: number) => void;
}

const isObject = (schema: Mutable) => schema.properties !== undefined;
const hasType =
  (...types: readonly string[]) =>
  (schema: Mutable) =>
    types.includes(schema['type'] as string);
const isPlainText = (schema: Mutable) => schema['type'] === 'string' && Object.keys(schema).length === 1;

function replace(schema: Mutable, other: object): void {
  for (const key of Object.keys(schema)) Reflect.deleteProperty(schema, key);
  Object.assign(schema, other);
}

/** Removes a keyword, or moves a number by up to three. */
function moveLimit(schema: Mutable, keyword: string, choice: number): void {
  const value = Number(schema[keyword]);
  if (choice % 3 === 0) Reflect.deleteProperty(schema, keyword);
  else schema[keyword] = Math.max(0, choice % 2 === 0 ? value + (choice % 4) : value - (choice % 4));
}

const changes: readonly Change[] = [
  {
    fits: isObject,
    apply: ({ properties = {} }) => void (properties['added'] = { type: 'string' }),
  },
  {
    fits: isObject,
    apply: (schema) => {
      schema.properties = { ...schema.properties, needed: { type: 'integer' } };
      schema.required = [...(schema.required ?? []), 'needed'];
    },
  },
  {
    fits: isObject,
    apply: (schema, choice) => {
      const name = pick(Object.keys(schema.properties ?? {}), choice);
      const { [name]: _, ...others } = schema.properties ?? {};
      schema.properties = others;
      schema.required = schema.required?.filter((each) => each !== name) ?? [];
    },
  },
  {
    fits: isObject,
    apply: (schema, choice) => {
      const name = pick(Object.keys(schema.properties ?? {}), choice);
      const required = schema.required ?? [];
      schema.required = required.includes(name)
        ? required.filter((each) => each !== name)
        : [...required, name];
    },
  },
  { fits: isObject, apply: (schema) => void (schema['additionalProperties'] = false) },
  {
    fits: isObject,
    apply: (schema, choice) => {
      const name = pick(Object.keys(schema.properties ?? {}), choice);
      schema.properties = {
        ...schema.properties,
        [name]: { anyOf: [schema.properties?.[name] as Mutable, { type: 'null' }] },
      };
    },
  },
  {
    fits: hasType('string', 'boolean', 'number'),
    apply: (schema) => replace(schema, { type: 'object', properties: {} }),
  },
  { fits: hasType('integer', 'boolean', 'array'), apply: (schema) => replace(schema, { type: 'string' }) },
  {
    fits: hasType('string', 'boolean', 'integer'),
    apply: (schema) => void (schema['type'] = [schema['type'], 'null']),
  },
  { fits: hasType('integer'), apply: (schema) => void (schema['type'] = 'number') },
  { fits: hasType('number'), apply: (schema) => void (schema['type'] = 'integer') },
  {
    fits: (schema) => Array.isArray(schema['type']),
    apply: (schema) => void (schema['type'] = (schema['type'] as string[])[0]),
  },
  { fits: isPlainText, apply: (schema, choice) => void (schema['format'] = pick(formats, choice)) },
  { fits: (schema) => 'format' in schema, apply: (schema) => Reflect.deleteProperty(schema, 'format') },
  {
    fits: (schema) => 'format' in schema,
    apply: (schema, choice) => void (schema['format'] = pick(formats, choice)),
  },
  { fits: isPlainText, apply: (schema) => void (schema['enum'] = ['new', 'open']) },
  { fits: (schema) => 'enum' in schema, apply: (schema) => Reflect.deleteProperty(schema, 'enum') },
  {
    fits: (schema) => 'enum' in schema,
    apply: (schema, choice) => {
      const values = schema['enum'] as string[];
      const value = pick(['new', 'open', 'closed', 'void', 'lost'], choice);
      const others = values.filter((each) => each !== value);
      schema['enum'] = others.length < values.length && others.length > 0 ? others : [...others, value];
    },
  },
  ...['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'].map((keyword) => ({
    fits: (schema: Mutable) => keyword in schema,
    apply: (schema: Mutable, choice: number) => moveLimit(schema, keyword, choice),
  })),
  { fits: isPlainText, apply: (schema, choice) => void (schema['maxLength'] = 1 + (choice % 20)) },
  {
    fits: hasType('integer', 'number'),
    apply: (schema, choice) => void (schema['exclusiveMinimum'] = choice % 5),
  },
];
