import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CellCache } from '../../../emulator/engine/cell-cache.js';
import { ordering } from '../../../emulator/engine/identity.js';
import { after, occur, type Scenario, type Steps, parallel } from '../../../emulator/engine/scenario.js';
import { type OccurredIn, simulate, type Start } from '../../../emulator/engine/simulation.js';
import { day, minute } from '../../../emulator/engine/time.js';
import { Plan } from '../../../emulator/run/plan.js';

const monday = Date.UTC(2026, 2, 2, 9);

interface Toy {
  visits: number;
}

const happens = (type: string): Steps =>
  occur({ type, key: 'k', versions: [{ version: 'v1', payload: {} }] });

/** Waits, forks, meets itself at one instant, and says what it remembers and draws. */
const visit: Scenario<Toy> = {
  name: 'visit',
  title: '',
  description: '',
  branches: { long: { yes: 0.5, no: 0.5 } },
  *run({ cell, branch, random }) {
    const visit = ++cell.visits;
    yield* happens(`${visit} begun`);
    yield* after({ minutes: 0 }, { minutes: 3 });
    yield* parallel(
      happens(`${visit} of ${cell.visits}`),
      (function* () {
        yield* after(branch.long === 'yes' ? { days: 2 } : { minutes: 2 });
        yield* happens(`${visit} of ${cell.visits}, ${random.integer(0, 999)}`);
      })(),
    );
    yield* happens(`${visit} ended`);
  },
};

/** Starts in few cells and at few instants, so that they meet. */
const visits = fc
  .array(fc.record({ minute: fc.nat(30), cell: fc.integer({ min: 1, max: 4 }) }), { maxLength: 30 })
  .map((drawn) =>
    drawn
      .sort((one, other) => one.minute - other.minute)
      .map(({ minute, cell }, index): Start<Toy> => {
        const last = !drawn.slice(index + 1).some((later) => later.cell === cell);
        return { at: monday + minute * 60_000, cell, scenario: visit, ordinal: index + 1, last };
      }),
  );

function play(
  starts: Iterable<Start<Toy>>,
  seed: number,
  cachedCells: number,
  opened: () => void = () => {},
) {
  const openCell = () => {
    opened();
    return { visits: 0 };
  };
  const heard: string[] = [];
  const decided = (scenario: string, { long }: Readonly<Record<string, string>>) =>
    heard.push(`${scenario} ${long}`);
  const options = {
    seed,
    ordering: ordering(seed),
    starts,
    openCell,
    decided,
    cachedCells,
  };
  const occurred = [...simulate(options)].map(withoutState);
  return { occurred, heard };
}

/** A cell that is played again has another state than the one that was forgotten. */
function withoutState<Cell>({ state: _, ...occurred }: OccurredIn<Cell>) {
  return occurred;
}

describe('a simulation with room for few cells', () => {
  it('drops cells, replays them, and yields each occurrence once', () => {
    fc.assert(
      fc.property(visits, fc.nat(), fc.integer({ min: 1, max: 3 }), (starts, seed, cachedCells) => {
        expect(play(starts, seed, cachedCells)).toEqual(play(starts, seed, 1000));
      }),
    );
  });

  it('opens a cell again only after it dropped it', () => {
    const starts = [1, 2, 3, 4, 1, 2].map((cell, index): Start<Toy> => {
      return { at: monday + index * day, cell, scenario: visit, ordinal: index + 1, last: false };
    });
    let opened = 0;
    play(starts, 1, 100, () => opened++);
    expect(opened).toBe(4);
    opened = 0;
    play(starts, 1, 1, () => opened++);
    expect(opened).toBeGreaterThan(4);
  });

  it('plays the same population, business, platform and all, from seed to seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), (seed) => {
        const options = { scenario: 'everyday', accounts: 200, duration: 4 * day, seed };
        const occurrencesWith = (cachedCells: number) =>
          [...new Plan(options).play({ cachedCells })].map(withoutState);
        expect(occurrencesWith(1)).toEqual(occurrencesWith(10_000));
      }),
      { numRuns: 3 },
    );
  });
});

describe('CellCache', () => {
  it('keeps the cells that were used last and those with a long history', () => {
    const cells = new CellCache<{ starts: number }>(10);
    cells.add(0, { starts: 10_000 }, monday);
    for (let index = 1; index <= 1000; index++) {
      cells.add(index, { starts: 1 }, monday + index);
      expect(cells.get(1, monday + index)).toBeDefined();
    }
    const kept = Array.from({ length: 1001 }, (_, index) => index).filter(
      (index) => cells.get(index, monday + 1000) !== undefined,
    );
    expect(kept.length).toBeLessThanOrEqual(12);
    expect(kept).toEqual(expect.arrayContaining([0, 1, 998, 999, 1000]));
  });

  it('drops at once a cell whose next use is too far away', () => {
    const cells = new CellCache<{ starts: number }>(10);
    const rests: number[] = [];
    // A new one each minute: five of them are a generation.
    for (let index = 0; index < 100; index++) {
      const at = monday + index * minute;
      cells.add(index, { starts: index === 50 ? 201 : 1 }, at);
      cells.release(index, at, at + (index % 2 === 0 ? 30 : 1) * minute);
      if (cells.get(index, at) === undefined) rests.push(index);
    }
    const waiting = Array.from({ length: 100 }, (_, index) => index).filter((index) => index % 2 === 0);
    // From the second generation on, when it is known how long one takes; and none that costs more to play again.
    expect(rests).toEqual(waiting.filter((index) => index >= 10 && index !== 50));
    for (const index of [99, 97, 95, 50]) expect(cells.get(index, monday + 100 * minute)).toBeDefined();
  });
});
