import { hash32 } from '../engine/random.js';
import type { Setting } from '../world/cell.js';

/** What kind of cell stands at that number of a population. */
export function settingOf(seed: number, cell: number): Setting {
  if (cell === 0) return 'platform';
  const share = hash32(seed, cell, 'setting') / 2 ** 32;
  let least = 0;
  for (const [setting, part] of others) {
    least += part;
    if (share < least) return setting;
  }
  return 'household';
}

/** Whether what plays in a `wanted` cell can play in that one. */
export function fits(cell: Setting, wanted: Setting = 'household'): boolean {
  const isHousehold = cell === 'household' || cell === 'newcomer' || cell === 'dual-fuel';
  return cell === wanted || (isHousehold && (wanted === 'household' || wanted === 'dual-fuel'));
}

/** How large a part of a population what plays in a `wanted` cell fits, from 0 to 1. */
export function shareFitting(wanted: Setting | undefined): number {
  const households = 1 - others.reduce((sum, [, part]) => sum + part, 0);
  return [['household', households] as const, ...others]
    .filter(([setting]) => fits(setting, wanted))
    .reduce((sum, [, part]) => sum + part, 0);
}

/** All who are no plain household, with their part of a population. */
const others = [
  ['newcomer', 0.02],
  ['dormant', 0.03],
  ['business', 0.05],
  ['texas', 0.02],
] as const satisfies readonly (readonly [Setting, number])[];
