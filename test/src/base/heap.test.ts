import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heap } from '../../../src/base/heap.js';

describe('a heap', () => {
  it('pops the smallest item after any pushes and pops', () => {
    const step = fc.oneof(fc.integer(), fc.constant('pop' as const));
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const heap = new Heap<number>((one, other) => one < other);
        const sorted: number[] = [];
        for (const each of steps) {
          if (each === 'pop') expect(heap.pop()).toBe(sorted.shift());
          else {
            heap.push(each);
            sorted.push(each);
            sorted.sort((one, other) => one - other);
          }
          expect(heap.peek()).toBe(sorted[0]);
          expect(heap.size).toBe(sorted.length);
        }
      }),
    );
  });
});
