import { hash32 } from '../../engine/random.js';
import type { Day } from '../../engine/time.js';
import { ownedState } from '../cell-state.js';
import type { Cell, Supply, SupplyPoint } from '../cell.js';
import { profileClassOf } from './profile-classes.js';
import { type EnergyClass, yearlyEnergy } from './generated/yearly-energy.js';
import { householdFactor } from './household-factor.js';
import { type Season, usedBefore } from './seasons.js';

/**
 * Returns the Wh used before a day, since ten years before the run: by day and by night, or of the only register. They never
 * fall with the day.
 */
export function energyBefore(cell: Cell, supplyPoint: SupplyPoint, date: Day): number[] {
  const use = uses.of(cell, supplyPoint);
  const { nightShare } = use;
  const all = usedUntil(use, date);
  if (nightShare === undefined) return [all];
  const night = perMille(all, nightShare);
  return [all - night, night];
}

/** Returns a share of an energy, in two parts, so that no product exceeds 2^53. */
export function perMille(energy: number, share: number): number {
  return Math.floor(energy / 1000) * share + Math.floor(((energy % 1000) * share) / 1000);
}

/** Returns the energy of an average year, in Wh. */
export function energyOfYear(cell: Cell, supplyPoint: SupplyPoint): number {
  return uses.of(cell, supplyPoint).yearly;
}

/** Energy of a charged car in a year, in Wh. */
export const carPerYear = 2_000_000;

/** The energy use of a supply point. */
export interface Use {
  /** Energy of an average year. */
  readonly yearly: number;
  /** Returns the energy before a day if the supply point is never switched off. */
  readonly expected: (date: Day) => number;
  /** Per mille; undefined for a meter with one register. */
  readonly nightShare?: number;
  /** Times in which the energy differs from the expected one, in order. Default none. */
  changes?: Change[];
}

interface Change {
  readonly from: Day;
  readonly to: Day;
  /** Part of the expected energy that is added, per mille: -1000 for a time without energy. */
  readonly by: number;
}

/** Returns the energy that was used before a day. */
export function usedUntil({ expected, changes }: Pick<Use, 'expected' | 'changes'>, date: Day): number {
  let used = expected(date);
  for (const { from, to, by } of changes ?? [])
    if (from < date) used += perMille(expected(Math.min(to, date)) - expected(from), by);
  return used;
}

/** Switches a supply point off or on from a day, whose energy is not charged yet. */
export function switchSupply(cell: Cell, supplyPoint: SupplyPoint, on: Day, isOff: boolean): void {
  const use = uses.of(cell, supplyPoint);
  const changes = (use.changes ??= []);
  if (isOff) changes.push({ from: on, to: Infinity, by: -1000 });
  else use.changes = changes.map(({ from, to, by }) => ({ from, to: Math.min(to, Math.max(from, on)), by }));
}

/** Whether the energy of a period is still the expected one: not corrected, and never switched off. */
export function isAsExpected(cell: Cell, { supplyPoint, from, to }: Supply): boolean {
  const { changes = [] } = uses.of(cell, supplyPoint);
  return changes.every((change) => change.from >= to || change.to <= from);
}

/** Replaces the expected energy of a period by what was really used: `by` per mille more. */
export function correctEnergy(cell: Cell, { supplyPoint, from, to }: Supply, by: number): void {
  const use = uses.of(cell, supplyPoint);
  (use.changes ??= []).push({ from, to, by });
}

export const uses = ownedState<SupplyPoint, Use>(computeUse);

function computeUse(cell: Cell, supplyPoint: SupplyPoint): Use {
  const { seed, traits, identifiers } = cell;
  const { market, place, isExport = false } = supplyPoint;
  const season: Season = isExport ? 'export' : market === 'GBR_GAS' ? 'gas' : 'electricity';
  const field = fieldOf(cell, supplyPoint, season === 'export' ? 'exported' : season);
  const own = place === 0 && !isExport && !traits.business;
  const factor = own ? householdFactor(traits) : 1_000_000;
  const ofHome = Math.floor((quantile(yearlyEnergy[classOf(cell, supplyPoint)], field) * factor) / 1_000_000);
  const yearly = own && season === 'electricity' && traits.car ? ofHome + carPerYear : ofHome;
  const expected = usedBefore({ seed, today: identifiers.today }, season, yearly);
  if (market === 'GBR_GAS' || profileClassOf(cell, supplyPoint) !== 2) return { yearly, expected };
  return { yearly, expected, nightShare: 350 + ((fieldOf(cell, supplyPoint, 'night') * 141) >>> 16) };
}

function classOf(cell: Cell, supplyPoint: SupplyPoint): EnergyClass {
  if (supplyPoint.isExport) return 'export';
  const isGas = supplyPoint.market === 'GBR_GAS';
  if (cell.traits.business) return isGas ? 'businessGas' : 'business';
  return isGas ? 'gas' : profileClassOf(cell, supplyPoint) === 2 ? 'class2' : 'class1';
}

/** Returns 16 bits of the cell's home, or of another one. */
function fieldOf(cell: Cell, { place }: SupplyPoint, name: 'electricity' | 'gas' | 'exported' | 'night') {
  return place === 0 ? cell.traits.field(name) : hash32(cell.seed, cell.index, name, place) >>> 16;
}

/** Returns the value of a table at a field of 16 bits, linear between the 65 knots. */
function quantile(knots: readonly number[], field: number): number {
  const [knot, rest] = [field >>> 10, field & 1023];
  const low = knots[knot] as number;
  return low + Math.floor((((knots[knot + 1] as number) - low) * rest) / 1024);
}
