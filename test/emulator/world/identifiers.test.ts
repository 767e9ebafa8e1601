import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cellsPerWorld,
  identifiers,
  metersPerSupplyPoint,
  mpanCheckDigit,
  mprnCheck,
  numbersPerCell,
  propertiesPerCell,
  regions,
} from '../../../emulator/world/identifiers.js';
import { defaultStart } from '../../../emulator/engine/calendar.js';
import { day } from '../../../emulator/engine/time.js';
import { CellIds } from '../../../emulator/world/cell-ids.js';
import { openCell, worldOf } from '../../../emulator/world/cell.js';
import { cases } from '../../cases.js';

const start = defaultStart;
const world = identifiers({ seed: 1, start, cells: cellsPerWorld });
const cells = fc.integer({ min: 0, max: cellsPerWorld - 1 });
const oncor = { prefix: '1044372', digits: 17 };
const centerPoint = { prefix: '1008901', digits: 22 };
const places = fc.integer({ min: 0, max: propertiesPerCell - 1 });

describe('check digits', () => {
  it.each(['1200060176720', '2000050773706'])('agree with the published MPAN %s', (mpan) => {
    expect(String(mpanCheckDigit(mpan.slice(0, 12)))).toBe(mpan.slice(12));
  });

  it.each(['3938424403', '9353824109'])('agree with the published MPRN %s', (mprn) => {
    expect(String(mprnCheck(mprn.slice(0, 8))).padStart(2, '0')).toBe(mprn.slice(8));
  });
});

describe('identifiers', () => {
  it('finds the cell of a number, and of no other text', () => {
    fc.assert(
      fc.property(cells, fc.nat(numbersPerCell - 1), (cell, nth) => {
        expect(world.cellOf(world.number('account', cell, nth))).toBe(cell);
      }),
    );
    for (const text of [
      '',
      'A',
      'A-',
      'A-1B2C3D4G',
      'a-1B2C3D4E',
      'Q-1B2C3D4E',
      'A-1B2C3D4E-1',
      ' A-1B2C3D4E',
    ]) {
      expect(world.cellOf(text)).toBeUndefined();
    }
  });

  it('finds the cell of an MPAN or MPRN, and of no other text', () => {
    fc.assert(
      fc.property(cells, places, (cell, place) => {
        for (const own of [world.mpan, world.exportMpan, world.mprn]) {
          const meterPoint = own(cell, place);
          expect(world.cellAtMeterPoint(meterPoint)).toBe(cell);
          const last = (Number(meterPoint.at(-1)) + 1) % 10;
          expect(world.cellAtMeterPoint(meterPoint.slice(0, -1) + String(last))).toBeUndefined();
          expect(world.cellAtMeterPoint(`${meterPoint}0`)).toBeUndefined();
        }
      }),
    );
    for (const published of ['1200060176720', '2000050773706', '3938424403', ''])
      expect(world.cellAtMeterPoint(published)).toBeUndefined();
  });

  it('follow their formats for every owner', () => {
    fc.assert(
      fc.property(cells, places, fc.nat(numbersPerCell - 1), (cell, place, nth) => {
        expect(world.number('account', cell, nth)).toMatch(/^A-[0-9A-F]{8}$/);
        expect(world.number('leave', cell, nth)).toMatch(/^LS-[0-9A-F]{8}$/);
        const mpan = world.mpan(cell, place);
        expect(mpan).toMatch(/^(1\d|2[0-3])9990\d{7}$/);
        expect(String(mpanCheckDigit(mpan.slice(0, 12)))).toBe(mpan.slice(12));
        expect(mpan.slice(0, 2)).toBe(world.region(cell).distributor);
        const exported = world.exportMpan(cell, place);
        expect(exported).toMatch(/^(1\d|2[0-3])9991\d{7}$/);
        expect(String(mpanCheckDigit(exported.slice(0, 12)))).toBe(exported.slice(12));
        expect(exported.slice(0, 2)).toBe(mpan.slice(0, 2));
        expect(world.esiId(cell, place, oncor)).toMatch(/^1044372999\d{7}$/);
        expect(world.esiId(cell, place, centerPoint)).toMatch(/^1008901999\d{12}$/);
        expect(world.meter('gas', cell, place, nth % metersPerSupplyPoint)).toMatch(/^[0-3]\d{7}$/);
        const mprn = world.mprn(cell, place);
        expect(mprn).toMatch(/^(9\d{9}|749\d{7})$/);
        expect(String(mprnCheck(mprn.slice(0, 8))).padStart(2, '0')).toBe(mprn.slice(8));
      }),
    );
  });

  it('never repeat across accounts, properties and fuels', () => {
    const count = cases(30_000, 1_000_000);
    // As sorted numbers: a set of two million strings would be the slowest part of the test.
    const repeats = (values: Float64Array) => {
      values.sort();
      return values.some((value, index) => index > 0 && value === values[index - 1]);
    };
    const accounts = new Float64Array(count);
    const mpans = new Float64Array(2 * count);
    const mprns = new Float64Array(2 * count);
    const exportMpans = new Float64Array(2 * count);
    const esiIds = new Float64Array(2 * count);
    const meters = new Float64Array(2 * count);
    for (let cell = 0; cell < count; cell++) {
      accounts[cell] = Number.parseInt(world.number('account', cell, 0).slice(2), 16);
      for (let place = 0; place < 2; place++) {
        mpans[2 * cell + place] = Number(world.mpan(cell, place));
        mprns[2 * cell + place] = Number(world.mprn(cell, place));
        exportMpans[2 * cell + place] = Number(world.exportMpan(cell, place));
        esiIds[2 * cell + place] = Number(world.esiId(cell, place, oncor).slice(10));
        meters[2 * cell + place] = Number(world.meter('gas', cell, place, place));
      }
    }
    expect(repeats(accounts)).toBe(false);
    expect(repeats(mpans)).toBe(false);
    expect(repeats(mprns)).toBe(false);
    expect(repeats(exportMpans)).toBe(false);
    expect(repeats(esiIds)).toBe(false);
    expect(repeats(meters)).toBe(false);
  });

  it('cover every region, and differ by the seed', () => {
    const seen = new Set(Array.from({ length: 500 }, (_, cell) => world.region(cell).letter));
    expect(seen.size).toBe(regions.length);
    expect(identifiers({ seed: 2, start, cells: 1 }).number('account', 1, 0)).not.toBe(
      world.number('account', 1, 0),
    );
  });

  it('begin UUIDs with any digit', () => {
    const first = new Set(Array.from({ length: 300 }, (_, cell) => world.uuid('device', cell, 0)[0]));
    expect(first.size).toBe(16);
  });

  it('put about one gas supply point in a hundred into a private network', () => {
    const mprns = Array.from({ length: 5000 }, (_, cell) => world.mprn(cell, 0));
    const share = mprns.filter((mprn) => mprn.startsWith('749')).length / mprns.length;
    expect(share).toBeGreaterThan(0.005);
    expect(share).toBeLessThan(0.02);
  });

  it("throw at the end of a format's capacity", () => {
    expect(() => world.number('account', 1, numbersPerCell)).toThrow(
      'at most 256 numbers "account" in a cell',
    );
    expect(() => world.meter('gas', 1, 0, metersPerSupplyPoint)).toThrow('at most 4 meters');
    expect(() => world.mpan(cellsPerWorld, 0)).toThrow(`at most ${cellsPerWorld} cells`);
  });
});

describe('whole-number ids', () => {
  const sizes = fc.record({
    seed: fc.nat(),
    start: fc.integer({ min: Date.UTC(2016, 0, 1), max: Date.UTC(2099, 11, 31) }),
    cells: fc.nat(cellsPerWorld - 1),
    room: fc.nat(1_000),
  });
  const rows = fc.record({ cell: fc.nat(), label: fc.nat(2 ** 27) });
  const kinds = fc.constantFrom('account', 'ledger entry');

  it('name their cell, so that no two rows of a kind share one', () => {
    fc.assert(
      fc.property(sizes, kinds, rows, (size, kind, { cell, label }) => {
        const { integer, ownerOf, width } = identifiers(size);
        const id = integer(kind, cell % width, label);
        expect(ownerOf(kind, id)).toBe(cell % width);
        expect(Number.isSafeInteger(id)).toBe(true);
        expect(String(id)).toMatch(/^[1-9]\d{6,14}$/);
      }),
    );
    expect(world.ownerOf('account', 1)).toBeUndefined();
    expect(world.ownerOf('account', 2 ** 53)).toBeUndefined();
    expect(world.ownerOf('account', 1e7 + 0.5)).toBeUndefined();
  });

  it('rise from label to label, whichever cells they belong to', () => {
    fc.assert(
      fc.property(sizes, kinds, rows, fc.nat(), (size, kind, { cell, label }, other) => {
        const { integer, width } = identifiers(size);
        const later = integer(kind, other % width, label + 1);
        expect(later).toBeGreaterThan(integer(kind, cell % width, label));
      }),
    );
  });

  it('rise from row to row of a cell, and from day to day of a world', () => {
    const days = fc.array(fc.integer({ min: -3_000, max: 400 }), {
      minLength: 2,
      maxLength: 30,
      size: 'max',
    });
    fc.assert(
      fc.property(sizes, days, (size, offsets) => {
        const known = identifiers(size);
        const cells = [1, 2].map((cell) => new CellIds(known, cell % known.width, known.today));
        const made: number[][] = [];
        for (const offset of offsets.toSorted((a, b) => a - b)) {
          for (const ids of cells) ids.turn(size.start + Math.max(0, offset) * day);
          const on = offset < 0 ? known.today + offset : undefined;
          made.push(cells.map((ids) => ids.integer('statement', on)));
        }
        for (const nth of [0, 1]) {
          const own = made.map((ids) => ids[nth]!);
          expect(own).toEqual([...new Set(own)].toSorted((a, b) => a - b));
        }
        expect(made[0]![0]).toBeLessThan(made.at(-1)![1]!);
      }),
    );
  });

  it('fit 32 bits for a year in a world of up to 10,000 accounts', () => {
    const small = sizes.map((size) => ({ ...size, cells: size.cells % 10_001 }));
    fc.assert(
      fc.property(small, kinds, (size, kind) => {
        const { integer, labelAt, width } = identifiers(size);
        expect(integer(kind, width - 1, labelAt(size.start + 365 * day))).toBeLessThan(2 ** 31);
      }),
    );
  });

  it('never leave gaps of the same length twice in a row', () => {
    const { integer, firstLabel } = identifiers({ seed: 1, start, cells: 1_000 });
    const ids = Array.from({ length: 100 }, (_, nth) => integer('statement', 7, firstLabel + nth));
    const gaps = ids.slice(1).map((id, nth) => id - ids[nth]!);
    expect(new Set(gaps).size).toBeGreaterThan(90);
  });

  it('leave room for 65 rows of the day before the run', () => {
    const known = identifiers({ seed: 1, start, cells: 1_000 });
    const ids = new CellIds(known, 1, known.today);
    const made = Array.from({ length: 65 }, () => ids.integer('statement', known.today - 1));
    expect(made).toEqual([...new Set(made)].toSorted((a, b) => a - b));
    expect(made.at(-1)).toBeLessThan(ids.integer('statement'));
    expect(() => ids.integer('statement', known.today - 1)).toThrow('too many ids "statement" from before');
  });

  it('fail for a cell beyond the room of the world, which names the option', () => {
    const small = worldOf({ seed: 1, start, cells: 1, room: 2 });
    expect(openCell(small, 3).index).toBe(3);
    expect(() => openCell(small, 4)).toThrow('no room for cell 4. Start the run with a larger "room".');
  });
});
