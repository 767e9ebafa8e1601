import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { permutation } from '../../../emulator/engine/permutation.js';
import { randomStream } from '../../../emulator/engine/random.js';

describe('a random stream', () => {
  it('gives the same numbers for the same name, on every machine', () => {
    const stream = randomStream(7, 'house-move', 3);
    const drawn = Array.from({ length: 4 }, () => stream.integer(0, 999_999));
    expect(drawn).toMatchInlineSnapshot(`
      [
        584845,
        979097,
        668095,
        270190,
      ]
    `);
    expect(randomStream(7, 'house-move', 3).uuid()).toMatchInlineSnapshot(
      `"95b8687c-faa6-4660-ab08-4902452b373a"`,
    );
  });

  it('gives other numbers for every other name and split of its parts', () => {
    const names = [['a', 'b'], ['ab'], ['a', 'b', ''], ['b', 'a'], [1, 2], [12], ['1', '2']];
    const firsts = names.map((name) => randomStream(...name).uuid());
    // A number and its decimal text are the same name.
    expect(new Set(firsts).size).toBe(names.length - 1);
  });

  it('draws uniformly: each of 100 buckets gets its share of 100,000', () => {
    const stream = randomStream('uniform');
    const buckets = new Array<number>(100).fill(0);
    for (let i = 0; i < 100_000; i++) buckets[stream.integer(0, 99)]!++;
    const chiSquared = buckets.reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
    expect(chiSquared).toBeLessThan(150);
  });

  it('spreads over the doublings between two bounds and never leaves them', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 1, max: 1e6 }),
        (seed, min, factor) => {
          const value = randomStream(seed).spread(min, min * factor);
          expect(value).toBeGreaterThanOrEqual(min);
          expect(value).toBeLessThanOrEqual(min * factor);
        },
      ),
    );
    const stream = randomStream('spread');
    const below8 = Array.from({ length: 10_000 }, () => stream.spread(1, 64)).filter(
      (value) => value < 8,
    ).length;
    expect(below8 / 10_000).toBeCloseTo(0.5, 1);
  });

  it('chooses in proportion to weights, and never a weight of 0', () => {
    const stream = randomStream('weights');
    const drawn = Array.from({ length: 10_000 }, () => stream.weighted({ often: 3, seldom: 1, never: 0 }));
    expect(drawn.filter((key) => key === 'often').length / 10_000).toBeCloseTo(0.75, 1);
    expect(drawn).not.toContain('never');
  });

  it('makes version 4 UUIDs', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        expect(randomStream(seed).uuid()).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }),
    );
  });
});

describe('a permutation', () => {
  it('maps the numbers below its size onto themselves, each once', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3000 }), fc.integer(), (size, seed) => {
        const { apply } = permutation(size, seed, 'test');
        const images = new Set(Array.from({ length: size }, (_, index) => apply(index)));
        expect(images.size).toBe(size);
        expect(Math.min(...images)).toBe(0);
        expect(Math.max(...images)).toBe(size - 1);
      }),
    );
  });

  it('inverts at any size', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 52 - 1 }),
        fc.double({ min: 0, max: 0.999999, noNaN: true }),
        (size, part) => {
          const { apply, invert } = permutation(size, 1);
          const index = Math.floor(part * size);
          expect(invert(apply(index))).toBe(index);
        },
      ),
    );
  });

  it('depends on its name and refuses numbers outside its size', () => {
    const images = (name: string) =>
      Array.from({ length: 20 }, (_, index) => permutation(1000, name).apply(index));
    expect(images('one')).not.toEqual(images('two'));
    expect(() => permutation(10, 'x').apply(10)).toThrow('10 is outside the permutation of 10 values');
  });
});
