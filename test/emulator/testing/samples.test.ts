import { openCatalogue } from 'busbar';
import { arbitraryEvent, createSamples, sample, samples } from 'busbar-emulator/testing';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { cases, playsAll } from '../../cases.js';

const catalogue = openCatalogue();
const leave = 'lifecycle.leave-supplier.completed';
/** Every event; in `npm test` every fourth. */
const keyed = catalogue.events
  .filter((_, nth) => playsAll || nth % 4 === 0)
  .map(({ type, version }) => [type, version] as [never, never]);

describe('sample()', () => {
  it('returns the same typed, realistic payload for the same arguments', () => {
    const payload = sample(leave, 'v3');
    expectTypeOf(payload.account_number).toEqualTypeOf<string>();
    expect(payload.account_number).toMatch(/^A-[0-9A-F]{8}$/);
    expect(sample(leave, 'v3')).toEqual(payload);
    expect(sample(leave, 'v3', {}, { nth: 1 }).account_number).not.toBe(payload.account_number);
    expect(sample(leave, 'v3', {}, { seed: 2 }).account_number).not.toBe(payload.account_number);
    expect(sample('account.created', 'v1').account_number).toBe(payload.account_number);
  });

  it('applies overrides at any depth, with their dependent fields', () => {
    const { account_number, supply_points } = sample(leave, 'v3', {
      account_number: 'A-1B2C3D4E',
      supply_points: [{ market_name: 'GBR_GAS' }, {}, { confirmed_supply_end_date: '2026-03-09' }],
    });
    expect(account_number).toBe('A-1B2C3D4E');
    expect(supply_points).toHaveLength(3);
    expect(supply_points[0]).toMatchObject({
      market_name: 'GBR_GAS',
      external_identifier: expect.stringMatching(/^\d{6,10}$/),
    });
    expect(supply_points[2]?.confirmed_supply_end_date).toBe('2026-03-09');
    expect(sample(leave, 'v3', { supply_points: [] }).supply_points).toEqual([]);
    expect(sample(leave, 'v3', { supply_points: [{}] }).supply_points).toHaveLength(1);
  });

  it('removes undefined fields, and includes all optional fields on request', () => {
    expect(sample('campaign_account.added', 'v1', {}, { fields: 'full' })).toHaveProperty('campaign_slug');
    const without = sample('campaign_account.added', 'v1', { campaign_slug: undefined }, { fields: 'full' });
    expect(without).not.toHaveProperty('campaign_slug');
  });

  it('rejects invalid overrides with pointer and rule, without values', () => {
    const secret = 'Jane Doe';
    expect(() => sample(leave, 'v3', { supply_points: [{ market_name: 4711 as never }] })).toThrow(
      `"${leave}-v3" is not valid with these overrides: "/supply_points/0/market_name" must be string (rule "type").`,
    );
    const wrong = () => sample(leave, 'v3', { leave_supplier_process_id: secret as never });
    expect(wrong).toThrow('"/leave_supplier_process_id" must be integer (rule "type")');
    expect(wrong).not.toThrow(secret);
    expect(() => sample(leave, 'v3', { account_number: undefined })).toThrow('"/account_number" is required');
    expect(() => sample(leave, 'v3', { acount_number: 'A-1' } as never)).toThrow('no field "acount_number"');
    expect(() => sample(leave, 'v9' as never)).toThrow('has no version "v9"');
  });

  it('returns samples of custom events for a custom catalogue', async () => {
    const own = openCatalogue({
      events: [
        {
          $id: 'tariff.changed-v1',
          'x-event-type': 'tariff.changed',
          'x-event-version': 'v1',
          type: 'object',
          properties: { tariff_code: { type: 'string', enum: ['A', 'B'] }, changed_at: { type: 'string' } },
          required: ['tariff_code'],
        },
      ],
    });
    const made = await createSamples({ catalogue: own });
    expect(
      made.sample('tariff.changed' as never, 'v1' as never, { tariff_code: 'B' } as never),
    ).toMatchObject({ tariff_code: 'B' });
    expect(() => sample('tariff.changed' as never, 'v1' as never)).toThrow('no event "tariff.changed"');
  });
});

it('names the rules of a schema that excludes its own sample', async () => {
  const part = (name: string) => ({
    properties: { [name]: { type: 'string' } },
    required: [name],
    additionalProperties: false,
  });
  const marks = { 'x-event-type': 'parcel.packed', 'x-event-version': 'v1', type: 'object' };
  const own = openCatalogue({ events: [{ ...marks, allOf: [part('a'), part('b')] }] });
  const made = await createSamples({ catalogue: own });
  expect(() => made.sample('parcel.packed' as never, 'v1' as never)).toThrow(
    'No sample of "parcel.packed-v1" can be made, because its schema may exclude every payload: "/b" is not a known field',
  );
});

describe('samples()', () => {
  it.each(keyed)('returns a valid sample of each kind for %s %s', async (type, version) => {
    const event = catalogue.find(type, version)!;
    const made = samples(type, version);
    const values = ['lowest values', 'highest values'];
    const kinds = ['usual', 'minimal', 'full', 'empty lists', ...values, 'unknown fields'];
    expect(made.map(({ kind }) => kind)).toEqual(kinds);
    const isValid = await catalogue.validator(event);
    for (const { kind, payload } of made) {
      expect(isValid(payload), kind).toBe(true);
      const strict = await catalogue.explain(event, payload, { strict: true });
      expect(strict.length > 0, kind).toBe(kind === 'unknown fields' && hasListedFields(payload));
      if (kind === 'empty lists') expect(JSON.stringify(payload)).not.toMatch(/\[[^\]]/);
    }
  });

  it('returns valid samples where a schema excludes a kind', async () => {
    const letters = { enum: ['a', 'b', 'c'] };
    const schema = {
      'x-event-type': 'parcel.packed',
      'x-event-version': 'v1',
      type: 'object',
      properties: {
        tags: { type: 'array', items: letters, minItems: 3, uniqueItems: true },
        size: { type: 'string', nullable: true, enum: ['S', 'L'] },
      },
      required: ['tags', 'size'],
      unevaluatedProperties: false,
    };
    const own = openCatalogue({ events: [schema] });
    const made = (await createSamples({ catalogue: own })).samples('parcel.packed' as never, 'v1' as never);
    const isValid = await own.validator(own.named('parcel.packed-v1')!);
    expect(made.filter(({ payload }) => !isValid(payload)).map(({ kind }) => kind)).toEqual([]);
  });

  it('uses the bounds of each value, and keeps the format of times', () => {
    const payloadOf = (kind: string) =>
      samples('lifecycle.leave-supplier.requested', 'v3').find((each) => each.kind === kind)?.payload;
    expect(payloadOf('lowest values')).toMatchObject({
      account_number: '',
      leave_supplier_process_id: 0,
      is_passive: false,
      requested_at: '1970-01-01T00:00:00Z',
    });
    expect(payloadOf('highest values')).toMatchObject({
      leave_supplier_process_id: Number.MAX_SAFE_INTEGER,
      is_passive: true,
      requested_supply_end_date: '2999-12-31',
    });
  });
});

describe('arbitraryEvent()', () => {
  it.each(keyed)('returns valid payloads of %s %s that shrink to required fields', async (type, version) => {
    const event = catalogue.find(type, version)!;
    const valid = await catalogue.validator(event);
    fc.assert(
      fc.property(arbitraryEvent(type, version), (payload) => valid(JSON.parse(JSON.stringify(payload)))),
      { numRuns: cases(3, 20) },
    );
    const { counterexample } = fc.check(
      fc.property(arbitraryEvent(type, version), () => false),
      { numRuns: 1, seed: 7 },
    );
    const [smallest] = counterexample!;
    const minimal = samples(type, version).find(({ kind }) => kind === 'minimal')!.payload as object;
    expect(Object.keys(smallest as object).sort()).toEqual(Object.keys(minimal).sort());
    expect(JSON.stringify(smallest)).not.toMatch(/\[[^\]]/);
  });
});

function hasListedFields(payload: unknown): boolean {
  return Object.keys(payload as object).length > 0;
}
