import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ordering } from '../../../emulator/engine/identity.js';
import {
  after,
  type Branches,
  between,
  occur,
  type Scenario,
  type Steps,
  parallel,
  until,
} from '../../../emulator/engine/scenario.js';
import { type TimedOccurrence, simulate, type Start } from '../../../emulator/engine/simulation.js';
import { day, formatInstant, hour, second } from '../../../emulator/engine/time.js';

const monday = Date.UTC(2026, 2, 2, 9);

interface Toy {
  readonly index: number;
  count: number;
}

const happens = (type: string, versions = ['v1']): Steps =>
  occur({ type, key: 'k', versions: versions.map((version) => ({ version, payload: {} })) });

function scenario<const B extends Branches>(
  branches: B,
  run: Scenario<Toy, B>['run'],
  name = 'toy',
): Scenario<Toy, B> {
  return { name, title: '', description: '', branches, run };
}

function start(of: Scenario<Toy>, at = monday, cell = 1, more: Partial<Start<Toy>> = {}): Start<Toy> {
  return { at, cell, scenario: of, ordinal: 1, last: true, ...more };
}

function play(starts: Iterable<Start<Toy>>, seed = 1, forced = {}): TimedOccurrence[] {
  const openCell = ({ cell }: Start<Toy>) => ({ index: cell, count: 0 });
  return [...simulate({ seed, ordering: ordering(seed), starts, openCell, forced })];
}

const linesOf = (occurred: readonly TimedOccurrence[]) =>
  occurred.map(({ at, occurrence }) => `${formatInstant(at)} ${occurrence.type}`);

describe('a simulation', () => {
  it('waits for spans, instants, working days and day parts', () => {
    const toy = scenario({}, function* ({ calendar, now }) {
      yield* happens('begun');
      yield* after({ minutes: 90 });
      yield* happens('later');
      yield* until(now + day);
      yield* happens('next day');
      yield* after({ workingDays: 4 });
      yield* happens('next Monday');
      yield* between(
        calendar.instantOf(calendar.dayAt(now) + 30),
        calendar.instantOf(calendar.dayAt(now) + 30),
        'office',
      );
      yield* happens('after summer time began');
    });
    const lines = linesOf(play([start(toy)]));
    expect(lines.slice(0, 4)).toEqual([
      '2026-03-02T09:00:00.000Z begun',
      '2026-03-02T10:30:00.000Z later',
      '2026-03-03T09:00:00.000Z next day',
      '2026-03-09T09:00:00.000Z next Monday',
    ]);
    // The office is open from 08:00 to 18:00 local time, 07:00 to 17:00 UTC.
    expect(lines[4]).toMatch(/^2026-04-01T(0[7-9]|1[0-6]):/);
  });

  it('spreads what waits for the office over its hours, by their traffic', () => {
    const toy = scenario({}, function* () {
      yield* after({ hours: 12 }, { hours: 12 }, 'office');
      yield* happens('in the office');
    });
    const starts = Array.from({ length: 500 }, (_, cell) => start(toy, monday, cell + 1));
    const hours = play(starts).map(({ at }) => Math.floor((at % day) / hour));
    const shares = [8, 9, 12, 17].map((each) => hours.filter((one) => one === each).length / 500);
    for (const [nth, share] of [0.07, 0.15, 0.07, 0.05].entries())
      expect(Math.abs((shares[nth] as number) - share)).toBeLessThan(0.05);
  });

  it('runs threads concurrently and continues when all have ended', () => {
    function* thread(name: string, hours: number): Steps {
      yield* after({ hours });
      yield* happens(name);
    }
    const toy = scenario({}, function* () {
      yield* parallel(thread('slow', 3), thread('quick', 1), parallel(thread('inner', 2)), parallel());
      yield* happens('all done');
    });
    expect(linesOf(play([start(toy)])).map((line) => line.split(' ')[1])).toEqual([
      'quick',
      'inner',
      'slow',
      'all',
    ]);
  });

  it('gives each occurrence of a cell its own instant, for all its versions', () => {
    const toy = scenario({}, function* () {
      yield* happens('twins', ['v1', 'v2']);
      yield* happens('next');
      yield* parallel(happens('left'), happens('right'));
    });
    const occurred = play([start(toy)]);
    expect(occurred.map(({ at }) => at - monday)).toEqual([0, 1, 2, 3]);
    expect(occurred.map(({ number }) => number)).toEqual([0, 2, 3, 4]);
  });

  it('yields by instant, rank of the cell and number in the cell', () => {
    const toy = scenario({}, function* ({ random }) {
      for (let left = random.integer(1, 8); left > 0; left--) {
        yield* happens('x', random.chance(0.3) ? ['v1', 'v2'] : ['v1']);
        if (random.chance(0.7)) yield* after({ milliseconds: random.integer(0, 3) });
      }
    });
    fc.assert(
      fc.property(
        fc.array(fc.record({ offset: fc.nat(5), cell: fc.integer({ min: 1, max: 6 }) }), {
          maxLength: 30,
          size: 'max',
        }),
        fc.integer(),
        (wanted, seed) => {
          const counts = new Map<number, number>();
          const starts = wanted
            .toSorted((a, b) => a.offset - b.offset)
            .map(({ offset, cell }) => {
              counts.set(cell, (counts.get(cell) ?? 0) + 1);
              return start(toy, monday + offset, cell, { ordinal: counts.get(cell) ?? 1, last: false });
            });
          const { eventId } = ordering(seed);
          const occurred = play(starts, seed);
          const ids = occurred.map(({ at, rank, number }) => eventId(at, rank, number));
          expect(ids).toEqual(ids.toSorted());
          expect(new Set(ids).size).toBe(ids.length);
        },
      ),
    );
  });

  it('plays a cell independently of all others', () => {
    const toy = scenario({ way: { left: 1, right: 2 } }, function* ({ cell, branch, random }) {
      yield* after({ seconds: 1 }, { days: 3 });
      cell.count++;
      yield* happens(`${branch.way}-${cell.index}-${cell.count}-${random.integer(0, 999)}`);
    });
    const crowd = play(Array.from({ length: 50 }, (_, index) => start(toy, monday + index, index + 1)));
    for (const cell of [1, 17, 50]) {
      const alone = play([start(toy, monday + cell - 1, cell)]);
      expect(crowd.filter((occurred) => occurred.cell === cell)).toEqual(alone);
    }
  });

  it('keeps the state of a cell for later starts and drops it after the last', () => {
    const toy = scenario({}, function* ({ cell }) {
      cell.count++;
      yield* happens(`visit ${cell.count}`);
    });
    const starts = [
      start(toy, monday, 1, { ordinal: 1, last: false }),
      start(toy, monday + hour, 1, { ordinal: 2, last: true }),
      start(toy, monday + 2 * hour, 1, { ordinal: 3, last: true }),
    ];
    expect(play(starts).map(({ occurrence }) => occurrence.type)).toEqual(['visit 1', 'visit 2', 'visit 1']);
  });

  it('reports the time to the state before each thread continues', () => {
    const states: { readonly index: number; count: number; turn(at: number): void }[] = [];
    const openCell = ({ cell }: Start<Toy>) => {
      const state = { index: cell, count: 0, turn: (at: number) => void (state.count = at) };
      states.push(state);
      return state;
    };
    const toy = scenario({}, function* ({ cell, now }) {
      yield* happens(`${cell.count - now}`);
      yield* parallel(happens('left'), after({ days: 2 }));
    });
    const run = simulate({
      seed: 1,
      ordering: ordering(1),
      starts: [start(toy)],
      openCell,
    });
    expect([...run].map(({ occurrence }) => occurrence.type)).toEqual(['0', 'left']);
    expect(states.map(({ count }) => count - monday)).toEqual([2 * day]);
  });

  it('draws branches by weight, and a forced branch changes no other draw', () => {
    const toy = scenario(
      { a: { yes: 0.2, no: 0.8 }, b: { up: 0.5, down: 0.5 } },
      function* ({ branch, random }) {
        yield* happens(`${branch.a} ${branch.b} ${random.integer(0, 1e6)}`);
      },
    );
    const starts = Array.from({ length: 2000 }, (_, index) => start(toy, monday + index, index + 1));
    const drawn = play(starts).map(({ occurrence }) => occurrence.type.split(' '));
    expect(drawn.filter(([a]) => a === 'yes').length / 2000).toBeCloseTo(0.2, 1);
    const forced = play(starts, 1, { toy: { a: 'yes' } }).map(({ occurrence }) => occurrence.type.split(' '));
    expect(new Set(forced.map(([a]) => a))).toEqual(new Set(['yes']));
    expect(forced.map(([, ...rest]) => rest)).toEqual(drawn.map(([, ...rest]) => rest));
  });

  it('reads one start ahead', () => {
    let read = 0;
    function* endless(): Generator<Start<Toy>> {
      const toy = scenario({}, () => happens('x'));
      for (;;) yield start(toy, monday + second * read++, read);
    }
    const openCell = ({ cell }: Start<Toy>) => ({ index: cell, count: 0 });
    const run = simulate({ seed: 1, ordering: ordering(1), starts: endless(), openCell });
    for (let taken = 0; taken < 10; taken++) run.next();
    expect(read).toBeLessThanOrEqual(12);
  });

  it('reports where a scenario failed, and how to fix an endless one', () => {
    const throwing = scenario({}, function* () {
      yield* happens('fine');
      yield* after({ hours: 1 });
      throw new Error('no such meter');
    });
    expect(() => play([start(throwing)])).toThrow(
      'Scenario instance "toy#1" in cell 1 at 2026-03-02T10:00:00.000Z, after step "fine", threw: no such meter',
    );
    const stuck = scenario({}, function* () {
      for (;;) yield* after({ days: 0 });
    });
    expect(() => play([start(stuck)])).toThrow(/took 100000 steps at one instant.*yield\* after/);
  });
});

describe('an event id', () => {
  it('encodes the instant as a version 7 UUID, which the run id changes', () => {
    const id = ordering(1).eventId(monday, 5, 3);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(monday);
    expect(ordering(1, 'second').eventId(monday, 5, 3)).not.toBe(id);
  });

  it('sorts as text by instant, rank and number for any run id', () => {
    const position = fc.tuple(fc.nat(2 ** 41), fc.nat(2 ** 30 - 1), fc.nat(2 ** 20 - 1));
    fc.assert(
      fc.property(position, position, fc.string(), ([at, place, number], [at2, place2, number2], runId) => {
        const { eventId } = ordering(1, runId);
        const expected = Math.sign(at - at2 || place - place2 || number - number2);
        const [a, b] = [eventId(at, place, number), eventId(at2, place2, number2)];
        expect(a < b ? -1 : a > b ? 1 : 0).toBe(expected);
      }),
    );
  });

  it('fails for a cell with too many events', () => {
    expect(() => ordering(1).eventId(monday, 0, 2 ** 20)).toThrow('more than 1048576 events');
  });
});
