import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JsonSchema, openCatalogue } from '../../../catalogue/index.js';
import { createSampler, type SampleOptions } from '../../../emulator/samples/sampler.js';
import { cases } from '../../cases.js';

/** Samples of an event of the user's with these fields, all required unless `required` says otherwise. */
async function sampled(
  properties: Record<string, JsonSchema>,
  {
    count = 30,
    ...options
  }: SampleOptions & { count?: number; required?: string[]; shapes?: JsonSchema[] } = {},
) {
  const { required = Object.keys(properties), shapes = [], ...sampleOptions } = options;
  const schema = {
    $id: 'tariff.changed-v1',
    'x-event-type': 'tariff.changed',
    'x-event-version': 'v1',
    'x-group': 'own',
    title: 'TariffChanged',
    description: 'A tariff changed.',
    type: 'object',
    properties,
    required,
  };
  const catalogue = openCatalogue({ events: [schema], shapes });
  const event = catalogue.named('tariff.changed-v1')!;
  const sampler = await createSampler({ catalogue, seed: 3 });
  const payloads = Array.from({ length: count }, (_, nth) =>
    sampler.sample(event, { ...sampleOptions, nth }),
  );
  for (const payload of payloads) expect(await catalogue.explain(event, payload)).toEqual([]);
  return payloads;
}

describe('samples of custom events', () => {
  it('uses the data of its household', async () => {
    const payloads = await sampled({
      account_number: { type: 'string' },
      mpan: { type: 'string' },
      mprn: { type: 'string' },
      postcode: { type: 'string' },
    });
    for (const { account_number, mpan, mprn, postcode } of payloads) {
      expect(account_number).toMatch(/^A-[0-9A-F]{8}$/);
      expect(mpan).toMatch(/^\d{13}$/);
      expect(mprn).toMatch(/^\d{10}$/);
      expect(postcode).toMatch(/^X[A-P]\d+ \d[A-Z]{2}$/);
    }
  });

  it('avoids what "not" describes', async () => {
    const either = { a: { type: 'string' }, b: { type: 'string' } };
    await sampled(
      {
        answer: { enum: ['yes', 'no'], not: { const: 'no' } },
        isSure: { type: 'boolean', not: { const: true } },
        word: { type: 'string', examples: ['x', 'y', 'z'], not: { pattern: '^[xy]$' } },
        number: { type: 'integer', minimum: 1, maximum: 3, not: { enum: [1, 2] } },
        one: { type: 'object', properties: either, not: { required: ['a', 'b'] } },
        neither: {
          type: 'object',
          properties: either,
          allOf: [{ not: { required: ['a'] } }, { not: { anyOf: [{ required: ['b'] }, { type: 'null' }] } }],
        },
        kind: {
          type: 'object',
          properties: { of: { enum: ['gas', 'power'] } },
          required: ['of'],
          not: { properties: { of: { const: 'gas' } } },
        },
        noText: { not: { type: 'string' } },
        neitherTextNorNumber: { not: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
        object: { not: { type: ['string', 'number', 'boolean', 'null', 'array'] } },
        tags: { type: 'array', items: { type: 'string', not: { $ref: '#/$defs/Word' } }, minItems: 3 },
      },
      { shapes: [{ $id: 'Word', type: 'string', pattern: '^sample [0-7]' }] },
    );
  });

  it('reports a field that "not" makes impossible', async () => {
    const field = { type: 'boolean', not: { type: 'boolean' } };
    await expect(sampled({ isOpen: field })).rejects.toThrow(
      'No sample can be made for "isOpen" of "tariff.changed": its "not" excludes too much.',
    );
  });

  it('leaves out a field that the schema forbids', async () => {
    const forbidden = false as unknown as JsonSchema;
    const payloads = await sampled(
      { gone: forbidden, kept: { type: 'string' } },
      { required: ['kept'], fields: 'full' },
    );
    for (const payload of payloads) expect(Object.keys(payload)).toEqual(['kept']);
  });

  it('chooses values by the ending of a name, then by type', async () => {
    const [payload] = await sampled({
      reviewed_at: { type: 'string' },
      reviewed_on: { type: 'string' },
      owner_email: { type: 'string' },
      reviewer_id: { type: 'integer' },
      review_id: { type: 'string' },
      is_good: { type: 'boolean' },
      colour: { type: 'string' },
      weight: { type: 'number' },
      anything: {},
      things: { type: 'array', items: { type: 'integer' } },
      bag: { type: 'object' },
      nothing: { type: 'null' },
    });
    expect(payload).toEqual({
      reviewed_at: expect.stringMatching(/^2026-03-02T0\d:/),
      reviewed_on: expect.stringMatching(/^202[56]-\d\d-\d\d$/),
      owner_email: expect.stringMatching(/@example\./),
      reviewer_id: expect.any(Number),
      review_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      is_good: expect.any(Boolean),
      colour: expect.any(String),
      weight: expect.any(Number),
      anything: expect.any(String),
      things: expect.any(Array),
      bag: {},
      nothing: null,
    });
  });

  it("prefers the schema's type to the name", async () => {
    const [payload] = await sampled({
      account_number: { type: 'integer' },
      supply_points: { type: 'string' },
      status: { type: 'array', items: { type: 'boolean' } },
    });
    expect(payload).toMatchObject({
      account_number: expect.any(Number),
    });
  });

  it('respects every limit of the schema', () =>
    sampled(
      {
        status: { type: 'string', enum: ['RED', 'GREEN'] },
        kind: { const: 'fixed' },
        size: { enum: [3, 5, 8] },
        short: { type: 'string', maxLength: 3 },
        long: { type: 'string', minLength: 40 },
        low: { type: 'integer', maximum: -5 },
        high: { type: 'integer', minimum: 1000, exclusiveMaximum: 1002 },
        step: { type: 'number', multipleOf: 0.25, exclusiveMinimum: 0, maximum: 1 },
        amount: { type: 'integer', minimum: 1_000_000 },
        day: { type: 'string', format: 'date' },
        host: { type: 'string', format: 'hostname', maxLength: 4 },
        effective_from: { type: 'string', format: 'date-time' },
        account_number: { type: 'string', pattern: '^ACC[0-9]{4}$' },
        reference: { type: 'string', pattern: '^(?:REF|ref)-\\d{2,4}[A-C]?(_[^a-z]+)*$' },
        list: { type: 'array', minItems: 3, items: { type: 'string' } },
        pair: {
          type: 'array',
          maxItems: 1,
          items: { type: 'object', properties: { a: { type: 'integer' } } },
        },
        maybe: { type: ['null', 'string'] },
        either: { oneOf: [{ type: 'integer' }, { type: 'string' }] },
        both: {
          allOf: [
            { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
            { properties: { b: { type: 'boolean' } }, required: ['b'] },
          ],
        },
      },
      { fields: 'full' },
    ));

  it('puts each item of a tuple in its place', async () => {
    const band = {
      prefixItems: [{ type: 'string' }, { type: 'integer' }],
      items: false as never,
      minItems: 2,
    };
    const [payload] = await sampled({ band }, { overrides: { 'band[1]': 7 } });
    expect(payload).toEqual({ band: [expect.any(String), 7] });
    await expect(sampled({ band }, { overrides: { 'band[1].from': 7 } })).rejects.toThrow(
      '"band[1]" is an integer',
    );
  });

  it('makes the items of a list unique, and those that it must contain', async () => {
    const payloads = await sampled({
      fuels: { type: 'array', minItems: 3, uniqueItems: true, items: { enum: ['gas', 'power', 'heat'] } },
      readings: { type: 'array', items: { type: 'integer' }, contains: { minimum: 500, maximum: 600 } },
      hours: { type: 'array', items: { type: 'integer' }, contains: { multipleOf: 7 }, minContains: 2 },
    });
    for (const { fuels } of payloads) expect(new Set(fuels as string[]).size).toBe(3);
  });

  it('makes lists with as many items as they may contain, after those of a tuple', async () => {
    const digit = { type: 'integer', minimum: 0, maximum: 9 };
    const limits = fc.record({
      minContains: fc.nat(3),
      minItems: fc.nat(6),
      room: fc.nat(3),
      isTuple: fc.boolean(),
    });
    const makes = fc.asyncProperty(limits, async ({ minContains, minItems, room, isTuple }) => {
      const counts = { minContains, maxContains: minContains + room, minItems };
      const tuple = isTuple && { prefixItems: [{ type: 'string' }, { type: 'boolean' }] };
      const list = {
        type: 'array',
        items: digit,
        contains: { type: 'integer', minimum: 7 },
        ...counts,
        ...tuple,
      };
      await sampled({ list }, { count: 5 });
    });
    await fc.assert(makes, { numRuns: cases(20, 500) });
  });

  it('makes a payload that is a list or a string', async () => {
    const marks = { 'x-event-type': 'tariff.listed', 'x-event-version': 'v1' };
    for (const schema of [
      { type: 'array', items: { type: 'integer' }, minItems: 2 },
      { type: 'string', pattern: '^T-' },
    ]) {
      const catalogue = openCatalogue({ events: [{ ...marks, ...schema }] });
      const event = catalogue.named('tariff.listed-v1')!;
      const sampler = await createSampler({ catalogue });
      expect(await catalogue.explain(event, sampler.sample(event))).toEqual([]);
      if (schema.type === 'array')
        expect(sampler.sample(event, { overrides: { '[2]': 7 } })).toMatchObject({ length: 3, 2: 7 });
      else expect(() => sampler.fieldAt(event, '[2]')).toThrow('the event is a string, not a list');
    }
  });

  it('fills a field that is only required, and leaves out one that no value fits', async () => {
    const price = { type: 'object', required: ['gas'], additionalProperties: { type: 'integer' } };
    const [payload] = await sampled({ price, none: { not: {} } }, { required: ['price'], fields: 'full' });
    expect(payload).toEqual({ price: { gas: expect.any(Number) as number } });
  });

  it('finds the schema of a field by the pattern of its name', async () => {
    const coded = {
      type: 'object',
      properties: { label: { type: 'string' } },
      required: ['EUR'],
      patternProperties: { '^[A-Z]{3}$': { type: 'integer' } },
    };
    const [payload] = await sampled({ coded }, { overrides: { 'coded.GBP': 7 }, required: ['coded'] });
    expect(payload).toMatchObject({ coded: { EUR: expect.any(Number) as number, GBP: 7 } });
    await expect(sampled({ coded }, { overrides: { 'coded.gbp': 7 } })).rejects.toThrow(
      'the fields of "coded" are "label", those that match "^[A-Z]{3}$"',
    );
    const open = { type: 'object', patternProperties: { '^x-': true, '^n-': { type: 'integer' } } };
    const overrides = { 'open.x-a': 'any', 'open.n-a': 7, 'open.other': 'any' };
    const [extended] = await sampled({ open }, { overrides });
    expect(extended).toEqual({ open: { 'x-a': 'any', 'n-a': 7, other: 'any' } });
    await expect(
      sampled({ open: { ...open, additionalProperties: false } }, { overrides: { 'open.other': 'any' } }),
    ).rejects.toThrow('the fields of "open" are those that match "^x-", those that match "^n-"');
  });

  it('names the keyword of a list whose items cannot be unique', () =>
    expect(
      sampled({ flags: { type: 'array', minItems: 3, uniqueItems: true, items: { type: 'boolean' } } }),
    ).rejects.toThrow(/"flags" of "tariff.changed": its items must be unique \("uniqueItems"\)/));

  it('takes the value of a discriminator that belongs to the chosen schema', async () => {
    const kind = { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] } as const;
    const choices = { anyOf: [{ $ref: '#/$defs/Card' }, { $ref: '#/$defs/Invoice' }] };
    const mapping = { invoice: '#/components/schemas/Invoice', card: 'Card.json' };
    const mapped = { ...choices, discriminator: { propertyName: 'kind', mapping } };
    const implied = { ...choices, discriminator: { propertyName: 'kind' } };
    const shapes = ['Card', 'Invoice'].map(($id) => ({ $id, ...kind }));
    const payloads = await sampled({ mapped, implied }, { count: 1, shapes });
    expect(payloads).toEqual([{ mapped: { kind: 'card' }, implied: { kind: 'Card' } }]);
    const overrides = { 'mapped.kind': 'invoice', 'implied.kind': 'Invoice', 'implied.sum': 5 };
    const [card, invoice] = shapes;
    const summed = { ...invoice, properties: { ...kind.properties, sum: { type: 'integer' } } };
    await sampled({ mapped, implied }, { count: 1, overrides, shapes: [card!, summed] });
  });

  it('chooses the schema that has the overridden fields and values', async () => {
    const kind = (name: string, fields: Record<string, JsonSchema>): JsonSchema => ({
      type: 'object',
      properties: { kind: { const: name }, ...fields },
      required: ['kind', ...Object.keys(fields)],
      additionalProperties: false,
    });
    const card = kind('card', { number: { type: 'string' }, data: kind('a', { at: { type: 'integer' } }) });
    const bank = kind('bank', { iban: { type: 'string' }, data: kind('b', { days: { type: 'integer' } }) });
    const cash: JsonSchema = { allOf: [{ type: 'object' }, { oneOf: [kind('cash', {}), kind('coin', {})] }] };
    const payment: JsonSchema = { oneOf: [card, bank, cash] };
    for (const overrides of [
      { 'payment.kind': 'bank' },
      { 'payment.iban': 'X1' },
      { 'payment.data.days': 3, 'payments[1].kind': 'coin' },
      { 'payment.kind': 'coin' },
    ]) {
      await sampled(
        { payment, payments: { type: 'array', items: payment } },
        { overrides, fields: 'full', count: 1 },
      );
    }
    await expect(sampled({ payment }, { overrides: { 'payment.at': 1 } })).rejects.toThrow(
      'has no field "payment.at": the fields of "payment" are "kind", "number", "data"',
    );
  });

  it('fills a map with one or two entries', async () => {
    const price = { type: 'integer' } as const;
    const map = { type: 'object', additionalProperties: price } as const;
    const maps = {
      free: map,
      dated: { ...map, propertyNames: { format: 'date' } },
      coded: { type: 'object', patternProperties: { '^[A-Z]{3}$': price }, additionalProperties: false },
    } as const;
    const payloads = await sampled(maps);
    const sizes = payloads.flatMap((payload) =>
      Object.values(payload).map((each) => Object.keys(each!).length),
    );
    expect(new Set(sizes)).toEqual(new Set([1, 2]));
    const options = { count: 1, overrides: { 'free.gas': 7, 'coded.GBP': 7 } };
    expect(await sampled(maps, options)).toMatchObject([{ free: { gas: 7 }, coded: { GBP: 7 } }]);
    expect(await sampled(maps, { count: 1, fields: 'minimal' })).toEqual([
      { free: {}, dated: {}, coded: {} },
    ]);
    const tree = { $id: 'Tree', type: 'object', additionalProperties: { $ref: 'Tree.json' } } as const;
    await sampled({ tree: { $ref: 'Tree.json' } }, { shapes: [tree] });
  });

  it('adds fields until an object has enough', async () => {
    const one = { type: 'string' } as const;
    const free = { type: 'object', minProperties: 2, additionalProperties: { type: 'integer' } } as const;
    const closed = {
      type: 'object',
      properties: { a: one, b: one, c: one },
      minProperties: 2,
      additionalProperties: false,
    } as const;
    const matching = {
      type: 'object',
      patternProperties: { '^x_[a-z]+$': { type: 'integer' } },
      minProperties: 2,
      additionalProperties: false,
    } as const;
    const named = {
      type: 'object',
      propertyNames: { enum: ['EUR', 'GBP', 'USD'] },
      minProperties: 3,
      additionalProperties: { type: 'integer' },
    } as const;
    await sampled({ free, closed, matching, named }, { fields: 'minimal' });
  });

  it('meets the condition of a schema, and what follows from it', async () => {
    const rate = {
      type: 'object',
      properties: { kind: { enum: ['flat', 'timed'] }, hours: { type: 'integer' }, unit: { type: 'string' } },
      required: ['kind'],
      if: { properties: { kind: { const: 'timed' } } },
      then: { required: ['hours'], properties: { hours: { minimum: 5 } } },
      else: { required: ['unit'] },
    } as const;
    await sampled({ rate });
    await sampled({ rate }, { fields: 'minimal' });
  });

  it('uses the examples of a schema', async () => {
    const payloads = await sampled({ colour: { type: 'string', examples: ['teal', 'plum'] } });
    expect(new Set(payloads.map(({ colour }) => colour))).toEqual(new Set(['teal', 'plum']));
  });

  it('prefers the examples of a schema to the ending of a name', async () => {
    const [payload] = await sampled({
      tariff_code_id: { type: 'string', examples: ['E-1R'] },
      price: { type: 'integer', maximum: 9, examples: [7, 70] },
      postcode: { type: 'string', example: 'XC1 1AA' },
    });
    expect(payload).toEqual({ tariff_code_id: 'E-1R', price: 7, postcode: 'XC1 1AA' });
  });

  it('ends at a shape that contains itself', async () => {
    const tree: JsonSchema = {
      $id: 'Tree',
      type: 'object',
      properties: { leaf: { type: 'string' }, branches: { type: 'array', items: { $ref: 'Tree.json' } } },
      required: ['leaf', 'branches'],
    };
    const [payload] = await sampled({ tree: { $ref: 'Tree.json' } }, { count: 3, shapes: [tree] });
    expect(JSON.stringify(payload).length).toBeLessThan(100_000);
  });

  it('ends at a choice that does not contain itself', async () => {
    const tree = { $ref: 'Tree.json' } as const;
    const shape: JsonSchema = {
      $id: 'Tree',
      type: ['object', 'null'],
      properties: {
        left: { anyOf: [tree, { type: 'null' }] },
        right: { oneOf: [tree, { type: 'integer' }] },
        up: tree,
      },
      required: ['left', 'right'],
    };
    const [payload] = await sampled({ tree }, { count: 3, shapes: [shape] });
    expect(JSON.stringify(payload).length).toBeLessThan(100_000);
    await sampled({ tree }, { count: 1, shapes: [{ ...shape, required: ['left', 'right', 'up'] }] });
  });

  it('writes an instant as its pattern demands, not as any text of the pattern', async () => {
    const pattern = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d';
    const text = (end: string, others = {}) => ({ type: 'string', pattern: `${pattern}${end}$`, ...others });
    const [payload = {}] = await sampled({
      local: text('', { format: 'date-time' }),
      offset: text('[+]\\d\\d:\\d\\d', { format: 'date-time' }),
      deliveredAt: text('\\.\\d{3}'),
      arrived_at: text('Z'),
    });
    const instants = Object.values(payload).map((each) => Date.parse(String(each)));
    expect(instants.filter(Number.isNaN)).toEqual([]);
  });

  it('reads names in camel case', async () => {
    const [payload] = await sampled({ parcelId: { type: 'string' }, deliveredOn: { type: 'string' } });
    expect(payload).toEqual({
      parcelId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      deliveredOn: expect.stringMatching(/^202[56]-\d\d-\d\d$/),
    });
  });

  it('creates values of the formats that programs parse', async () => {
    const formats = ['duration', 'hostname', 'ipv6', 'byte', 'uri-reference'];
    const [payload] = await sampled(
      Object.fromEntries(formats.map((format) => [format, { type: 'string', format }])),
    );
    expect(payload).toEqual({
      duration: 'P1D',
      hostname: 'example.com',
      ipv6: '2001:db8::1',
      byte: 'c2FtcGxl',
      'uri-reference': expect.stringMatching(/^[a-z0-9-]+$/),
    });
  });

  it('reports a field without possible samples', async () => {
    const impossible = sampled({ code: { type: 'string', pattern: '^(?=x)y$' } });
    await expect(impossible).rejects.toThrow(/"code" of "tariff.changed".*"examples"/);
  });

  it('reports a shape that contains itself endlessly', async () => {
    const loop = {
      $id: 'Loop',
      type: 'object',
      properties: { next: { $ref: 'Loop.json' } },
      required: ['next'],
    };
    await expect(sampled({ loop: { $ref: 'Loop.json' } }, { shapes: [loop] })).rejects.toThrow(
      /itself endlessly/,
    );
  });

  it('creates multiples of hundredths', async () => {
    await sampled({ price: { type: 'number', minimum: 0, maximum: 1, multipleOf: 0.01 } }, { count: 100 });
  });

  it('creates valid numbers for any limits', () =>
    fc.assert(
      fc.asyncProperty(fc.integer(), fc.nat(1e6), async (minimum, room) => {
        await sampled({ weight: { type: 'integer', minimum, maximum: minimum + room } }, { count: 3 });
      }),
      { numRuns: cases(8, 30) },
    ));
});
