import { randomStream } from '../../engine/random.js';
import { type Day, dayOf } from '../../engine/time.js';
import { cellState } from '../cell-state.js';
import type { Cell, SupplyPoint } from '../cell.js';
import {
  type GasMechanism,
  gasMechanisms,
  type GasMeterLocation,
  gasMeterLocations,
  type GasMeterMake,
  gasMeterMakes,
  gasMeterOwners,
  gasMeterStatuses,
  gasMeterTypes,
  smartMechanisms,
} from './meter-words.js';
import { anyKey, weightedKey } from '../weights.js';

export interface ImportedMeter {
  readonly serial: string;
  /** In order. Empty if the import named none. */
  readonly registers: readonly { readonly id: string; readonly digits: number }[];
  /** Reading of the first register on the day of the transfer. */
  readonly reading?: { readonly on: Day; readonly value: number };
}

/** Meters of imported supply points. Readings and exchanges concern the first. */
export const importedMeters = new WeakMap<SupplyPoint, readonly ImportedMeter[]>();

/** Profile classes of imported supply points: the distribution of consumption over the day. */
export const importedProfileClasses = new WeakMap<SupplyPoint, number>();

interface ElectricityMeter {
  /** For example `21L4099001`: the year, the maker's letter and seven unique digits. */
  readonly serial: string;
  readonly digits: number;
  /** Ids of the registers: one, unless more were imported. */
  readonly registers: readonly string[];
}

interface GasMeter {
  /** For example `E6S04099001`: the make and eight unique digits. */
  readonly serial: string;
  /** Digits of its register: 5 in cubic metres, 4 in hundreds of cubic feet. */
  readonly digits: number;
  readonly imperial: boolean;
  readonly mechanism: GasMechanism;
  readonly type: keyof typeof gasMeterTypes;
  readonly status: keyof typeof gasMeterStatuses;
  readonly owner: { readonly code: keyof typeof gasMeterOwners; readonly name: string };
  readonly manufacturer: string;
  readonly model: string;
  readonly year: number;
  readonly location: GasMeterLocation;
  readonly locationDescription: string;
  /** Volume of one pulse, in the unit of the register. */
  readonly pulseValue: number;
  /** Returns the reading at the beginning of a day. It grows until the register starts again at 0. */
  readingOn(date: Day): number;
}

/**
 * Returns the supply point's present electricity meter, which stays the same until it is exchanged.
 * @throws BusbarError `capacity-exceeded` after too many exchanges.
 */
export function electricityMeter(cell: Cell, supplyPoint: SupplyPoint): ElectricityMeter {
  const { random, number, imported } = lookUp(cell, supplyPoint, 'electricity');
  const year = random.integer(9, 25);
  const maker = 'LEKSABDFGH'.charAt(Number(number.charAt(0)));
  return {
    serial: imported?.serial ?? `${String(year).padStart(2, '0')}${maker}${number.slice(1)}`,
    digits: imported?.registers[0]?.digits ?? (year < 18 ? 5 : 6),
    registers: imported?.registers.length ? imported.registers.map(({ id }) => id) : ['1'],
  };
}

/** Returns the supply point's gas meter, which stays the same from event to event. */
export function gasMeter(cell: Cell, supplyPoint: SupplyPoint): GasMeter {
  const { random, number, imported } = lookUp(cell, supplyPoint, 'gas');
  const mechanism = random.weighted(gasMechanisms);
  const smart = smartMechanisms.includes(mechanism);
  const imperial = !smart && random.chance(0.3);
  const makes: readonly GasMeterMake[] = gasMeterMakes[smart ? 'smart' : imperial ? 'imperial' : 'metric'];
  const { prefix, model, manufacturer } = random.pick(makes);
  const type = smart ? 'U' : random.weighted(plainTypes);
  const owner = weightedKey(random, gasMeterOwners);
  const location = anyKey(random, gasMeterLocations);
  const digits = imported?.registers[0]?.digits ?? (imperial ? 4 : 5);
  // One to five cubic metres a day; the first reading leaves room for ten years before it.
  const base = imperial ? random.integer(2_500, 6_500) : random.integer(15_000, 70_000);
  const hundredthsPerDay = imperial ? random.integer(35, 80) : random.integer(100, 500);
  const known = imported?.reading ?? { on: readingsBegin, value: base };
  const size = 10 ** digits;
  return {
    serial: imported?.serial ?? `${prefix}${number}`,
    digits,
    imperial,
    mechanism,
    type,
    status: random.weighted(gasMeterStatuses),
    owner: { code: owner, name: gasMeterOwners[owner].name },
    manufacturer,
    model,
    year: smart ? random.integer(2014, 2025) : random.integer(1990, 2018),
    location,
    locationDescription: gasMeterLocations[location],
    pulseValue: imperial ? 1 : smart ? 0.001 : 0.01,
    readingOn(date) {
      const shown = (known.value + Math.floor(((date - known.on) * hundredthsPerDay) / 100)) % size;
      return shown < 0 ? shown + size : shown;
    },
  };
}

/** Types of meters that are not smart. */
const plainTypes = { ...gasMeterTypes, U: 0 };

/** The day of the base reading. */
const readingsBegin = dayOf(2026, 1, 1);

/** Removes the meter and returns it. Another one takes its place. */
export function removeElectricityMeter(cell: Cell, supplyPoint: SupplyPoint): ElectricityMeter {
  const meter = electricityMeter(cell, supplyPoint);
  const removed = removals.of(cell);
  removed.set(supplyPoint.identifier, (removed.get(supplyPoint.identifier) ?? 0) + 1);
  return meter;
}

/** Number of removed meters, by identifier of the supply point. */
const removals = cellState<Map<string, number>>(() => new Map());

/** Returns the unique number of the present meter, the stream of its other attributes, and the imported meter if present. */
function lookUp(cell: Cell, supplyPoint: SupplyPoint, fuel: 'electricity' | 'gas') {
  const nth = removals.of(cell).get(supplyPoint.identifier) ?? 0;
  return {
    imported: nth === 0 ? importedMeters.get(supplyPoint)?.[0] : undefined,
    random: randomStream(cell.seed, cell.index, 'meter', fuel, supplyPoint.place, nth),
    number: cell.identifiers.meter(fuel, cell.index, supplyPoint.place, nth),
  };
}
