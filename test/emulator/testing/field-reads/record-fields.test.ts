import { inspect } from 'node:util';
import { createConsumer, openCatalogue, silentLogger } from 'busbar';
import { recordFields } from 'busbar-emulator/testing';
import { describe, expect, it } from 'vitest';

const catalogue = openCatalogue({
  events: [
    {
      'x-event-type': 'tariff.changed',
      'x-event-version': 'v1',
      'x-busbar-key': 'tariff',
      type: 'object',
      properties: {
        code: { type: 'string' },
        note: { type: 'string' },
        rates: {
          type: 'array',
          items: { type: 'object', properties: { 'a/b': { type: 'string' } }, required: ['a/b'] },
        },
        names: {
          type: 'object',
          additionalProperties: { type: 'string' },
          default: { 'customer 17': 'Ada' },
        },
      },
      required: ['code', 'rates', 'names'],
    },
  ],
});

interface Tariff {
  code: string;
  note?: string;
  rates: { 'a/b': string }[];
  names: Record<string, string>;
}

async function readsOf(handler: (payload: Tariff) => unknown, contract = {}) {
  const consumer = createConsumer({ catalogue, logger: silentLogger });
  consumer.onMatching('tariff.*', ({ payload }) => void handler(payload as Tariff), { name: 'tariffs' });
  const reads = await recordFields(consumer, { catalogue, ...contract });
  expect(Object.keys(reads)).toEqual(['tariff.changed-v1']);
  return reads['tariff.changed-v1']?.['tariffs'];
}

describe('recordFields', () => {
  it('records the fields that a handler reads, and none of their values', async () => {
    expect(
      await readsOf(({ code, rates, names }) => [
        code.length,
        ...rates.map((rate) => rate['a/b']),
        names['customer 17'],
      ]),
    ).toEqual(['/code', '/names', '/names/*', '/rates', '/rates/*', '/rates/*/a~1b']);
  });

  it('records the question whether an optional field is there', async () => {
    expect(await readsOf((payload) => 'note' in payload)).toEqual(['/note']);
  });

  it('records a field that the schema no longer names', async () => {
    const read = await readsOf((payload) => {
      for (const name of ['price', 'A-1B2C3D4E']) Reflect.get(payload, name);
    });
    expect(read).toEqual(['/price']);
  });

  it('records a handler that reads nothing', async () => {
    expect(await readsOf(() => undefined)).toEqual([]);
  });

  it.each<[string, (payload: Tariff) => unknown, string[]]>([
    ['serialises', (payload) => JSON.stringify(payload), ['/**']],
    ['spreads', (payload) => ({ ...payload }), ['/**']],
    ['formats a part', ({ rates }) => inspect({ rates }), ['/rates/**']],
    ['lists', ({ names }) => Object.keys(names), ['/names/**']],
    ['formats', (payload) => inspect(payload), ['/**']],
    ['clones', (payload) => structuredClone(payload), ['/**']],
    ['changes', (payload) => (payload.code = ''), ['/**']],
  ])('counts all of a payload that a handler %s as read', async (_name, handler, expected) => {
    expect(await readsOf(handler)).toEqual(expected);
  });

  it('counts what the state keeps of a payload as read', async () => {
    const state = new Map<string, unknown>();
    const contract = { observe: () => state, reset: () => state.clear() };
    expect(await readsOf(({ rates }) => state.set('rates', [...rates]), contract)).toEqual([
      '/rates',
      '/rates/*/**',
    ]);
  });

  it('counts all of a version that an upcast converts as read', async () => {
    const consumer = createConsumer({ logger: silentLogger });
    const seen = new Set<unknown>();
    consumer.on('agreement.updated', 'v2', ({ payload }) => void seen.add(payload.account_number), {
      name: 'agreements',
    });
    consumer.upcast('agreement.updated', 'v1', 'v2', (payload) => ({ ...payload, account_number: 'A-1' }));
    expect(await recordFields(consumer, { scenarios: [] })).toEqual({
      'agreement.updated-v1': { agreements: ['/**'] },
      'agreement.updated-v2': { agreements: ['/account_number'] },
    });
  });
});
