import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Newest } from '../../../src/base/newest.js';

const keys = 12;

describe('a map of the newest keys', () => {
  it('equals a plain list after any changes, and never exceeds its bound', () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ key: fc.nat(keys - 1), value: fc.nat(9) }) },
      { weight: 1, arbitrary: fc.record({ below: fc.nat(9) }) },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), fc.array(step, { maxLength: 60 }), (max, steps) => {
        const newest = new Newest<number, number>(max);
        const list: { key: number; value: number }[] = [];
        for (const each of steps) {
          if ('below' in each) {
            newest.dropWhile((value) => value < each.below);
            while (list[0] !== undefined && list[0].value < each.below) list.shift();
          } else {
            newest.set(each.key, each.value);
            const same = list.find(({ key }) => key === each.key);
            if (same === undefined) list.push(each);
            else list.splice(list.indexOf(same), 1, each);
            if (list.length > max) list.shift();
          }
          expect(newest.size).toBe(list.length);
          for (let key = 0; key < keys; key++) {
            expect(newest.get(key)).toBe(list.find((entry) => entry.key === key)?.value);
          }
        }
      }),
    );
  });
});
