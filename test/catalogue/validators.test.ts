import { openCatalogue } from 'busbar/catalogue';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../cases.js';
import { payloads } from './payloads.js';

const catalogue = openCatalogue();

describe('the validators of the catalogue', () => {
  it('accept every payload that the schema describes', async () => {
    for (const event of catalogue.events) {
      const validate = await catalogue.validator(event);
      fc.assert(
        fc.property(payloads(await catalogue.schema(event)), (payload) => validate(payload)),
        { numRuns: cases(2, 10), seed: 1 },
      );
    }
  });

  it('agree with ajv at run time, for random mistakes', async () => {
    let valid = 0;
    let invalid = 0;
    for (const event of catalogue.events) {
      const validate = await catalogue.validator(event);
      const schema = await catalogue.schema(event);
      for (const payload of fc.sample(payloads(schema, true), { numRuns: cases(4, 40), seed: 2 })) {
        const violations = await catalogue.explain(event, payload);
        expect(validate(payload), `${event.name} ${JSON.stringify(payload)}`).toBe(violations.length === 0);
        if (violations.length === 0) valid += 1;
        else invalid += 1;
      }
    }
    expect(Math.min(valid, invalid)).toBeGreaterThan(cases(100, 1000));
  });

  it.each(catalogue.events)('requires exactly the required fields: $name', async (event) => {
    const validate = await catalogue.validator(event);
    const schema = await catalogue.schema(event);
    const [payload] = fc.sample(payloads(schema), { numRuns: 1, seed: 3 }) as [Record<string, unknown>];
    for (const name of Object.keys(schema.properties ?? {})) {
      const without = Object.fromEntries(Object.entries(payload).filter(([key]) => key !== name));
      expect(validate(without), name).toBe(schema.required?.includes(name) !== true);
    }
  });

  it('reject values that are not objects', async () => {
    for (const event of catalogue.events) {
      const validate = await catalogue.validator(event);
      expect([null, undefined, 1, 'text', true, []].map((payload) => validate(payload))).not.toContain(true);
    }
  });

  it('accept fields that the schema does not list', async () => {
    const event = catalogue.find('business.created', 'v1')!;
    const validate = await catalogue.validator(event);
    expect(validate({ id: 1, further: { anything: [true] } })).toBe(true);
  });

  it('tolerate hostile keys', async () => {
    const event = catalogue.find('business.updated', 'v1')!;
    const validate = await catalogue.validator(event);
    const hostile = JSON.parse(
      '{"id":1,"changes":{"__proto__":{"x":1}},"__proto__":{"id":2},"constructor":1}',
    );
    expect(validate(hostile)).toBe(true);
    expect(validate(JSON.parse('{"__proto__":{"id":1,"changes":{}}}'))).toBe(false);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('tolerate 10,000 levels and 10 MB', async () => {
    const event = catalogue.find('business.updated', 'v1')!;
    const validate = await catalogue.validator(event);
    let deep: unknown = {};
    for (let level = 0; level < 10_000; level++) deep = { deep };
    expect(validate({ id: 1, changes: deep })).toBe(true);
    expect(validate({ id: deep, changes: {} })).toBe(false);
    expect(validate({ id: 'x'.repeat(10_000_000), changes: {} })).toBe(false);
    expect(await catalogue.explain(event, { id: deep, changes: deep })).toMatchObject([{ pointer: '/id' }]);
  });
});
