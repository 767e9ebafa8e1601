import { Ajv2020 } from 'ajv/dist/2020.js';
import { type JsonSchema, openCatalogue } from 'busbar/catalogue';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSampler } from '../../../emulator/samples/sampler.js';
import { cases } from '../../cases.js';

const marks = { 'x-event-type': 'tariff.changed', 'x-event-version': 'v1', 'x-busbar-key': 'tariff' };
const price = { type: 'object', properties: { pence: { type: 'integer' } }, required: ['pence'] };
const tree = (itself: JsonSchema) => ({
  type: 'object',
  properties: { pence: { type: 'integer' }, next: itself },
  required: ['pence'],
});

/** Compares the verdicts on payloads with those of ajv alone, also those of the schema that the catalogue returns. */
async function compare(schema: JsonSchema, payloads: readonly unknown[]): Promise<void> {
  const catalogue = openCatalogue({ events: [{ ...marks, ...schema }] });
  const event = catalogue.named('tariff.changed-v1')!;
  const validate = await catalogue.validator(event);
  const sampler = await createSampler({ catalogue });
  const samples = (['minimal', 'usual', 'full'] as const).map((fields) => sampler.sample(event, { fields }));
  const ajv = () => new Ajv2020({ strict: false, logger: false });
  const [original, returned] = [ajv().compile(schema), ajv().compile(await catalogue.schema(event))];
  for (const each of samples) expect([each, original(each)]).toEqual([each, true]);
  for (const each of [...samples, ...payloads]) {
    const verdict = original(each);
    expect([each, validate(each), returned(each)]).toEqual([each, verdict, verdict]);
  }
}

describe('a reference', () => {
  it.each<[to: string, schema: JsonSchema]>([
    ['a property', { properties: { price, net: { $ref: '#/properties/price' } } }],
    [
      'a part of a definition',
      {
        $defs: { Cost: { type: 'object', properties: { gross: price } } },
        properties: { price, net: { $ref: '#/$defs/Cost/properties/gross' } },
      },
    ],
    [
      'definitions in a definition, and in a property',
      {
        $defs: { Cost: { $defs: { Price: price }, $ref: '#/$defs/Cost/$defs/Price' } },
        properties: {
          price: { $ref: '#/properties/net/$defs/Price', $defs: {} },
          net: { $ref: '#/$defs/Cost', $defs: { Price: price } },
        },
      },
    ],
    ['an anchor', { properties: { price: { $anchor: 'price', ...price }, net: { $ref: '#price' } } }],
    [
      'an address in a property, and from there',
      {
        properties: {
          price: { $id: 'price', ...tree({ $ref: 'price' }) },
          net: {
            $id: 'net',
            ...tree({ $ref: '#' }),
            properties: { pence: { $ref: 'price#/properties/pence' } },
          },
        },
      },
    ],
    ['the whole event', { ...tree({ $ref: '#' }), title: 'Node' }],
    ['a part that contains itself', { properties: { price: tree({ $ref: '#/properties/price' }) } }],
    [
      'names that are encoded or similar',
      {
        $defs: { 'A<B|C>': price, 'A<B&C>': { type: 'string' } },
        properties: { price: { $ref: '#/$defs/A%3CB%7CC%3E' }, net: { $ref: '#/$defs/A<B&C>' } },
      },
    ],
  ])('to %s means the same as to ajv alone', async (_to, schema) => {
    const values = [{ pence: 1 }, { pence: 'x' }, {}, { pence: 1, next: { pence: 'x' } }, 'x'];
    const payloads = values.flatMap((price) => values.map((net) => ({ price, net })));
    await compare({ type: 'object', ...schema }, [...values, ...payloads]);
  });
});

type Node = Readonly<Record<string, unknown>>;
const leaf = fc.constantFrom<Node>({ type: 'integer' }, { type: 'string' }, { $ref: '' });
const names = ['a', 'b', '$defs', 'x/y', '50%'] as const;
const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom(...names), tie('node'), { maxKeys: 3 }),
      $defs: fc.dictionary(fc.constantFrom(...names), tie('node'), { maxKeys: 2 }),
    }),
    fc.record({ type: fc.constant('array'), items: tie('node') }),
  ),
}));

/** Returns the pointers to the objects of a schema. */
function pointersIn(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = (value as Node)['type'] === 'object' ? [at] : [];
  const escaped = (name: string) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, each]) => pointersIn(each, `${at}/${escaped(name)}`)),
  ];
}

const payload = fc.dictionary(
  fc.constantFrom(...names),
  fc.oneof(
    fc.integer(),
    fc.string({ maxLength: 1 }),
    fc.array(fc.dictionary(fc.constantFrom(...names), fc.integer(), { maxKeys: 1 }), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom(...names), fc.oneof(fc.integer(), fc.constant({})), { maxKeys: 2 }),
  ),
  { maxKeys: 3 },
);

it('any reference in a schema means the same as to ajv alone', () =>
  fc.assert(
    fc.asyncProperty(node, fc.infiniteStream(fc.nat()), fc.array(payload), async (inner, picks, payloads) => {
      const properties = { a: inner, b: { $ref: '' } };
      const whole = { type: 'object', properties, $defs: { a: inner } };
      const pointers = pointersIn(whole);
      const text = JSON.stringify(whole).replaceAll('"$ref":""', () => {
        const pick = picks.next().value ?? 0;
        return `"$ref":${JSON.stringify(`#${pointers[pick % pointers.length] ?? ''}`)}`;
      });
      await compare(JSON.parse(text) as JsonSchema, payloads);
    }),
    { numRuns: cases(10, 200) },
  ));
