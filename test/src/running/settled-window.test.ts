import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryBudget } from '../../../src/running/memory-budget.js';
import { SettledWindow } from '../../../src/running/settled-window.js';
import { cases } from '../../cases.js';

/** Bytes that a share charges for each record. */
const recordOverhead = 500;
const unbounded = () => new MemoryBudget(Number.MAX_SAFE_INTEGER).share(() => undefined);

interface Added {
  readonly place: number;
  readonly offset: number;
  readonly bytes: number;
  readonly since: number;
  settled: boolean;
}

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ add: fc.integer({ min: 1, max: 4 }), bytes: fc.nat(5).map((n) => 10 * n) }),
  },
  { weight: 3, arbitrary: fc.record({ settle: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ settle: fc.nat(400) }) },
  { weight: 1, arbitrary: fc.record({ settleAgain: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ settleUnknown: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.constant({ settleAll: true }) },
);
const limited = fc.record({ records: fc.constantFrom(6, 90), bytes: fc.constantFrom(150, 3_000) });

describe('the window of unsettled records', () => {
  it('behaves like a plain list, for random operations', () => {
    const steps = fc.array(step, { minLength: 100, maxLength: 400, size: 'max' });
    fc.assert(
      fc.property(limited, fc.integer({ min: 4_000, max: 50_000 }), steps, (limits, memory, taken) => {
        const share = new MemoryBudget(memory).share(() => undefined);
        const window = new SettledWindow(limits, share);
        const all: Added[] = [];
        let offset = 40;
        const settle = (record: Added | undefined) => {
          if (record === undefined) return;
          record.settled = true;
          window.settle(record.place);
        };
        for (const [now, each] of taken.entries()) {
          const unsettled = all.filter(({ settled }) => !settled);
          if ('add' in each) {
            offset += each.add;
            const place = window.add(offset, each.bytes, now);
            all.push({ place, offset, bytes: each.bytes, since: now, settled: false });
          } else if ('settle' in each) settle(unsettled[each.settle % unsettled.length]);
          else if ('settleAgain' in each)
            settle(all.filter(({ settled }) => settled)[each.settleAgain % (all.length - unsettled.length)]);
          else if ('settleUnknown' in each) window.settle(all.length + each.settleUnknown);
          else if (now % 7 === 0) for (const record of unsettled) settle(record);
          const oldest = all.findIndex(({ settled }) => !settled);
          const open = oldest === -1 ? [] : all.slice(oldest);
          const before = all.at(oldest === -1 ? -1 : oldest - 1);
          const bytes = open.reduce((sum, record) => sum + record.bytes, 0);
          const left = all.filter(({ settled }) => !settled);
          expect(share.held).toBe(left.reduce((sum, record) => sum + record.bytes + recordOverhead, 0));
          const used = Math.max(open.length / limits.records, bytes / limits.bytes, share.used);
          const full = open.length >= limits.records || bytes >= limits.bytes || share.isFull;
          const room = open.length <= limits.records / 2 && bytes <= limits.bytes / 2 && share.hasRoom;
          expect(window).toMatchObject({
            records: open.length,
            bytes,
            unsettled: left.length,
            used,
            isFull: full,
          });
          expect([window.hasRoom, window.isOutOfMemory]).toEqual([room, share.isFull]);
          expect(window.position).toBe(oldest === 0 || before === undefined ? undefined : before.offset + 1);
          expect(window.oldest).toEqual(open[0] && { offset: open[0].offset, since: open[0].since });
          expect(window.taken).toBe(all.at(-1) && all.at(-1)!.offset + 1);
        }
      }),
      { numRuns: cases(5, 2_000) },
    );
  });

  it.each([
    ['records', { records: 4, bytes: 1e9 }],
    ['bytes', { records: 1e9, bytes: 40 }],
  ])('fills up by %s alone, and has room at half of them', (_, limits) => {
    const window = new SettledWindow(limits, unbounded());
    const stateAfter = () => ({ full: window.isFull, room: window.hasRoom });
    const places = [0, 1, 2, 3].map((offset) => {
      expect(stateAfter()).toEqual({ full: false, room: offset <= 2 });
      return window.add(offset, 10, 0);
    });
    expect(stateAfter()).toEqual({ full: true, room: false });
    for (const place of places.slice(0, 2)) window.settle(place);
    expect(stateAfter()).toEqual({ full: false, room: true });
  });

  it('stays empty when each record is settled before the next comes', () => {
    const window = new SettledWindow({ records: 10, bytes: 1e9 }, unbounded());
    for (let offset = 0; offset < 1_000; offset++) {
      window.settle(window.add(offset, 10, 0));
      expect(window).toMatchObject({ records: 0, bytes: 0, position: offset + 1 });
    }
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
