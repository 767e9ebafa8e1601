import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeAxis } from '../../../emulator/dashboard/client/journeys/time-axis.js';

const minute = 60_000;
const day = 86_400_000;

describe('the time axis of a journey', () => {
  it('separates all instants, in their order, from the left edge to the right edge', () => {
    const instants = fc
      .array(fc.nat(400 * day), { minLength: 2, maxLength: 30 })
      .map((all) => all.sort((one, other) => one - other));
    fc.assert(
      fc.property(instants, (all) => {
        const { positions, units, percent } = timeAxis(all);
        expect(positions[0]).toBe(0);
        expect(positions.at(-1)).toBeCloseTo(100);
        for (const [index, position] of positions.slice(1).entries())
          expect(((position - positions[index]!) * units) / 100).toBeGreaterThan(0.999);
        for (const [index, at] of all.entries()) {
          const isLast = all[index + 1] !== at;
          if (isLast) expect(percent(at)).toBeCloseTo(positions[index]!);
        }
      }),
    );
  });

  it('leaves room for events of one minute next to a pause of a month', () => {
    const { percent, pauses } = timeAxis([0, minute, 2 * minute, 30 * day]);
    expect(percent(minute)).toBeGreaterThan(10);
    expect(percent(30 * day) - percent(2 * minute)).toBeLessThan(70);
    expect(pauses).toEqual([{ from: 2 * minute, to: 30 * day }]);
  });

  it('places the present in its pause in proportion', () => {
    const { percent } = timeAxis([0, 10 * day]);
    expect(percent(5 * day)).toBeCloseTo(50);
  });

  it('places a single instant at the left edge', () => {
    expect(timeAxis([minute]).percent(minute)).toBe(0);
  });
});
