import type { Day } from '../engine/time.js';
import type { SupplyPoint } from './cell.js';

/** A meter as somebody outside says that it is. */
export interface GivenMeter {
  readonly serial: string;
  /** In their order; none where they were not told of. */
  readonly registers: readonly GivenRegister[];
  /** What its first register showed on the day of the transfer. */
  readonly reading?: { readonly on: Day; readonly value: number };
}

export interface GivenRegister {
  readonly id: string;
  readonly digits: number;
}

/** Meters hang at a supply point that came with an account: the first is the one that readings and exchanges are about. */
export function hangMeters(supplyPoint: SupplyPoint, meters: readonly GivenMeter[]): void {
  given.set(supplyPoint, meters);
}

/** Meters that came with the supply point; none where the world's own hangs there. */
export function givenMeters(supplyPoint: SupplyPoint): readonly GivenMeter[] {
  return given.get(supplyPoint) ?? [];
}

/** How consumption at the supply point is spread over the day, as it was sent. */
export function giveProfileClass(supplyPoint: SupplyPoint, profileClass: number): void {
  profileClasses.set(supplyPoint, profileClass);
}

export function givenProfileClass(supplyPoint: SupplyPoint): number | undefined {
  return profileClasses.get(supplyPoint);
}

const given = new WeakMap<SupplyPoint, readonly GivenMeter[]>();
const profileClasses = new WeakMap<SupplyPoint, number>();
