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
  it('holds what comes after, not what came before, nor other lanes', () => {
    const hold = new HeldLanes();
    expect(hold.isActive).toBe(false);
    hold.setAside('a', at(5));
    expect(hold.isHeld('a', at(6))).toBe(true);
    expect(hold.isHeld('a', at(4))).toBe(false);
    expect(hold.isHeld('b', at(6))).toBe(false);
  });

  it('holds the record itself, when it comes again before it was replayed', () => {
    const hold = new HeldLanes([{ offset: 5, first: 5, key: Buffer.from('a') }]);
    expect(hold.isHeld('a', at(5))).toBe(true);
  });

  it('lets replayed records pass, and is free when the last is settled', () => {
    const hold = new HeldLanes();
    hold.setAside('a', at(5));
    hold.setAside('a', at(6));
    expect(hold.isHeld('a', replayed(10, 5))).toBe(false);
    hold.settled(replayed(10, 5));
    expect(hold.isHeld('a', at(12))).toBe(true);
    hold.settled(replayed(11, 6));
    expect(hold.isHeld('a', at(12))).toBe(false);
    expect(hold.isActive).toBe(false);
  });

  it('holds the replayed ones behind one that failed again', () => {
    const hold = new HeldLanes();
    hold.setAside('a', at(5));
    hold.setAside('a', at(6));
    hold.setAside('a', replayed(10, 5));
    expect(hold.isHeld('a', replayed(11, 6))).toBe(true);
    expect(hold.isHeld('a', replayed(12, 10, 5))).toBe(false);
  });

  it('takes what was replayed from another topic for a record like any other', () => {
    const hold = new HeldLanes();
    hold.setAside('a', at(5));
    hold.settled(replayed(10, 5, 5, 'elsewhere'));
    expect(hold.isHeld('a', replayed(10, 5, 5, 'elsewhere'))).toBe(true);
  });

  it('knows lanes of a name, of a key and without one', () => {
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

  it('is remembered up to a bound, beyond which nothing may be taken for free', () => {
    const letters = Array.from({ length: maxHeldLetters }, (_, offset) => ({
      offset,
      first: offset,
      key: null,
    }));
    const hold = new HeldLanes(letters);
    expect(() => hold.setAside('a', at(maxHeldLetters))).toThrow(
      /hold their keys, and no more are remembered/,
    );
    hold.settled(replayed(maxHeldLetters, 7));
    hold.setAside('a', at(maxHeldLetters));
    expect(hold.isHeld('a', at(maxHeldLetters + 1))).toBe(true);
  });
});
