import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cellsPerWorld,
  identifiers,
  integersOfPlatform,
  integersPerCell,
  metersPerSupplyPoint,
  mpanCheckDigit,
  mprnCheck,
  numbersPerCell,
  platformCell,
  propertiesPerCell,
  regions,
} from '../../../emulator/world/identifiers.js';
import { cases } from '../../cases.js';

const world = identifiers(1);
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
        expect(String(world.integer('agreement', cell, nth))).toMatch(/^[1-9]\d{3,9}$/);
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

  it('grow within an owner and differ between owners', () => {
    fc.assert(
      fc.property(cells, cells, fc.nat(500), (cell, other, nth) => {
        expect(world.integer('bill', cell, nth + 1)).toBeGreaterThan(world.integer('bill', cell, nth));
        if (cell !== other)
          expect(world.integer('bill', cell, nth)).not.toBe(world.integer('bill', other, nth));
      }),
    );
  });

  it("leave all other ten-digit numbers to the platform's cell", () => {
    const last = world.integer('bill', platformCell, integersOfPlatform - 1);
    expect(last).toBe(9_999_999_999);
    expect(() => world.integer('bill', platformCell, integersOfPlatform)).toThrow('ids "bill" in a cell');
    fc.assert(
      fc.property(cells, fc.nat(integersPerCell - 1), fc.nat(integersOfPlatform - 2), (cell, nth, mine) => {
        const [id, next] = [mine, mine + 1].map((each) => world.integer('bill', platformCell, each));
        expect(next).toBeGreaterThan(id as number);
        if (cell !== platformCell) expect(world.integer('bill', cell, nth)).not.toBe(id);
      }),
    );
  });

  it('cover every region, and differ by the seed', () => {
    const seen = new Set(Array.from({ length: 500 }, (_, cell) => world.region(cell).letter));
    expect(seen.size).toBe(regions.length);
    expect(identifiers(2).number('account', 1, 0)).not.toBe(world.number('account', 1, 0));
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
