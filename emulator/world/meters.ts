import { type RandomStream, randomStream } from '../engine/random.js';
import { type Day, dayOf } from '../engine/time.js';
import type { Cell, SupplyPoint } from './cell.js';
import { cellState } from './cell-state.js';
import { type GivenMeter, givenMeters } from './given-meters.js';
import { ordinalOf, propertiesPerCell } from './identifiers.js';
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
} from './vocabulary/meters.js';
import { anyKey, weightedKey } from './vocabulary/rows.js';

export interface ElectricityMeter {
  /** `21L4099001`: the year, then a letter of the maker and seven digits that no other meter has. */
  readonly serial: string;
  readonly digits: number;
  /** Names on the meter: one, unless others came with an account. */
  readonly registers: readonly string[];
}

export interface GasMeter {
  /** A make and eight digits that no other gas meter has: `E6S04099001`. */
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
  /** Volume of one pulse, in the unit that the register counts. */
  readonly pulseValue: number;
  /** What its register shows at the beginning of a day: it only grows, until all its digits are used up. */
  readingOn(date: Day): number;
}

/**
 * The electricity meter that hangs at the supply point now: the same from event to event, until it is exchanged.
 * @throws BusbarError `capacity-exceeded` when it was exchanged more often than there are serial numbers.
 */
export function electricityMeter(cell: Cell, supplyPoint: SupplyPoint): ElectricityMeter {
  const { random, number, given } = lookUp(cell, supplyPoint, 'electricity');
  const year = random.integer(9, 25);
  // The number is below 40,000,000, or longer: its first digit becomes the maker.
  const maker = 'LEKSABDFGH'.charAt(Number(number.charAt(0)));
  return {
    serial: given?.serial ?? `${String(year).padStart(2, '0')}${maker}${number.slice(1)}`,
    digits: given?.registers[0]?.digits ?? (year < 18 ? 5 : 6),
    registers: given?.registers.length ? given.registers.map(({ id }) => id) : ['1'],
  };
}

/** The gas meter that hangs at the supply point now: the same from event to event. */
export function gasMeter(cell: Cell, supplyPoint: SupplyPoint): GasMeter {
  const { random, number, given } = lookUp(cell, supplyPoint, 'gas');
  const mechanism = random.weighted(gasMechanisms);
  const smart = smartMechanisms.includes(mechanism);
  const imperial = !smart && random.chance(0.3);
  const makes: readonly GasMeterMake[] = gasMeterMakes[smart ? 'smart' : imperial ? 'imperial' : 'metric'];
  const { prefix, model, manufacturer } = random.pick(makes);
  const type = smart ? 'U' : random.weighted(plainTypes);
  const owner = weightedKey(random, gasMeterOwners);
  const location = anyKey(random, gasMeterLocations);
  const digits = given?.registers[0]?.digits ?? (imperial ? 4 : 5);
  // One to five cubic metres a day, and enough at the beginning for ten years back.
  const base = imperial ? random.integer(2_500, 6_500) : random.integer(15_000, 70_000);
  const hundredthsPerDay = imperial ? random.integer(35, 80) : random.integer(100, 500);
  const known = given?.reading ?? { on: readingsBegin, value: base };
  const size = 10 ** digits;
  return {
    serial: given?.serial ?? `${prefix}${number}`,
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

/** Of meters that are not smart. */
const plainTypes = { ...gasMeterTypes, U: 0 };

/** Registers are reckoned from 2026 on; what they show earlier is less. */
const readingsBegin = dayOf(2026, 1, 1);

/** Takes the meter down; the next one that is asked for at the supply point is another. */
export function removeElectricityMeter(cell: Cell, supplyPoint: SupplyPoint): ElectricityMeter {
  const meter = electricityMeter(cell, supplyPoint);
  const removed = removals.of(cell);
  removed.set(supplyPoint.identifier, (removed.get(supplyPoint.identifier) ?? 0) + 1);
  return meter;
}

/** How many meters were taken down at a supply point. */
const removals = cellState<Map<string, number>>(() => new Map());

/**
 * The unique number of the present meter, the stream that its other attributes are drawn from, and what came with the
 * supply point and has not been taken down.
 */
function lookUp(
  cell: Cell,
  supplyPoint: SupplyPoint,
  fuel: 'electricity' | 'gas',
): { random: RandomStream; number: string; given: GivenMeter | undefined } {
  const ordinal = ordinalOf(supplyPoint.id);
  // Two supply points for each of the cell's own properties; those that came with an account stand for themselves.
  const own = 2 * propertiesPerCell;
  const place = ordinal < own ? Math.floor(ordinal / 2) : propertiesPerCell + ordinal - own;
  const nth = removals.of(cell).get(supplyPoint.identifier) ?? 0;
  return {
    given: nth === 0 ? givenMeters(supplyPoint)[0] : undefined,
    random: randomStream(cell.seed, cell.index, 'meter', fuel, place, nth),
    number: cell.identifiers.meter(fuel, cell.index, place, nth),
  };
}
