import { describe, expect, it } from 'vitest';
import { openCatalogue } from '../../../catalogue/index.js';
import { london } from '../../../emulator/engine/calendar.js';
import { ordering } from '../../../emulator/engine/identity.js';
import { randomStream } from '../../../emulator/engine/random.js';
import { type TimedOccurrence, simulate, type Start } from '../../../emulator/engine/simulation.js';
import { day, dayOf } from '../../../emulator/engine/time.js';
import type { PlatformScenario } from '../../../emulator/scenarios/define.js';
import {
  type Cell,
  openCell,
  type CellKind,
  type SupplyPoint,
  worldOf,
} from '../../../emulator/world/cell.js';
import { scenarios } from '../../../emulator/index.js';
import { cases } from '../../cases.js';

const catalogue = openCatalogue();
const today = dayOf(2026, 3, 2);
const ofSupply = [
  'join-switch-gain',
  'switch-loss',
  'house-move',
  'account-reactivation',
  'agreement-changes',
  'gas-mam-and-backfill',
  'gas-disputed-opening',
  'gas-disputed-closing',
  'meter-data-quality',
  'energisation-and-service',
  'export-installation',
  'data-import-account',
  'data-import-order',
];

/** Everything that happens to one household over some years in which a dozen processes begin. */
function live(seed: number, setting: CellKind, names: readonly string[], gap: number) {
  const random = randomStream(seed, 'life');
  const order = ordering(seed);
  let at = london.instantOf(today) + day / 2;
  const counts = new Map<string, number>();
  const starts = Array.from({ length: 12 }, (_, index): Start<Cell, PlatformScenario> => {
    const name = random.pick(names);
    const scenario = scenarios.find((each) => each.name === name)!;
    const ordinal = (counts.get(name) ?? 0) + 1;
    counts.set(name, ordinal);
    at = london.next(at + random.integer(1, gap) * day, scenario.starts ?? 'waking');
    return { at, cell: 1, scenario, ordinal, last: index === 11 };
  });
  const cell = openCell(worldOf({ seed, start: london.instantOf(today), cells: 1 }), 1, setting);
  const occurred: TimedOccurrence[] = [...simulate({ seed, ordering: order, starts, openCell: () => cell })];
  return { cell, occurred };
}

const lives = (names: readonly string[], gap: number) =>
  (['household', 'dual-fuel', 'newcomer', 'dormant', 'withdrawn'] as const).flatMap((setting) =>
    Array.from({ length: cases(10, 40) }, (_, seed) => live(seed, setting, names, gap)),
  );

describe('consecutive processes in one cell', () => {
  it('send only valid events, at distinct instants', async () => {
    const types = new Set<string>();
    for (const { occurred } of [...lives(ofSupply, 60), ...lives(ofSupply, 4)]) {
      for (const [index, { at, occurrence }] of occurred.entries()) {
        if (index > 0) expect(at).toBeGreaterThan(occurred[index - 1]!.at);
        for (const { version, payload } of occurrence.versions) {
          types.add(occurrence.type);
          const valid = await catalogue.validator(catalogue.find(occurrence.type, version)!);
          expect(valid(payload), occurrence.type).toBe(true);
        }
      }
    }
    expect(types.size).toBeGreaterThan(70);
  });

  it('name one meter for each gas supply point', () => {
    const serials = new Map<string, Set<string>>();
    for (const { occurred } of lives(ofSupply, 30)) {
      for (const { occurrence } of occurred) {
        const { mprn, meter_serial, meter_serial_number } = occurrence.versions[0]!.payload as Record<
          string,
          string | undefined
        >;
        const serial = meter_serial ?? meter_serial_number;
        if (mprn === undefined || serial === undefined) continue;
        serials.set(mprn, (serials.get(mprn) ?? new Set()).add(serial));
      }
    }
    expect(serials.size).toBeGreaterThan(cases(12, 50));
    for (const known of serials.values()) expect(known.size).toBe(1);
  });

  it('start no second loss of a home', () => {
    let losses = 0;
    for (const { occurred } of lives(ofSupply, 3)) {
      const underWay = new Set<string>();
      for (const { occurrence } of occurred) {
        const [, action] =
          /^lifecycle\.leave-supplier\.(requested|completed|cancelled)$/.exec(occurrence.type) ?? [];
        if (action === undefined) continue;
        const { supply_points } = occurrence.versions[0]!.payload as {
          supply_points: { external_identifier: string }[];
        };
        for (const { external_identifier } of supply_points) {
          if (action === 'requested') {
            expect(underWay).not.toContain(external_identifier);
            underWay.add(external_identifier);
            losses++;
          } else underWay.delete(external_identifier);
        }
      }
    }
    expect(losses).toBeGreaterThan(cases(25, 100));
  });

  it('keep one agreement per supply point, and one account per home', () => {
    let examined = 0;
    for (const { cell } of [...lives(ofSupply, 60), ...lives(ofSupply, 4)]) {
      const agreements = new Map<SupplyPoint, [from: number, to: number][]>();
      for (const { supplyPoint, from, to = Infinity } of cell.accounts.flatMap((each) => each.agreements)) {
        if (to > from) agreements.set(supplyPoint, [...(agreements.get(supplyPoint) ?? []), [from, to]]);
      }
      for (const periods of agreements.values()) {
        periods.sort((a, b) => a[0] - b[0]);
        for (const [index, [from]] of periods.entries()) {
          if (index > 0) expect(from).toBeGreaterThanOrEqual(periods[index - 1]![1]);
          examined++;
        }
      }
      const homes = cell.accounts
        .flatMap(({ occupancies }) => occupancies.filter(({ to }) => to === undefined))
        .map(({ property }) => property);
      expect(new Set(homes).size).toBe(homes.length);
    }
    expect(examined).toBeGreaterThan(cases(125, 500));
  });
});
