import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../../src/running/memory-budget.js';
import { SettledWindow } from '../../../src/running/settled-window.js';

const unbounded = () => new MemoryBudget(Number.MAX_SAFE_INTEGER).share(() => undefined);

describe('the window of unsettled records', () => {
  it('behaves like a plain list, for random operations', () => {
    const step = fc.oneof(
      fc.record({ add: fc.integer({ min: 1, max: 4 }), bytes: fc.nat(50) }),
      fc.record({ settle: fc.nat() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const limits = { records: 300, bytes: 5000 };
        const window = new SettledWindow(limits, unbounded());
        const all: { place: number; offset: number; bytes: number; since: number; settled: boolean }[] = [];
        let offset = 40;
        for (const [now, each] of steps.entries()) {
          if ('add' in each) {
            offset += each.add;
            const place = window.add(offset, each.bytes, now);
            all.push({ place, offset, bytes: each.bytes, since: now, settled: false });
          } else if (all.length > 0) {
            const chosen = all[each.settle % all.length]!;
            chosen.settled = true;
            window.settle(chosen.place);
          }
          const oldest = all.findIndex(({ settled }) => !settled);
          const open = oldest === -1 ? [] : all.slice(oldest);
          const before = all.at(oldest === -1 ? -1 : oldest - 1);
          const bytes = open.reduce((sum, record) => sum + record.bytes, 0);
          expect(window.position).toBe(oldest === 0 || before === undefined ? undefined : before.offset + 1);
          expect(window.oldest).toEqual(open[0] && { offset: open[0].offset, since: open[0].since });
          expect(window.records).toBe(open.length);
          expect(window.bytes).toBe(bytes);
          expect(window.unsettled).toBe(all.filter(({ settled }) => !settled).length);
          expect(window.taken).toBe(all.at(-1) && all.at(-1)!.offset + 1);
          expect(window.isFull).toBe(open.length >= limits.records || bytes >= limits.bytes);
          expect(window.hasRoom).toBe(open.length <= limits.records / 2 && bytes <= limits.bytes / 2);
        }
      }),
    );
  });

  it('takes constant time while its oldest record stays unsettled', () => {
    const window = new SettledWindow({ records: 1_000_000, bytes: 1e12 }, unbounded());
    const blocked = window.add(0, 1, 0);
    for (let offset = 1; offset < 1_000_000; offset++) window.settle(window.add(offset, 1, offset));
    expect([window.position, window.records, window.unsettled]).toEqual([undefined, 1_000_000, 1]);
    window.settle(blocked);
    expect([window.position, window.records, window.bytes]).toEqual([1_000_000, 0, 0]);
  });
});
