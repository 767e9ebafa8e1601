import { type JsonSchema, openCatalogue } from 'busbar/catalogue';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BusbarError } from '../../src/base/errors.js';
import { cases } from '../cases.js';

const keywords = [
  'type',
  'properties',
  'items',
  'enum',
  '$ref',
  '$defs',
  'pattern',
  'required',
  'allOf',
  'not',
] as const;
const names = [
  'x-busbar-key',
  '__proto__',
  'title',
  '$id',
  '$schema',
  'minimum',
  'format',
  'if',
  'constructor',
] as const;
const value = fc.oneof(
  fc.constantFrom(
    'object',
    'string',
    '#',
    '#/$defs/Period',
    '(((',
    '[a-',
    'account_number',
    7,
    -1,
    null,
    true,
  ),
  fc.jsonValue({ maxDepth: 1 }),
);
const { schema } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.dictionary(
    fc.constantFrom(...keywords, ...names),
    fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      value,
      tie('schema'),
      fc.array(tie('schema'), { maxLength: 3 }),
    ),
    { maxKeys: 5 },
  ),
}));

/** Fields may have the names of methods. */
const examples: [object, fc.JsonValue][] = [
  [{ enum: [{}] }, { toString: false }],
  [{ $schema: { toString: '' } }, []],
];

it('any schema of a user validates payloads, or is rejected by an error with a code', async () => {
  const outcomes = { used: 0, rejected: 0 };
  await fc.assert(
    fc.asyncProperty(schema, fc.jsonValue(), async (random, payload) => {
      // As it is read from a file.
      const read = JSON.parse(JSON.stringify(random)) as JsonSchema;
      const event = { ...read, 'x-event-type': 'tariff.changed', 'x-event-version': 'v1' };
      try {
        const catalogue = openCatalogue({ events: [event] });
        const validate = await catalogue.validator(catalogue.named('tariff.changed-v1')!);
        validate(payload);
        outcomes.used++;
      } catch (error) {
        expect(error).toBeInstanceOf(BusbarError);
        outcomes.rejected++;
      }
    }),
    { numRuns: cases(200, 10_000), examples },
  );
  expect(outcomes).toEqual({ used: expect.any(Number), rejected: expect.any(Number) });
  for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(10);
});
