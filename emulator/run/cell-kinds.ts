import { hash32 } from '../engine/random.js';
import type { CellKind } from '../world/cell.js';
import { defaultMix } from '../world/mix.js';

export function settingOf(seed: number, cell: number): CellKind {
  if (cell === 0) return 'platform';
  let left = (hash32(seed, cell, 'setting') / 2 ** 32) * 1000;
  for (const [kind, perMille] of kinds) if ((left -= perMille) < 0) return kind;
  return 'household';
}

/** Whether a scenario for cells of the kind `needed` can play in a cell. */
export function canRunIn(cell: CellKind, needed: CellKind = 'household'): boolean {
  if (cell === needed) return true;
  if (needed === 'dual-fuel' || needed === 'shared')
    return ['household', 'driver', 'landlord', 'newcomer'].includes(cell);
  if (needed === 'closed') return cell === 'dormant' || cell === 'withdrawn';
  if (needed === 'billed' && cell === 'business') return true;
  if (likeAny.includes(needed)) return canRunIn(cell);
  return needed === 'household' && households.includes(cell);
}

/** Returns the share of a population, from 0 to 1, in which a scenario for cells of the kind `needed` can play. */
export function eligibleShare(needed: CellKind | undefined): number {
  return kinds.reduce((sum, [setting, part]) => sum + (canRunIn(setting, needed) ? part : 0), 0) / 1000;
}

/** Kinds for which any household will do, if there is a scenario for it: they act on those whom they concern. */
const likeAny: readonly CellKind[] = ['fixed-term', 'smart', 'debtor', 'billed'];

const households: readonly CellKind[] = [
  'dual-fuel',
  'fixed-term',
  'gas-only',
  'shared',
  'smart',
  'driver',
  'landlord',
  'newcomer',
  'billed',
  'debtor',
  'occupier',
  'executors',
];

const kinds = Object.entries(defaultMix.kinds) as [CellKind, number][];
