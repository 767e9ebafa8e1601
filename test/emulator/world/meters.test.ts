import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { day, dayOf } from '../../../emulator/engine/time.js';
import { addressOf } from '../../../emulator/world/customer/addresses.js';
import { type Cell, openCell, type SupplyPoint, worldOf } from '../../../emulator/world/cell.js';
import { metersPerSupplyPoint } from '../../../emulator/world/identifiers.js';
import {
  electricityMeter,
  gasMeter,
  readingsOf,
  removeElectricityMeter,
} from '../../../emulator/world/industry/meters.js';

const today = dayOf(2026, 3, 2);
const world = worldOf({ seed: 1, start: today * day, cells: 1_000_000 });
const cells = fc.nat(1_000_000).map((index) => openCell(world, index, 'dual-fuel'));

const pointsOf = (cell: Cell, market: string): SupplyPoint[] =>
  cell.properties.flatMap(({ supplyPoints }) => supplyPoints.filter((point) => point.market === market));

describe('meters', () => {
  it('stay the same across look-ups and equal worlds', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), (index) => {
        const [once, again] = [1, 2].map(() => {
          const cell = openCell(world, index, 'dual-fuel');
          return JSON.stringify([
            pointsOf(cell, 'GBR_GAS').map((point) => gasMeter(cell, point)),
            pointsOf(cell, 'GBR_ELECTRICITY').map((point) => electricityMeter(cell, point)),
          ]);
        });
        expect(once).toBe(again);
      }),
    );
  });

  it('get unique serial numbers', () => {
    const serials: string[] = [];
    for (let index = 1; index <= 3000; index++) {
      const cell = openCell(world, index, 'dual-fuel');
      for (const point of pointsOf(cell, 'GBR_GAS')) serials.push(gasMeter(cell, point).serial);
      for (const point of pointsOf(cell, 'GBR_ELECTRICITY'))
        serials.push(electricityMeter(cell, point).serial);
    }
    expect(serials.length).toBeGreaterThan(20_000);
    expect(new Set(serials).size).toBe(serials.length);
  });

  it('follow their formats, with units that match the register', () => {
    fc.assert(
      fc.property(cells, (cell) => {
        for (const point of pointsOf(cell, 'GBR_GAS')) {
          const meter = gasMeter(cell, point);
          expect(meter.serial).toMatch(/^[A-Z0-9]{4,14}$/);
          expect(meter.digits).toBe(meter.imperial ? 4 : 5);
          expect(meter.pulseValue === 1).toBe(meter.imperial);
          if (meter.mechanism.startsWith('S')) expect(meter.year).toBeGreaterThanOrEqual(2013);
          // Meters of the first generation were made until 2018, those of the second from 2017.
          if (meter.mechanism === 'S1') expect(meter.year).toBeLessThanOrEqual(2018);
          if (meter.mechanism === 'S2') expect(meter.year).toBeGreaterThanOrEqual(2017);
        }
        for (const point of pointsOf(cell, 'GBR_ELECTRICITY')) {
          expect(electricityMeter(cell, point).serial).toMatch(/^\d{2}[A-Z]\d{7}$/);
        }
      }),
    );
  });

  it('carry the year of the exchange if they replace another', () => {
    fc.assert(
      fc.property(cells, (cell) => {
        const [point] = pointsOf(cell, 'GBR_ELECTRICITY');
        removeElectricityMeter(cell, point!, today);
        expect(electricityMeter(cell, point!).serial).toMatch(/^26/);
      }),
    );
  });

  it('count gas up from day to day, within their digits', () => {
    fc.assert(
      fc.property(cells, fc.integer({ min: -3000, max: 2000 }), fc.nat(400), (cell, offset, days) => {
        const meter = gasMeter(cell, pointsOf(cell, 'GBR_GAS')[0]!);
        const [earlier, later] = [meter.readingOn(today + offset), meter.readingOn(today + offset + days)];
        expect(earlier).toBeGreaterThanOrEqual(0);
        expect(later).toBeLessThan(10 ** meter.digits);
        // A register starts again at 0 after its last number.
        const size = 10 ** meter.digits;
        expect((later - earlier + size) % size).toBeLessThan(size / 2);
      }),
    );
  });

  it('replaces a removed meter until the serial numbers run out', () => {
    const cell = openCell(world, 7, 'dual-fuel');
    const [point] = pointsOf(cell, 'GBR_ELECTRICITY');
    const serials = new Set<string>();
    for (let nth = 0; nth < metersPerSupplyPoint; nth++) {
      const { serial } = electricityMeter(cell, point!);
      expect(removeElectricityMeter(cell, point!, today).serial).toBe(serial);
      serials.add(serial);
    }
    expect(serials.size).toBe(metersPerSupplyPoint);
    expect(() => electricityMeter(cell, point!)).toThrow('at most 4 meters at a supply point');
  });
});

describe('addressOf', () => {
  it("returns a constant address in the property's region", () => {
    fc.assert(
      fc.property(cells, (cell) => {
        const addresses = cell.properties.map((property) => addressOf(cell, property));
        expect(cell.properties.map((property) => addressOf(cell, property))).toEqual(addresses);
        expect(new Set(addresses.map((address) => JSON.stringify(address))).size).toBe(addresses.length);
        for (const { postcode, buildingNumber } of addresses) {
          expect(postcode).toMatch(/^X[A-HJ-NP]\d{1,2} \d[ABD-HJLNP-UW-Z]{2}$/);
          expect(postcode.charAt(1)).toBe(cell.properties[0]!.region.letter);
          expect(buildingNumber).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('show a reading each on the day of an exchange', () => {
    const cell = openCell(world, 1, 'dual-fuel');
    const [point] = pointsOf(cell, 'GBR_ELECTRICITY') as [SupplyPoint];
    const old = removeElectricityMeter(cell, point, today);
    const read = readingsOf(cell, point, new Set([today - 9, today + 9]));
    const { serial } = electricityMeter(cell, point);
    expect(read.map(({ on, serial: of }) => [on, of])).toEqual([
      [today - 9, old.serial],
      [today, old.serial],
      [today, serial],
      [today + 9, serial],
    ]);
    expect(read.map(({ value }) => value)).toEqual([
      ...old.readingsOn(today - 9),
      ...old.readingsOn(today),
      0,
      ...electricityMeter(cell, point).readingsOn(today + 9),
    ]);
  });
});
