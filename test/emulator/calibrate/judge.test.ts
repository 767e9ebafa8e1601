import { describe, expect, it } from 'vitest';
import { judge, targets } from '../../../emulator/calibrate/judge.js';
import { Tally } from '../../../emulator/calibrate/tally.js';

/** The verdicts of a target on counts of a world. */
function verdictsOn(number: number, counts: Readonly<Record<string, number>>) {
  const tally = new Tally();
  for (const [name, count] of Object.entries(counts)) tally.add(name, count);
  return judge(tally, 365)
    .filter((each) => each.number === number)
    .map(({ verdict }) => verdict);
}

describe('the targets', () => {
  it('carry the numbers 1 to 49 and a source each', () => {
    expect(targets.map(({ number }) => number)).toEqual(Array.from({ length: 49 }, (_, nth) => nth + 1));
    for (const { number, mark, source, seen } of targets) {
      expect('fcar', String(number)).toContain(mark);
      expect([source, seen], String(number)).not.toContain('');
    }
  });

  it('allow a small sample three standard deviations more', () => {
    // 22 % ±2: 3 · √(0.22 · 0.78 / n) is 12.4 % of 100 homes, and 0.4 % of 100,000.
    expect(verdictsOn(1, { flats: 35, homes: 100 })).toEqual(['met']);
    expect(verdictsOn(1, { flats: 37, homes: 100 })).toEqual(['missed']);
    expect(verdictsOn(1, { flats: 35_000, homes: 100_000 })).toEqual(['missed']);
  });

  it('print NOT RUN where nothing was seen', () => {
    expect(verdictsOn(14, {})).toEqual(['not run']);
    expect(verdictsOn(14, { domestic: 1000 })).toEqual(['missed']);
  });

  it('allow rules no exception', () => {
    expect(verdictsOn(37, { agreements: 1000, 'on sale': 1000 })).toEqual(['met']);
    expect(verdictsOn(37, { agreements: 1000, 'on sale': 999 })).toEqual(['missed']);
  });

  it('count a rate by the year', () => {
    expect(verdictsOn(34, { accounts: 10_000, 'switches away': 930 })).toEqual(['met']);
    expect(verdictsOn(34, { accounts: 10_000, 'switches away': 700 })).toEqual(['missed']);
  });

  it('compare weeks by the family that differs most', () => {
    const same = { 'first ink': 1000, 'later ink': 1010 };
    expect(verdictsOn(47, same)).toEqual(['met']);
    expect(verdictsOn(47, { ...same, 'later debt': 300 })).toEqual(['missed']);
  });
});
