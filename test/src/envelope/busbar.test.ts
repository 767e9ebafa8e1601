import { busbarEnvelope } from 'busbar';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recordOf } from '../records.js';

// Few letters, so that names share their ends, their lengths and their middles.
const name = fc.string({ unit: fc.constantFrom('a', 'b', '.', 'ü'), maxLength: 300 });

describe('the default envelope', () => {
  it('reads exactly the names in the headers, among many names', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.constantFrom('v1', '1v1', 'v11', '1', ''))), (names) => {
        const codec = busbarEnvelope();
        for (const [type, version] of [...names, ...names]) {
          expect(codec.peek(recordOf(null, { 'event-type': type, 'event-version': version }))).toEqual({
            type,
            version,
          });
        }
      }),
    );
  });

  it('distinguishes more names than its cache has slots', () => {
    const codec = busbarEnvelope();
    for (let n = 0; n < 10_000; n++) {
      const named = { 'event-type': `type.${n % 5000}.created`, 'event-version': `v${n % 3}` };
      expect(codec.peek(recordOf(null, named))).toEqual({
        type: named['event-type'],
        version: named['event-version'],
      });
    }
  });

  it('returns no name when a header is missing', () => {
    const codec = busbarEnvelope();
    expect(codec.peek(recordOf('{}', { 'event-type': 'account.created' }))).toBeUndefined();
    expect(codec.peek(recordOf('{}', { 'event-version': 'v1' }))).toBeUndefined();
  });

  it('returns the same object for the same name', () => {
    const codec = busbarEnvelope();
    const named = () => recordOf(null, { 'event-type': 'account.created', 'event-version': 'v1' });
    expect(codec.peek(named())).toBe(codec.peek(named()));
  });

  it('reads JSON behind the prefix of a schema registry, and nothing else there', () => {
    const codec = busbarEnvelope();
    const framed = (schema: number, json: string) => {
      const prefix = Buffer.alloc(5);
      prefix.writeUInt32BE(schema, 1);
      return recordOf(Buffer.concat([prefix, Buffer.from(json)]));
    };
    const value = JSON.stringify({ event_type: 'x', version: 'v1', payload: { text: 'é' } });
    for (const schema of [0, 7, 412, 100_255])
      expect(codec.decode(framed(schema, value), undefined)).toMatchObject({ type: 'x', version: 'v1' });
    expect(() => codec.decode(framed(7, '\u0004Avro'), undefined)).toThrow('The value is not JSON');
    expect(() => codec.decode(framed(7, ''), undefined)).toThrow('The value is incomplete JSON.');
    expect(() => codec.decode(recordOf(Buffer.of(0)), undefined)).toThrow('The value is incomplete JSON.');
  });

  it('reads plain byte arrays, and characters of every length', () => {
    const codec = busbarEnvelope();
    const payload = { text: 'a é € 🏠 \ufffd' };
    const value = JSON.stringify({ event_type: 'x', version: 'v1', payload });
    const bytes = new TextEncoder().encode(`  ${value}`).subarray(2);
    expect(codec.decode(recordOf(bytes), undefined)).toEqual({
      type: 'x',
      version: 'v1',
      id: undefined,
      occurredAt: undefined,
      payload,
    });
  });
});
