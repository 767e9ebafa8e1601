import { describe, expect, it } from 'vitest';
import { HeldLanes, maxHeldLetters } from '../../../src/running/held-lanes.js';
import { recordOf } from '../records.js';

const at = (offset: number) => ({ ...recordOf(null), offset });
const replayed = (offset: number, of: number, first = of, topic = 'platform.events') => ({
  ...recordOf(null, {
    'busbar-replay-topic': topic,
    'busbar-replay-partition': '0',
    'busbar-replay-offset': String(of),
    'busbar-replay-first': String(first),
    'busbar-replay-count': '1',
  }),
  offset,
});

describe('a held lane', () => {
  it('holds later records, but not earlier ones or other lanes', () => {
    const hold = new HeldLanes();
    expect(hold.isActive).toBe(false);
    hold.deadLettered('a', at(5));
    expect(hold.isHeld('a', at(6))).toBe(true);
    expect(hold.isHeld('a', at(4))).toBe(false);
    expect(hold.isHeld('b', at(6))).toBe(false);
  });

  it('holds the redelivered record itself until it is replayed', () => {
    const hold = new HeldLanes([{ offset: 5, first: 5, key: Buffer.from('a') }]);
    expect(hold.isHeld('a', at(5))).toBe(true);
  });

  it('lets replayed records pass, and is released by the last', () => {
    const hold = new HeldLanes();
    hold.deadLettered('a', at(5));
    hold.deadLettered('a', at(6));
    expect(hold.isHeld('a', replayed(10, 5))).toBe(false);
    hold.settled(replayed(10, 5));
    expect(hold.isHeld('a', at(12))).toBe(true);
    hold.settled(replayed(11, 6));
    expect(hold.isHeld('a', at(12))).toBe(false);
    expect(hold.isActive).toBe(false);
  });

  it('holds replayed records behind one that failed again', () => {
    const hold = new HeldLanes();
    hold.deadLettered('a', at(5));
    hold.deadLettered('a', at(6));
    hold.deadLettered('a', replayed(10, 5));
    expect(hold.isHeld('a', replayed(11, 6))).toBe(true);
    expect(hold.isHeld('a', replayed(12, 10, 5))).toBe(false);
  });

  it('treats a record replayed from another topic as new', () => {
    const hold = new HeldLanes();
    hold.deadLettered('a', at(5));
    hold.settled(replayed(10, 5, 5, 'elsewhere'));
    expect(hold.isHeld('a', replayed(10, 5, 5, 'elsewhere'))).toBe(true);
  });

  it('supports lanes by name, by key and without a key', () => {
    const hold = new HeldLanes([
      { offset: 1, first: 1, key: Buffer.from('k'), lane: 'named' },
      { offset: 2, first: 2, key: Buffer.from('k'), lane: null },
      { offset: 3, first: 3, key: Buffer.from([0xe9]) },
    ]);
    expect(['named', null, '\u00e9', 'k'].map((lane) => hold.isHeld(lane, at(9)))).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('throws capacity-exceeded beyond the limit', () => {
    const letters = Array.from({ length: maxHeldLetters }, (_, offset) => ({
      offset,
      first: offset,
      key: null,
    }));
    const hold = new HeldLanes(letters);
    expect(() => hold.deadLettered('a', at(maxHeldLetters))).toThrow(
      expect.objectContaining({
        code: 'capacity-exceeded',
        message: expect.stringMatching(/hold their keys, the maximum/),
      }),
    );
    hold.settled(replayed(maxHeldLetters, 7));
    hold.deadLettered('a', at(maxHeldLetters));
    expect(hold.isHeld('a', at(maxHeldLetters + 1))).toBe(true);
  });
});
