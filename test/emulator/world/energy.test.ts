import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { day, dayOf } from '../../../emulator/engine/time.js';
import { settingOf } from '../../../emulator/run/cell-kinds.js';
import { supplyDuring } from '../../../emulator/world/billing/charges.js';
import {
  type Agreement,
  type Cell,
  openCell,
  type Period,
  type SupplyPoint,
  worldOf,
} from '../../../emulator/world/cell.js';
import { type ChargeLine, chargeOf } from '../../../emulator/world/energy/charge.js';
import { energyBefore, energyOfYear } from '../../../emulator/world/energy/energy.js';
import { usedBefore } from '../../../emulator/world/energy/seasons.js';
import { electricityMeter } from '../../../emulator/world/industry/meters.js';
import { profileClassOf } from '../../../emulator/world/energy/profile-classes.js';
import { correctProduct } from '../../../emulator/world/supply/agreements.js';

const today = dayOf(2026, 3, 2);
const seed = 1;
const world = worldOf({ seed, start: today * day, cells: 100_000 });
const cellAt = (index: number) => openCell(world, index, settingOf(seed, index));
const somePoint = fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.nat(99)).map(([index, nth]) => {
  const cell = cellAt(index);
  const points = cell.properties.flatMap(({ supplyPoints }) => supplyPoints);
  return { cell, point: points[nth % points.length] as SupplyPoint };
});
const someDay = fc.integer({ min: today - 3300, max: today + 3000 });
const sum = (numbers: readonly (number | undefined)[]) =>
  numbers.reduce<number>((all, each = 0) => all + each, 0);

/** The cells of a population. */
const cells = Array.from({ length: 12_000 }, (_, nth) => cellAt(nth + 1));

/** The homes of the population, with their supply points of one kind. */
const homes = (kind: 'class1' | 'class2' | 'gas') =>
  cells.flatMap((cell) => {
    const points = cell.properties[0]?.supplyPoints ?? [];
    const wanted = points.find(({ market }) => (market === 'GBR_GAS') === (kind === 'gas'));
    if (wanted === undefined || cell.traits.business) return [];
    if (kind !== 'gas' && `class${profileClassOf(cell, wanted)}` !== kind) return [];
    return [{ cell, point: wanted }];
  });

function energyUsed(cell: Cell, point: SupplyPoint, from: number, to: number): number[] {
  const before = energyBefore(cell, point, from);
  return energyBefore(cell, point, to).map((used, nth) => used - (before[nth] as number));
}

describe('energyBefore', () => {
  it('adds up, however a period is cut', () => {
    fc.assert(
      fc.property(somePoint, fc.array(someDay, { minLength: 2, maxLength: 6 }), ({ cell, point }, days) => {
        days.sort((one, other) => one - other);
        const [first = 0, ...rest] = days;
        const parts = rest.map((to, nth) => sum(energyUsed(cell, point, days[nth] as number, to)));
        expect(sum(parts)).toBe(sum(energyUsed(cell, point, first, days.at(-1) as number)));
      }),
    );
  });

  it('counts whole watt-hours in every register, and never back', () => {
    fc.assert(
      fc.property(somePoint, someDay, fc.nat(40), ({ cell, point }, from, days) => {
        for (const used of energyUsed(cell, point, from, from + days)) {
          expect(used).toBeGreaterThanOrEqual(0);
          expect(Number.isSafeInteger(used)).toBe(true);
        }
      }),
    );
  });

  it.each([
    ['class1', [1800, 2700, 4100], 4],
    ['class2', [2200, 3900, 6700], 6],
    ['gas', [7500, 11_500, 17_000], 4],
  ] as const)('matches the target quartiles of %s', (kind, wanted, percent) => {
    const years = homes(kind).map(({ cell, point }) => energyOfYear(cell, point) / 1000);
    years.sort((one, other) => one - other);
    const tolerance = percent / 100 + 2 / Math.sqrt(years.length);
    for (const [nth, quartile] of wanted.entries()) {
      const found = years[Math.floor((years.length * (nth + 1)) / 4)] as number;
      expect(Math.abs(found / quartile - 1), `${found}`).toBeLessThan(tolerance);
    }
  });

  it.each([
    ['class1', [1, 4], 28, 1],
    ['gas', [1, 4], 42, 2],
    ['gas', [7, 10], 8, 1],
  ] as const)('matches the target season of %s in months %j', (kind, [from, to], percent, tolerance) => {
    const between = (one: number, other: number) =>
      sum(
        homes(kind)
          .slice(0, 300)
          .flatMap(({ cell, point }) => energyUsed(cell, point, one, other)),
      );
    const share =
      between(dayOf(2025, from, 1), dayOf(2025, to, 1)) / between(dayOf(2025, 1, 1), dayOf(2026, 1, 1));
    expect(Math.abs(100 * share - percent), String(share)).toBeLessThan(tolerance);
  });

  it('counts two fifths of the energy of two registers at night', () => {
    const used = homes('class2').map(({ cell, point }) => energyUsed(cell, point, today - 365, today));
    const share = sum(used.map(([, night]) => night)) / sum(used.flat());
    expect(Math.abs(share - 0.42)).toBeLessThan(0.03);
  });

  it('gives the same energy on every Node', () => {
    const found = (['electricity', 'gas', 'export'] as const).map((season) => {
      const used = usedBefore({ seed, today }, season, 4_321_987);
      return Array.from({ length: 50 }, (_, nth) => used(today - 2500 + 97 * nth));
    });
    expect(createHash('sha256').update(JSON.stringify(found)).digest('hex').slice(0, 12)).toBe(
      '918c29bb96fc',
    );
  });

  it('moves the registers of the meter', () => {
    fc.assert(
      fc.property(somePoint, someDay, fc.nat(90), ({ cell, point }, from, days) => {
        if (point.market === 'GBR_GAS') return;
        const { digits, readingsOn } = electricityMeter(cell, point);
        const size = 10 ** digits;
        const [before, after] = [readingsOn(from), readingsOn(from + days)];
        for (const [nth, used = 0] of energyUsed(cell, point, from, from + days).entries()) {
          const moved = ((after[nth] as number) - (before[nth] as number) + size) % size;
          expect(Math.abs(moved - used / 1000)).toBeLessThan(1);
        }
      }),
    );
  });
});

describe('chargeOf', () => {
  const charge = (
    cell: Cell,
    point: SupplyPoint,
    agreements: readonly Pick<Agreement, 'product' | 'from' | 'to'>[],
    period: Period,
  ) => {
    const agreed = agreements.map(({ product, from, to = period.to }) => ({
      product,
      from: Math.max(from, period.from),
      to: Math.min(to, period.to),
    }));
    const lines: ChargeLine[] = [];
    return { amount: chargeOf(cell, { ...period, supplyPoint: point, agreed }, lines), lines };
  };

  it('equals the sum of its lines, to the penny', () => {
    fc.assert(
      fc.property(somePoint, fc.nat(600), fc.integer({ min: 1, max: 90 }), ({ cell, point }, ago, days) => {
        const from = today - ago - days;
        const variable = { product: 'VAR-22-11-01', from: today - 3000, to: undefined };
        const { amount, lines } = charge(cell, point, [variable], { from, to: from + days });
        const exact = lines.reduce(
          (total, { rates: { unit, night = 0, standing }, used, byNight, vat, ...line }) =>
            total +
            (((used - byNight) * unit + byNight * night) / 100_000) * (1 + vat / 100) +
            ((line.to - line.from) * standing * (1 + vat / 100)) / 100,
          0,
        );
        expect(Math.abs(amount - exact)).toBeLessThan(0.51);
        expect(sum(lines.map(({ used }) => used))).toBe(sum(energyUsed(cell, point, from, from + days)));
      }),
    );
  });

  it('follows changes of rates and products without gaps', () => {
    const cell = cellAt(1);
    const [point] = cell.properties[0]?.supplyPoints ?? [];
    const [from, changed, to] = [dayOf(2025, 11, 20), dayOf(2026, 2, 1), dayOf(2026, 4, 20)];
    const { lines } = charge(
      cell,
      point as SupplyPoint,
      [
        { product: 'VAR-22-11-01', from: today - 900, to: changed },
        { product: 'AGILE-24-10-01', from: changed, to: undefined },
      ],
      { from, to },
    );
    expect(lines[0]?.from).toBe(from);
    expect(lines.at(-1)?.to).toBe(to);
    for (const [nth, line] of lines.entries()) if (nth > 0) expect(line.from).toBe(lines[nth - 1]?.to);
    expect(lines.slice(0, 2).map((line) => line.to)).toEqual([dayOf(2026, 1, 1), changed]);
    expect(lines).toHaveLength(2 + to - changed);
  });

  it('charges gas at one rate, also in a home whose electricity has two', () => {
    const cell = Array.from({ length: 500 }, (_, nth) => cellAt(nth + 1)).find(
      ({ traits }) => traits.registers === 2 && traits.fuels === 'both',
    ) as Cell;
    const rates = (cell.properties[0]?.supplyPoints ?? []).map((point) => {
      const variable = { product: 'VAR-22-11-01', from: today - 3000, to: undefined };
      const { lines } = charge(cell, point, [variable], { from: today - 10, to: today });
      return [point.market, lines[0]?.rates.night === undefined ? 1 : 2];
    });
    expect(rates).toEqual([
      ['GBR_ELECTRICITY', 2],
      ['GBR_GAS', 1],
    ]);
  });

  it('charges the past by the product before its correction', () => {
    const cell = cellAt(1);
    const { account } = cell;
    const period = { from: today - 40, to: today - 10 };
    const before = supplyDuring(account, period);
    const [agreement] = account.agreements.filter(({ to }) => to === undefined || to > today);
    correctProduct(cell, account, agreement as Agreement, { product: 'OTHER', isOverride: false });
    expect(supplyDuring(account, period)).toEqual(before);
    expect(JSON.stringify(supplyDuring(account, { from: today, to: today + 1 }))).toContain('OTHER');
  });

  it('costs nothing where no agreement is in force', () => {
    const cell = cellAt(1);
    const [point] = cell.properties[0]?.supplyPoints ?? [];
    expect(charge(cell, point as SupplyPoint, [], { from: today, to: today + 30 })).toEqual({
      amount: 0,
      lines: [],
    });
  });
});
