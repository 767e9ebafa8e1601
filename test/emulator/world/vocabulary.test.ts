import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../emulator/engine/random.js';
import { anyKey, weightedKey } from '../../../emulator/world/weights.js';
import * as vocabulary from './vocabulary.js';

/** Every table with its name: `billing.holdCodes`. */
const tables = Object.entries(vocabulary).flatMap(([domain, values]) =>
  Object.entries(values as Record<string, unknown>)
    .filter(([, table]) => typeof table !== 'function')
    .map(([name, table]) => ({ name: `${domain}.${name}`, table })),
);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const weighted = tables.flatMap(({ name, table }) =>
  isObject(table) && Object.values(table).every((value) => typeof value === 'number')
    ? [{ name, table: table as Record<string, number> }]
    : [],
);

/** Every string of a table, keys included. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(texts);
  return isObject(value) ? Object.entries(value).flatMap(([key, each]) => [key, ...texts(each)]) : [];
}

describe('vocabulary', () => {
  it.each(weighted)('weighs every value of $name, and all of them together 1', ({ table }) => {
    for (const weight of Object.values(table)) expect(weight).toBeGreaterThan(0);
    const sum = Object.values(table).reduce((total, weight) => total + weight, 0);
    expect(sum).toBeCloseTo(1, 5);
  });

  it('repeats no value in a list', () => {
    for (const { name, table } of tables) {
      if (Array.isArray(table))
        expect([name, new Set(table.map((each) => JSON.stringify(each))).size]).toEqual([name, table.length]);
    }
  });

  it('contains only fictional addresses, buckets and participants', () => {
    const all = tables.flatMap(({ table }) => texts(table));
    expect(all.filter((text) => text.includes('@') && !/@example\.(com|org|net)$/.test(text))).toEqual([]);
    expect(Object.values(vocabulary.platform.buckets).every((bucket) => bucket.startsWith('emulator-'))).toBe(
      true,
    );
    const { ownSupplier, otherSuppliers, meterAssetManagers } = vocabulary.participants;
    for (const { electricity, gas } of [ownSupplier, ...otherSuppliers]) {
      expect(electricity).toMatch(/^[A-Z0-9]{4}$/);
      expect(gas).toMatch(/^[A-Z]{3}$/);
    }
    for (const manager of meterAssetManagers) expect(manager).toMatch(/^[A-Z]{3}$/);
  });

  it('keeps metadata keys in snake_case of at most 64 characters', () => {
    const { accountNotes, userNotes } = vocabulary.customer;
    for (const key of Object.keys({ ...accountNotes, ...userNotes }))
      expect(key).toMatch(/^[a-z][a-z_]{0,63}$/);
  });

  it('describes every needs code', () => {
    for (const [code, { description }] of Object.entries(vocabulary.vulnerability.needs)) {
      expect(code).toMatch(/^\d\d$/);
      expect(description).not.toBe('');
    }
  });

  it('draws keys by weight, or evenly', () => {
    const random = randomStream('vocabulary test');
    const table = { often: { weight: 3 }, seldom: { weight: 1 } };
    const keys = Array.from({ length: 4000 }, () => weightedKey(random, table));
    expect(keys.filter((key) => key === 'often').length / 4000).toBeCloseTo(0.75, 1);
    expect(new Set(Array.from({ length: 50 }, () => anyKey(random, table)))).toEqual(
      new Set(['often', 'seldom']),
    );
  });
});
