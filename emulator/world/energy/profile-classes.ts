import type { Cell, SupplyPoint } from '../cell.js';

/** Profile classes of imported supply points: the distribution of consumption over the day. */
export const importedProfileClasses = new WeakMap<SupplyPoint, number>();

/** Returns 2 for a meter that counts day and night, else 1, or the imported class. */
export function profileClassOf(cell: Cell, supplyPoint: SupplyPoint): number {
  const own = supplyPoint.place === 0 ? cell.traits.registers : 1;
  return importedProfileClasses.get(supplyPoint) ?? own;
}
