import { busbarEnvelope, openCatalogue } from 'busbar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../../catalogue/index.js';
import { proposedSchema } from '../../../../src/cli/catalogue/check/propose.js';
import { RecordCheck } from '../../../../src/cli/catalogue/check/record-check.js';
import { cases } from '../../../cases.js';
import { recordOf } from '../../records.js';

const ruled: JsonSchema = {
  'x-event-type': 'tariff.changed',
  'x-event-version': 'v1',
  type: 'object',
  properties: { code: { enum: ['DAY', 'NIGHT'] }, price: { type: 'number', minimum: 0 } },
  required: ['code'],
};
const catalogue = openCatalogue({ events: [ruled] });
const names = [
  'lifecycle.leave-supplier.requested-v2',
  'contract-groups.version-created-v1',
  'billing.ledger.entry_posted-v2',
  'ink.conversation.closed-v1',
  'tariff.changed-v1',
];
const events = names.map((name) => catalogue.named(name)!);
const fields = new Map(
  await Promise.all(
    events.map(async (event) => {
      const { properties = {}, $defs = {} } = await catalogue.schema(event);
      const all = [properties, ...Object.values($defs).map((shape) => shape.properties ?? {})];
      return [event.name, all.flatMap((each) => Object.keys(each))] as const;
    }),
  ),
);

/** Any JSON, in which many names are fields of the event. */
const payloadOf = (name: string) => {
  const field = fc.oneof(
    fc.constantFrom(...(fields.get(name) ?? ['name', 'list'])),
    fc.constantFrom('brand', 'x y', 'A-77'),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>(null, true, 0, 1.5, 'text', '2026-03-01'),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(field, tie('tree'), { maxKeys: 6, noNullPrototype: true }),
    ),
  }));
  return tree;
};

describe('a proposed schema', () => {
  it('accepts every payload that was read, and names its fields', async () => {
    const event = fc.constantFrom(
      ...events,
      { name: 'a.new-v1', type: 'a.new', version: 'v1' },
      { name: 'account_user.created-v7', type: 'account_user.created', version: 'v7' },
    );
    const batch = event.chain(({ name, type, version }) =>
      fc.record({
        type: fc.constant(type),
        version: fc.constant(version),
        payloads: fc.array(payloadOf(name)),
      }),
    );
    await fc.assert(
      fc.asyncProperty(batch, async ({ type, version, payloads }) => {
        const check = new RecordCheck(catalogue, busbarEnvelope());
        for (const payload of payloads) {
          await check.add(recordOf(JSON.stringify({ event_type: type, version, payload })));
        }
        for (const observed of check.events) {
          const schema = proposedSchema(observed, catalogue);
          const proposed = schema === undefined ? catalogue : openCatalogue({ events: [schema] });
          const validate = await proposed.validator(proposed.find(type, version)!);
          for (const payload of payloads) expect(validate(payload)).toBe(true);
        }
      }),
      { numRuns: cases(150, 2_000) },
    );
  });
});
