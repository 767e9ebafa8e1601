import { describe, expect, it } from 'vitest';
import { dayOf } from '../../../emulator/engine/time.js';
import { settingOf } from '../../../emulator/run/cell-kinds.js';
import { type CellKind, defaultMix } from '../../../emulator/world/mix.js';
import { Traits } from '../../../emulator/world/traits.js';

const seed = 7;
const today = dayOf(2026, 3, 2);
const world = { seed, today };
const cells = Array.from({ length: 50_000 }, (_, nth) => nth + 1);
const everyone = cells.map((cell) => new Traits(world, cell, settingOf(seed, cell)));
const closed: readonly CellKind[] = ['dormant', 'withdrawn'];
const domestic = everyone.filter(({ business, setting }) => !business && !closed.includes(setting));
const electric = domestic.filter(({ fuels }) => fuels !== 'gas');

describe('Traits', () => {
  it.each<[string, readonly Traits[], (traits: Traits) => boolean, number, number]>([
    ['flats', domestic, ({ flat }) => flat, 22, 2],
    ['both fuels', domestic, ({ fuels }) => fuels === 'both', 79, 2],
    ['electricity only', domestic, ({ fuels }) => fuels === 'electricity', 19.5, 2],
    ['gas only', domestic, ({ fuels }) => fuels === 'gas', 1.5, 0.7],
    ['two customers', domestic, ({ secondCustomer }) => secondCustomer, 27, 2],
    ['two or three homes', domestic, ({ homes }) => homes > 1, 1.5, 0.5],
    ['businesses', everyone, ({ business }) => business, 4, 1],
    ['unknown occupiers', domestic, ({ setting }) => setting === 'occupier', 1.2, 0.4],
    ['executors', domestic, ({ setting }) => setting === 'executors', 0.4, 0.2],
    ['under three years', domestic, ({ joinedDay }) => joinedDay > today - 3 * 365, 39, 3],
    ['two registers', electric, ({ registers }) => registers === 2, 9, 1.5],
    ['smart gas', domestic.filter(({ fuels }) => fuels !== 'electricity'), ({ smartGas }) => smartGas, 65, 3],
    ['prepaid', domestic, ({ prepaid }) => prepaid, 13, 1.5],
    ['direct debit', domestic, ({ payment }) => payment === 'DIRECT_DEBIT', 72, 2],
    ['on receipt of the bill', domestic, ({ payment }) => payment === 'NON_DIRECT_DEBIT', 15, 2],
    ['export', domestic, (traits) => traits.export, 4.5, 0.7],
    ['charged cars', domestic, ({ charged }) => charged, 4, 0.7],
    ['fixed', electric, ({ taste }) => taste === 'fixed', 38, 2],
    ['variable', electric, ({ taste }) => taste === 'variable', 47, 2],
    ['half-hourly', electric, ({ taste }) => taste === 'half-hourly', 6, 2],
    ['for cars', electric, ({ taste }) => taste === 'ev', 6, 2],
    ['tracker', electric, ({ taste }) => taste === 'tracker', 3, 2],
    ['the second brand', domestic, ({ secondBrand }) => secondBrand, 6, 1],
    ['people who live alone', domestic, ({ persons }) => persons === 1, 30, 2],
  ])('gives the target share of %s', (_, population, has, percent, tolerance) => {
    const share = (100 * population.filter(has).length) / population.length;
    expect(Math.abs(share - percent), `${share} %`).toBeLessThan(tolerance);
  });

  it('keeps to what is possible', () => {
    const impossible = everyone.filter((traits) => {
      const { taste, car, smartElectricity, registers, prepaid, payment, fuels, persons } = traits;
      return (
        (taste === 'ev' && !car) ||
        (!['fixed', 'variable'].includes(taste) && (!smartElectricity || registers === 2)) ||
        prepaid !== (payment === 'PREPAYMENT') ||
        (fuels === 'gas' && (traits.export || registers === 2)) ||
        (persons === 1 && traits.secondCustomer)
      );
    });
    expect(impossible).toEqual([]);
  });

  it('makes prepayment commoner in rented flats', () => {
    const prepaid = (tenure: string, flat: boolean) => {
      const some = domestic.filter((traits) => traits.tenure === tenure && traits.flat === flat);
      return some.filter((traits) => traits.prepaid).length / some.length;
    };
    expect(prepaid('social', true)).toBeGreaterThan(5 * prepaid('owned', false));
  });

  it('gives the same facts in any order of reading', () => {
    const names = ['taste', 'car', 'joinedDay', 'payment', 'tenure', 'homes', 'fuels'] as const;
    const read = (order: readonly (typeof names)[number][]) => {
      const traits = new Traits(world, 4711);
      const found = new Map(order.map((name) => [name, traits[name]]));
      return names.map((name) => found.get(name));
    };
    expect(read([...names].reverse())).toEqual(read(names));
  });

  it('knows no account from before the platform, which is ten years old', () => {
    const days = everyone.map(({ joinedDay }) => joinedDay);
    expect(Math.min(...days)).toBeGreaterThanOrEqual(dayOf(2016, 1, 9));
    expect(Math.max(...days)).toBeLessThan(today);
  });

  it('draws from a mix whose choices add up', () => {
    const { kinds, tenure, persons, fuels, taste, homes } = defaultMix;
    const nested = [persons, fuels, taste].flatMap((each) => Object.values(each) as object[]);
    const sums = [kinds, tenure, homes, ...nested].map((choice) =>
      (Object.values(choice) as number[]).reduce((sum, part) => sum + part, 0),
    );
    expect(new Set(sums)).toEqual(new Set([1000]));
  });
});
