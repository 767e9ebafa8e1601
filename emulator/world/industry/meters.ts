import { randomStream } from '../../engine/random.js';
import { type Day, yearOf } from '../../engine/time.js';
import { ownedState } from '../cell-state.js';
import { energyBefore } from '../energy/energy.js';
import { profileClassOf } from '../energy/profile-classes.js';
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
  smartGasMeterYears,
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

interface ElectricityMeter {
  /** For example `21L4099001`: the year, the maker's letter and seven unique digits. */
  readonly serial: string;
  readonly digits: number;
  /** Ids of the registers: one, two for day and night, or those that were imported. */
  readonly registers: readonly string[];
  /** Returns the readings at the beginning of a day, in kilowatt-hours: by day and perhaps by night. */
  readingsOn(date: Day): number[];
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
 * Returns the supply point's electricity meter. It stays the same until it is exchanged.
 * @param nth Number of earlier meters. Default: the present meter.
 * @throws BusbarError `capacity-exceeded` after too many exchanges.
 */
export function electricityMeter(cell: Cell, supplyPoint: SupplyPoint, nth?: number): ElectricityMeter {
  const { random, number, imported, since } = lookUp(cell, supplyPoint, 'electricity', nth);
  const year = since === undefined ? random.integer(9, 25) : yearOf(since.on) % 100;
  const maker = 'LEKSABDFGH'.charAt(Number(number.charAt(0)));
  const registers = profileClassOf(cell, supplyPoint) === 2 ? ['1', '2'] : ['1'];
  const digits = imported?.registers[0]?.digits ?? (year < 18 ? 5 : 6);
  const known = imported?.reading ?? since ?? { value: random.integer(0, 10_000) };
  return {
    serial: imported?.serial ?? `${String(year).padStart(2, '0')}${maker}${number.slice(1)}`,
    digits,
    registers: imported?.registers.length ? imported.registers.map(({ id }) => id) : registers,
    readingsOn: (date) => registerReadings(cell, supplyPoint, { known, digits, unit: 1000 }, date),
  };
}

/** Returns the supply point's gas meter, which stays the same from event to event. */
export function gasMeter(cell: Cell, supplyPoint: SupplyPoint): GasMeter {
  const { random, number, imported, since } = lookUp(cell, supplyPoint, 'gas');
  const isHome = supplyPoint.place === 0;
  const smart = isHome ? cell.traits.smartGas : random.chance(0.65);
  const kind = smart ? 'smart' : isHome && cell.traits.prepaid ? 'prepaid' : 'credit';
  const mechanism = random.weighted<string>(gasMechanisms[kind]) as GasMechanism;
  const imperial = !smart && random.chance(0.3);
  const makes: readonly GasMeterMake[] = gasMeterMakes[smart ? 'smart' : imperial ? 'imperial' : 'metric'];
  const { prefix, model, manufacturer } = random.pick(makes);
  const type = smart ? 'U' : random.weighted(plainTypes);
  const owner = weightedKey(random, gasMeterOwners);
  const location = anyKey(random, gasMeterLocations);
  const digits = imported?.registers[0]?.digits ?? (imperial ? 4 : 5);
  const known = imported?.reading ?? since ?? { value: random.integer(0, imperial ? 2_500 : 20_000) };
  const register = { known, digits, unit: imperial ? hundredCubicFeet : cubicMetre };
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
    year: random.integer(...gasMeterYears(mechanism)),
    location,
    locationDescription: gasMeterLocations[location],
    pulseValue: imperial ? 1 : smart ? 0.001 : 0.01,
    readingOn: (date) => registerReadings(cell, supplyPoint, register, date)[0] as number,
  };
}

/** Whether a gas meter sends its readings. */
export function isSmart({ mechanism }: Pick<GasMeter, 'mechanism'>): boolean {
  return mechanism === 'S1' || mechanism === 'S2';
}

/** Whether the meter of a supply point sends its readings. */
export function isSmartMeter(cell: Cell, supplyPoint: SupplyPoint): boolean {
  return supplyPoint.market === 'GBR_GAS'
    ? isSmart(gasMeter(cell, supplyPoint))
    : cell.traits.smartElectricity;
}

function gasMeterYears(mechanism: GasMechanism): readonly [first: number, last: number] {
  return mechanism === 'S1' || mechanism === 'S2' ? smartGasMeterYears[mechanism] : [1990, 2018];
}

/** Energy of a unit of gas in Wh, at 39.5 MJ a cubic metre and the standard correction factor. */
const [cubicMetre, hundredCubicFeet] = [11_221, 31_774];

interface Register {
  /** A reading, and its day. Default day: before all energy. */
  readonly known: { readonly on?: Day; readonly value: number };
  readonly digits: number;
  /** Wh. */
  readonly unit: number;
}

/** Returns what the registers show at the beginning of a day. They start again at 0 after the last number. */
function registerReadings(cell: Cell, supplyPoint: SupplyPoint, register: Register, date: Day): number[] {
  const { known, digits, unit } = register;
  const size = 10 ** digits;
  const before = known.on === undefined ? [] : energyBefore(cell, supplyPoint, known.on);
  return energyBefore(cell, supplyPoint, date).map((used, nth) => {
    const units = Math.floor(used / unit) - Math.floor((before[nth] ?? 0) / unit);
    return (((known.value + units) % size) + size) % size;
  });
}

/** The reading of a register at the beginning of a day. */
export interface Reading {
  readonly on: Day;
  readonly serial: string;
  /** Undefined for the only register. */
  readonly register: 'DAY' | 'NIGHT' | undefined;
  readonly value: number;
  readonly digits: number;
  readonly unit: keyof typeof units;
  /** Energy of a unit in Wh. */
  readonly energy: number;
}

const units = { kWh: 1000, m3: cubicMetre, '100 ft3': hundredCubicFeet };

/** Returns the readings of a supply point on days. An exchanged meter and its successor are both read on that day. */
export function readingsOf(cell: Cell, supplyPoint: SupplyPoint, days: ReadonlySet<Day>): Reading[] {
  const removed = removals.of(cell, supplyPoint);
  const dates = [...new Set([...days, ...removed])].sort((one, other) => one - other);
  return [...removed, Infinity].flatMap((to, nth) => {
    const { readingsOn, ...meter } = registersOf(cell, supplyPoint, nth);
    return dates
      .filter((date) => date >= (removed[nth - 1] ?? -Infinity) && date <= to)
      .flatMap((on) => {
        const values = readingsOn(on);
        return values.map((value, place): Reading => {
          const register = values.length === 1 ? undefined : place === 0 ? 'DAY' : 'NIGHT';
          return { on, ...meter, energy: units[meter.unit], register, value };
        });
      });
  });
}

function registersOf(cell: Cell, supplyPoint: SupplyPoint, nth: number) {
  if (supplyPoint.market === 'GBR_GAS') {
    const meter = gasMeter(cell, supplyPoint);
    const { serial, digits, imperial } = meter;
    const readingsOn = (date: Day) => [meter.readingOn(date)];
    return { serial, digits, unit: imperial ? '100 ft3' : 'm3', readingsOn } as const;
  }
  const meter = electricityMeter(cell, supplyPoint, nth);
  const { serial, digits } = meter;
  return { serial, digits, unit: 'kWh', readingsOn: (date: Day) => meter.readingsOn(date) } as const;
}

/** Types of meters that are not smart. */
const plainTypes = { ...gasMeterTypes, U: 0 };

/** Removes the meter on a day and returns it. Another one takes its place and begins at 0. */
export function removeElectricityMeter(cell: Cell, supplyPoint: SupplyPoint, on: Day): ElectricityMeter {
  const meter = electricityMeter(cell, supplyPoint);
  removals.of(cell, supplyPoint).push(on);
  return meter;
}

/** Days on which the meters of a supply point were removed. */
const removals = ownedState<SupplyPoint, Day[]>(() => []);

/** Returns the unique number of a meter, the stream of its other attributes, and the imported meter if present. */
function lookUp(
  cell: Cell,
  supplyPoint: SupplyPoint,
  fuel: 'electricity' | 'gas',
  nth = removals.of(cell, supplyPoint).length,
) {
  const on = removals.of(cell, supplyPoint)[nth - 1];
  return {
    imported: nth === 0 ? importedMeters.get(supplyPoint)?.[0] : undefined,
    since: on === undefined ? undefined : { on, value: 0 },
    random: randomStream(cell.seed, cell.index, 'meter', fuel, supplyPoint.place, nth),
    number: cell.identifiers.meter(fuel, cell.index, supplyPoint.place, nth),
  };
}
