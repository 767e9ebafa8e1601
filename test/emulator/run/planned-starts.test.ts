import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlannedStarts } from '../../../emulator/run/planned-starts.js';
import { findScenario } from '../../../emulator/scenarios/find.js';

const scenario = findScenario('auth-login', []);
const groups = 4;

/** The starts of a group: one of each of its ten cells at every instant below 20. */
function* drawn(group: number) {
  for (let at = 0; at < 20; at++)
    for (let nth = 0; nth < 10; nth++)
      yield { at, cell: group + groups * nth, scenario, ordinal: at + 1, last: false };
}

const reads = fc.array(fc.tuple(fc.nat({ max: 10 * groups - 1 }), fc.nat({ max: 25 })));

describe('PlannedStarts', () => {
  it('returns the starts of a cell before an instant, however many it may keep', () => {
    fc.assert(
      fc.property(reads, fc.nat({ max: 500 }), (cells, most) => {
        const planned = new PlannedStarts(drawn, most);
        for (const [cell, until] of cells) {
          const expected = [...drawn(cell % groups)].filter((each) => each.cell === cell && each.at < until);
          expect(planned.of(cell, cell % groups, until)).toMatchObject(expected);
        }
      }),
    );
  });

  it('draws each group once when cells of several groups are read in turns', () => {
    let draws = 0;
    const planned = new PlannedStarts((group) => {
      draws++;
      return drawn(group);
    });
    for (let cell = 0; cell < 10 * groups; cell++) planned.of(cell, cell % groups, 20);
    expect(draws).toBe(groups);
  });
});
