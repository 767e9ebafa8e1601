import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { earlier, type Timer, TimerQueue } from '../../../emulator/engine/timer-queue.js';

/** Few values, so that many wakes share an instant and a rank. */
const wake = fc.record({
  at: fc.integer({ min: 0, max: 9 }).map((n) => Date.UTC(2026, 2, 2) + n),
  rank: fc.integer({ min: 0, max: 3 }).map((n) => n * 2 ** 28),
  cell: fc.integer({ min: 0, max: 2 ** 30 - 1 }),
});

describe('TimerQueue', () => {
  it('pops timers in the order of the run', () => {
    // Undefined takes one out.
    const steps = fc.array(fc.option(wake, { nil: undefined, freq: 3 }), { maxLength: 400 });
    fc.assert(
      fc.property(steps, (taken) => {
        const queue = new TimerQueue();
        const waiting: Timer[] = [];
        for (const [number, step] of taken.entries()) {
          if (step === undefined) {
            expect(queue.pop()).toEqual(waiting.shift());
          } else {
            queue.push(step.at, step.rank, step.cell, number);
            waiting.push({ ...step, number });
            waiting.sort((one, other) => (earlier(one, other) ? -1 : 1));
          }
          expect(queue.next).toBe(waiting[0]?.at ?? Infinity);
          expect(queue.peek()).toEqual(waiting[0]);
        }
      }),
    );
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
