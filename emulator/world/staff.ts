import type { RandomStream } from '../engine/random.js';

/** Ids of staff. Automatic changes are made by the system user. */
export const staff = { systemUser: 1, firstAgent: 1001, lastAgent: 1200 } as const;

/** Id of the system user, which makes automatic changes. */
export const { systemUser } = staff;

/** Value of a required field while no agent is assigned. */
export const noAgent = 0;

export function staffId(random: RandomStream): number {
  return random.integer(staff.firstAgent, staff.lastAgent);
}

/** Ids of the organisations that serve customers. */
export const organisations = { domestic: 1, business: 2 } as const;
