import { openCatalogue } from 'busbar';
import { arbitraryEvent, createSamples, sample, samples } from 'busbar/testing';
import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';

const catalogue = openCatalogue();
const leave = 'lifecycle.leave-supplier.completed';
const keyed = catalogue.events.map(({ type, version }) => [type, version] as [never, never]);

describe('a sample', () => {
  it('is typed and realistic, and the same for the same arguments', () => {
    const payload = sample(leave, 'v3');
    expectTypeOf(payload.account_number).toEqualTypeOf<string>();
    expect(payload.account_number).toMatch(/^A-[0-9A-F]{8}$/);
    expect(sample(leave, 'v3')).toEqual(payload);
    expect(sample(leave, 'v3', {}, { nth: 1 }).account_number).not.toBe(payload.account_number);
    expect(sample(leave, 'v3', {}, { seed: 2 }).account_number).not.toBe(payload.account_number);
    expect(sample('account.created', 'v1').account_number).toBe(payload.account_number);
  });

  it('has what is wanted in it, at any depth, and what belongs to that', () => {
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

  it('leaves out what is undefined, and has optional fields when they are asked for', () => {
    expect(sample('campaign_account.added', 'v1', {}, { fields: 'full' })).toHaveProperty('campaign_slug');
    const without = sample('campaign_account.added', 'v1', { campaign_slug: undefined }, { fields: 'full' });
    expect(without).not.toHaveProperty('campaign_slug');
  });

  it('is refused when the overrides make it invalid: pointer and rule, no value', () => {
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

  it('is of events of your own as well, from a catalogue that has them', async () => {
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

describe('samples of every kind', () => {
  it.each(keyed)('of %s %s are valid, and are what their names say', async (type, version) => {
    const event = catalogue.find(type, version)!;
    const made = samples(type, version);
    expect(made.map(({ kind }) => kind)).toEqual([
      'usual',
      'minimal',
      'full',
      'empty lists',
      'lowest values',
      'highest values',
      'unknown fields',
    ]);
    for (const { kind, payload } of made) {
      expect(await catalogue.explain(event, payload), kind).toEqual([]);
      const strict = await catalogue.explain(event, payload, { strict: true });
      expect(strict.length > 0, kind).toBe(kind === 'unknown fields' && hasListedFields(payload));
      if (kind === 'empty lists') expect(JSON.stringify(payload)).not.toMatch(/\[[^\]]/);
    }
  });

  it('go to the bounds of each value, and leave a time a time', () => {
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

describe('an arbitrary event', () => {
  it.each(keyed)(
    'of %s %s is valid, and shrinks to the required fields with empty lists',
    async (type, version) => {
      const event = catalogue.find(type, version)!;
      const valid = await catalogue.validator(event);
      fc.assert(
        fc.property(arbitraryEvent(type, version), (payload) => valid(JSON.parse(JSON.stringify(payload)))),
        { numRuns: 20 },
      );
      const { counterexample } = fc.check(
        fc.property(arbitraryEvent(type, version), () => false),
        { numRuns: 1, seed: 7 },
      );
      const [smallest] = counterexample!;
      const minimal = samples(type, version).find(({ kind }) => kind === 'minimal')!.payload as object;
      expect(Object.keys(smallest as object).sort()).toEqual(Object.keys(minimal).sort());
      expect(JSON.stringify(smallest)).not.toMatch(/\[[^\]]/);
    },
  );
});

function hasListedFields(payload: unknown): boolean {
  return Object.keys(payload as object).length > 0;
}
