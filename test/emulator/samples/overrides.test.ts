import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { createSampler } from '../../../emulator/samples/sampler.js';

const catalogue = openCatalogue();
const sampler = await createSampler({ catalogue, seed: 11 });
const sample = (name: string, overrides: Record<string, unknown>, nth = 0) =>
  sampler.sample(catalogue.named(name)!, { nth, overrides }) as Record<string, never>;

describe('sample overrides', () => {
  it('set values at any depth, also in optional fields', () => {
    for (let nth = 0; nth < 20; nth++) {
      const payload = sample(
        'billing.ledger.entry_posted-v2',
        { 'entry.source_id': 42, 'ledger.account.number': 'A-00000001' },
        nth,
      );
      expect(payload).toMatchObject({
        entry: { source_id: 42 },
        ledger: { account: { number: 'A-00000001' } },
      });
    }
  });

  it('extend lists as needed', () => {
    const payload = sample('lifecycle.leave-supplier.completed-v3', {
      'supply_points[3].market_name': 'GBR_GAS',
    });
    expect(payload.supply_points).toHaveLength(4);
    expect(payload.supply_points).toMatchObject([
      { external_identifier: expect.any(String) },
      {},
      {},
      { market_name: 'GBR_GAS' },
    ]);
    expect(
      sample('account.created-v1', { 'account_user_emails[2]': 'x@example.com' }).account_user_emails,
    ).toEqual([expect.stringContaining('@example.'), expect.stringContaining('@example.'), 'x@example.com']);
  });

  it('change related fields', () => {
    for (let nth = 0; nth < 20; nth++) {
      for (const [market, length] of [
        ['GBR_GAS', 10],
        ['GBR_ELECTRICITY', 13],
      ] as const) {
        const { supply_points } = sample(
          'lifecycle.leave-supplier.cancelled-v2',
          { 'supply_points[0].market_name': market },
          nth,
        );
        const [first, second] = supply_points as unknown as Record<string, string>[];
        expect(first!.external_identifier).toHaveLength(length);
        expect(first!.market_identifier).toBe(first!.external_identifier);
        if (second !== undefined) expect(second.market_name).not.toBe(market);
      }
      const named = sample(
        'lifecycle.leave-supplier.cancelled-v2',
        { 'supply_points[0].external_identifier': '3938424403' },
        nth,
      );
      expect(named.supply_points![0]).toMatchObject({
        market_name: 'GBR_GAS',
        market_identifier: '3938424403',
      });
      const agreed = sample('contracts.actualized-v1', {}, nth);
      expect(agreed.for_subjects).toEqual([sample('account.created-v1', {}, nth).account_number]);
      const talk = sample('ink.conversation.opened-v1', { conversation_id: 918273 }, nth);
      expect(talk.conversation_relay_id).toBe('SW5rQ29udmVyc2F0aW9uOjkxODI3Mw==');
    }
  });

  it('keep identifiers unique in long lists', () => {
    const { supply_points } = sample('lifecycle.leave-supplier.cancelled-v2', {
      'supply_points[5].market_name': 'GBR_GAS',
    });
    const points = supply_points as unknown as Record<string, string>[];
    expect(new Set(points.map((each) => each.external_identifier)).size).toBe(6);
    for (const { market_name, external_identifier } of points) {
      expect(external_identifier).toHaveLength(market_name === 'GBR_GAS' ? 10 : 13);
    }
    const agreed = sample('contracts.actualized-v1', { 'for_subjects[0]': 'A-1B2C3D4E' });
    expect(JSON.stringify(agreed).match(/A-[0-9A-F]{8}/g)).toEqual(['A-1B2C3D4E']);
  });

  it('change no other field', () => {
    const plain = sample('meterpoint.gas.cos_gain.mtd_received-v1', {});
    const set = sample('meterpoint.gas.cos_gain.mtd_received-v1', { county: 'Elsewhere' });
    expect(set).toEqual({ ...plain, county: 'Elsewhere' });
  });

  it('set values in open objects', () => {
    const { changes } = sample('account.updated-v1', {
      'changes.status.new': 'VOID',
      'changes.colour': 'red',
    });
    expect(changes).toMatchObject({ status: { new: 'VOID' }, colour: 'red' });
  });

  it('leave other samples unchanged', () => {
    const value = { a: { old: 1, new: 2 } };
    const first = sample('account.updated-v1', { changes: value, 'changes.b': 3 });
    expect(first.changes).toEqual({ ...value, b: 3 });
    expect(value).toEqual({ a: { old: 1, new: 2 } });
  });

  it.each([
    ['nope', /has no field "nope": the fields of the event are "account_number"/],
    ['supply_points.market_name', /"supply_points" is a list.*write "supply_points\[0\]"/],
    ['account_number[0]', /"account_number" is a string, not a list/],
    ['account_number.x', /"account_number" is a string, which has no fields/],
    ['supply_points[0].nope', /the fields of "supply_points\[0\]" are "external_identifier"/],
    ['supply_points[5000].market_name', /more than 1000/],
    ['', /is not the path of a field/],
    ['a..b', /is not the path of a field/],
    ['supply_points[-1]', /is not the path of a field/],
    ['supply_points[0', /is not the path of a field/],
    ['__proto__.x', /is not the path of a field/],
    ['toString', /has no field "toString"/],
  ])('fails at "%s", where the event has no field', (path, message) => {
    expect(() => sample('lifecycle.leave-supplier.completed-v3', { [path]: 'x' })).toThrow(message);
  });

  it('reject a path through a value', () => {
    expect(() => sample('account.updated-v1', { changes: 'all', 'changes.status': 1 })).toThrow(
      /cannot be set/,
    );
  });

  it('reject an event of another catalogue', () => {
    const event = { ...catalogue.named('account.created-v1')!, name: 'account.created-v9' };
    expect(() => sampler.sample(event)).toThrow(/has no event "account.created-v9"/);
  });
});
