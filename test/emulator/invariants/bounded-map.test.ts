import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BoundedMap } from '../../../emulator/invariants/bounded-map.js';

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const use = fc.record({ id: ids, how: fc.constantFrom('set', 'get', 'forget') });

it('BoundedMap remembers the most recently used entities, and at most twice as many', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.array(use, { maxLength: 100, size: 'max' }),
      (least, uses) => {
        const map = new BoundedMap<number>(least);
        /** All values, the most recently used last; undefined for a forgotten one, which keeps its place. */
        const all = new Map<string, number | undefined>();
        uses.forEach(({ id, how }, index) => {
          if (how === 'forget') {
            map.forget(id);
            if (all.has(id)) all.set(id, undefined);
            return;
          }
          const value = how === 'set' ? index : map.get(id);
          if (how === 'set') map.set(id, index);
          if (value === undefined) return;
          expect(how === 'get' ? all.get(id) : value).toBe(value);
          all.delete(id);
          all.set(id, value);
        });
        const known = [...map.entries()];
        expect(known.length).toBeLessThanOrEqual(2 * least);
        const newest = [...all].slice(-least).filter(([, value]) => value !== undefined);
        expect(known).toEqual(expect.arrayContaining(newest));
      },
    ),
  );
});

it('BoundedMap forgets an entity that was not used for long', () => {
  const map = new BoundedMap<number>(2);
  for (const [value, id] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    map.set(id, value);
    expect(map.get('b') === undefined).toBe(value === 0);
  }
  expect(map.get('a')).toBeUndefined();
});
