import type { Day } from '../engine/time.js';
import type { SupplyPoint } from './cell.js';

/** A meter of an imported supply point. */
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
