import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { earlier, type Timer, TimerQueue } from '../../../emulator/engine/timer-queue.js';

/** Few values, so that many timers share an instant and a rank. Undefined takes one out. */
const step = fc.option(
  fc.record({
    at: fc.integer({ min: 0, max: 9 }).map((n) => Date.UTC(2026, 2, 2) + n),
    rank: fc.integer({ min: 0, max: 3 }).map((n) => n * 2 ** 28),
    cell: fc.integer({ min: 0, max: 2 ** 30 - 1 }),
  }),
  { nil: undefined, freq: 3 },
);

describe('TimerQueue', () => {
  it('pops timers by instant, then rank, then number', () => {
    const steps = fc.array(step, { maxLength: 120, size: 'max' });
    fc.assert(
      fc.property(steps, (taken) => {
        const queue = new TimerQueue();
        const waiting: Timer[] = [];
        for (const [index, added] of taken.entries()) {
          if (added === undefined) {
            expect(queue.pop()).toEqual(waiting.shift());
          } else {
            const number = taken.length - index;
            queue.push(added.at, added.rank, added.cell, number);
            waiting.push({ ...added, number });
            waiting.sort(
              (one, other) => one.at - other.at || one.rank - other.rank || one.number - other.number,
            );
          }
          expect(queue.next).toBe(waiting[0]?.at ?? Infinity);
          expect(queue.peek()).toEqual(waiting[0]);
        }
      }),
    );
  });

  it('compares two timers by instant, then rank, then number', () => {
    const timer: Timer = { at: 5, rank: 5, cell: 0, number: 5 };
    const before: Partial<Timer>[] = [{ at: 4, rank: 6, number: 6 }, { rank: 4, number: 6 }, { number: 4 }];
    for (const changed of before) {
      expect(earlier({ ...timer, ...changed }, timer)).toBe(true);
      expect(earlier(timer, { ...timer, ...changed })).toBe(false);
    }
    expect(earlier(timer, timer)).toBe(false);
  });

  it('starts empty after clear()', () => {
    const queue = new TimerQueue();
    for (let number = 0; number < 100; number++) queue.push(100 - number, 1, 7, number);
    queue.pop();
    queue.clear();
    expect(queue.next).toBe(Infinity);
    expect(queue.pop()).toBeUndefined();
    for (let number = 0; number < 100; number++) queue.push(number, 1, 7, number);
    expect(Array.from({ length: 100 }, () => queue.pop()?.number)).toEqual([...Array(100).keys()]);
  });
});
