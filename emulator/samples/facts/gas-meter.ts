import { yearOf } from '../../engine/time.js';
import {
  gasMechanisms,
  gasMeterLocations,
  type GasMeterMake,
  gasMeterMakes,
  gasMeterOwners,
  gasMeterTypes,
  type GasMechanism,
  smartMechanisms,
} from '../../world/vocabulary/meters.js';
import { anyKey, weightedKey } from '../../world/vocabulary/rows.js';
import type { Subject } from '../subject.js';

/** The gas meter of the home. What it counts in, its digits and its readings belong together. */
export interface GasMeter {
  readonly serial: string;
  readonly mechanism: GasMechanism;
  readonly type: string;
  readonly isImperial: boolean;
  /** Digits of the register: the reading has at most as many. */
  readonly digits: number;
  readonly model: string;
  readonly manufacturer: string;
  readonly year: number;
  readonly location: keyof typeof gasMeterLocations;
  readonly owner: keyof typeof gasMeterOwners;
  /** Volume of one pulse: cubic metres, or hundreds of cubic feet. */
  readonly pulse: number;
  readonly reading: number;
}

export function gasMeter(subject: Subject): GasMeter {
  return subject.once('gas meter', (random) => {
    const mechanism = random.weighted(gasMechanisms);
    const isSmart = smartMechanisms.includes(mechanism);
    const isImperial = !isSmart && random.chance(0.25);
    const make = random.pick<GasMeterMake>(
      gasMeterMakes[isSmart ? 'smart' : isImperial ? 'imperial' : 'metric'],
    );
    const thisYear = yearOf(subject.today);
    const year = isSmart ? random.integer(2013, thisYear - 1) : random.integer(1990, thisYear - 3);
    const type = isSmart ? 'U' : random.weighted(gasMeterTypes);
    const digits = isImperial ? 4 : 5;
    const number = String(random.integer(0, 99_999_999)).padStart(8, '0');
    return {
      serial: make.prefix + String(year % 100).padStart(2, '0') + number,
      mechanism,
      type,
      isImperial,
      digits,
      model: make.model,
      manufacturer: make.manufacturer,
      year,
      location: anyKey(random, gasMeterLocations),
      owner: weightedKey(random, gasMeterOwners),
      pulse: isImperial ? 1 : type === 'U' ? 0.001 : 0.01,
      reading: random.integer(1000, 10 ** digits - 2001),
    };
  });
}
