import { type RandomStream, randomStream } from '../engine/random.js';
import { type Day, dayOf } from '../engine/time.js';
import type { Cell, SupplyPoint } from './cell.js';
import { cellState } from './cell-state.js';
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
  const { random, number } = lookUp(cell, supplyPoint, 'electricity');
  const year = random.integer(9, 25);
  // The number is below 40,000,000: its first digit becomes the maker.
  const maker = 'LEKS'.charAt(Number(number.charAt(0)));
  return { serial: `${String(year).padStart(2, '0')}${maker}${number.slice(1)}`, digits: year < 18 ? 5 : 6 };
}

/** The gas meter that hangs at the supply point now: the same from event to event. */
export function gasMeter(cell: Cell, supplyPoint: SupplyPoint): GasMeter {
  const { random, number } = lookUp(cell, supplyPoint, 'gas');
  const mechanism = random.weighted(gasMechanisms);
  const smart = smartMechanisms.includes(mechanism);
  const imperial = !smart && random.chance(0.3);
  const makes: readonly GasMeterMake[] = gasMeterMakes[smart ? 'smart' : imperial ? 'imperial' : 'metric'];
  const { prefix, model, manufacturer } = random.pick(makes);
  const type = smart ? 'U' : random.weighted({ ...gasMeterTypes, U: 0 });
  const owner = weightedKey(random, gasMeterOwners);
  const location = anyKey(random, gasMeterLocations);
  const digits = imperial ? 4 : 5;
  // One to five cubic metres a day, and enough at the beginning for ten years back.
  const base = imperial ? random.integer(2_500, 6_500) : random.integer(15_000, 70_000);
  const hundredthsPerDay = imperial ? random.integer(35, 80) : random.integer(100, 500);
  return {
    serial: `${prefix}${number}`,
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
    readingOn: (date) =>
      (base + Math.floor(((date - readingsBegin) * hundredthsPerDay) / 100)) % 10 ** digits,
  };
}

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

/** The unique number of the present meter, and the stream that its other attributes are drawn from. */
function lookUp(
  cell: Cell,
  supplyPoint: SupplyPoint,
  fuel: 'electricity' | 'gas',
): { random: RandomStream; number: string } {
  const place = cell.properties.findIndex(({ supplyPoints }) => supplyPoints.includes(supplyPoint));
  const nth = removals.of(cell).get(supplyPoint.identifier) ?? 0;
  return {
    random: randomStream(cell.seed, cell.index, 'meter', fuel, place, nth),
    number: cell.identifiers.meter(fuel, cell.index, place, nth),
  };
}
