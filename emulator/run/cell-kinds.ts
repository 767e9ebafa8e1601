import { hash32 } from '../engine/random.js';
import type { CellKind } from '../world/cell.js';

export function settingOf(seed: number, cell: number): CellKind {
  if (cell === 0) return 'platform';
  const share = hash32(seed, cell, 'setting') / 2 ** 32;
  let bound = 0;
  for (const [setting, part] of others) {
    bound += part;
    if (share < bound) return setting;
  }
  return 'household';
}

/** Whether a scenario for cells of the kind `needed` can play in a cell. */
export function canRunIn(cell: CellKind, needed: CellKind = 'household'): boolean {
  const isHousehold = cell === 'household' || cell === 'newcomer' || cell === 'dual-fuel';
  return cell === needed || (isHousehold && (needed === 'household' || needed === 'dual-fuel'));
}

/** Returns the share of a population, from 0 to 1, in which a scenario for cells of the kind `needed` can play. */
export function eligibleShare(needed: CellKind | undefined): number {
  const households = 1 - others.reduce((sum, [, part]) => sum + part, 0);
  return [['household', households] as const, ...others]
    .filter(([setting]) => canRunIn(setting, needed))
    .reduce((sum, [, part]) => sum + part, 0);
}

/** Kinds of cells other than a plain household, with their shares of a population. */
const others = [
  ['newcomer', 0.02],
  ['dormant', 0.03],
  ['business', 0.05],
  ['texas', 0.02],
] as const satisfies readonly (readonly [CellKind, number])[];
