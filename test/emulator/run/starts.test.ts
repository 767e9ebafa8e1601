import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultStart, london } from '../../../emulator/engine/calendar.js';
import { hour } from '../../../emulator/engine/time.js';
import { instanceStarts } from '../../../emulator/run/starts.js';
import type { PlatformScenario } from '../../../emulator/scenarios/define.js';
import { scenarios } from '../../../emulator/scenarios/index.js';

const calendarOf = (scenario: PlatformScenario) => scenario.calendar ?? london;
const startsOf = (options: { start?: number; scenarios: readonly PlatformScenario[]; instances: number }) => [
  ...instanceStarts({ seed: 1, start: defaultStart, ...options }),
];

describe('the starts of instances', () => {
  it('come in order, each within the day part of its scenario', () => {
    const some = fc.subarray([...scenarios], { minLength: 1, maxLength: 6 });
    const instants = fc.integer({ min: Date.UTC(2016, 0, 1), max: Date.UTC(2099, 0, 1) });
    fc.assert(
      fc.property(some, instants, fc.integer({ min: 1, max: 40 }), (chosen, start, instances) => {
        const starts = startsOf({ start, scenarios: chosen, instances });
        expect(starts.map(({ cell }) => cell).toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: chosen.length * instances }, (_, index) => index + 1),
        );
        let before = start;
        for (const { at, scenario } of starts) {
          expect(at).toBeGreaterThanOrEqual(before);
          expect(calendarOf(scenario).next(at, scenario.starts ?? 'waking')).toBe(at);
          before = at;
        }
      }),
      { numRuns: 30 },
    );
  });

  it('begin at once with the first, if its day part is open', () => {
    const open = scenarios.filter(
      (each) => calendarOf(each).next(defaultStart, each.starts ?? 'waking') === defaultStart,
    );
    expect(open.length).toBeGreaterThan(10);
    for (const scenario of open)
      expect(startsOf({ scenarios: [scenario], instances: 1 })[0]?.at).toBe(defaultStart);
  });

  it('spread over a day part that opens later, instead of its opening', () => {
    const atNight = scenarios.filter(({ starts }) => starts === 'night');
    const starts = startsOf({ scenarios: atNight, instances: 50 });
    expect(new Set(starts.map(({ at }) => at)).size).toBe(starts.length);
    const late = starts.filter(({ at }) => at % (24 * hour) >= 4 * hour);
    expect(late.length / starts.length).toBeGreaterThan(0.1);
    expect(late.length / starts.length).toBeLessThan(0.3);
  });
});
