import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Heap } from '../../../src/base/heap.js';

describe('a heap', () => {
  it('pops the smallest item after any pushes and pops', () => {
    const step = fc.oneof(
      { weight: 2, arbitrary: fc.integer() },
      { weight: 1, arbitrary: fc.constant('pop' as const) },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100, size: 'max' }), (steps) => {
        const heap = new Heap<{ readonly rank: number }>((one, other) => one.rank < other.rank);
        const sorted: number[] = [];
        for (const each of steps) {
          if (each === 'pop') expect(heap.pop()?.rank).toBe(sorted.shift());
          else {
            heap.push({ rank: each });
            sorted.push(each);
            sorted.sort((one, other) => one - other);
          }
          expect(heap.peek()?.rank).toBe(sorted[0]);
          expect(heap.size).toBe(sorted.length);
        }
      }),
    );
  });

  it('starts empty after clear()', () => {
    const heap = new Heap<number>((one, other) => one < other);
    for (const item of [3, 1, 2]) heap.push(item);
    heap.clear();
    expect([heap.size, heap.pop()]).toEqual([0, undefined]);
    heap.push(1);
    expect(heap.pop()).toBe(1);
  });
});
