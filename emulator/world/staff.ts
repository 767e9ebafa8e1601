import type { RandomStream } from '../engine/random.js';
import { staff } from './vocabulary/platform.js';

/** Id of the system user, which makes automatic changes. */
export const { systemUser } = staff;

/** Value of a required field while no agent is assigned. */
export const noAgent = 0;

export function staffId(random: RandomStream): number {
  return random.integer(staff.firstAgent, staff.lastAgent);
}

/** Ids of the organisations that serve customers. */
export const organisations = { domestic: 1, business: 2 } as const;
