import type { RandomStream } from '../engine/random.js';
import { staff } from './vocabulary/platform.js';

/** Who acts when nobody does: automatic rules, night batches. */
export const { systemUser } = staff;

/** How the platform writes a member of staff that is not known yet, in fields that it requires. */
export const nobody = 0;

/** One of the people who work for the platform. */
export function staffId(random: RandomStream): number {
  return random.integer(staff.firstAgent, staff.lastAgent);
}

/** The organisations within the platform that look after customers. */
export const organisations = { domestic: 1, business: 2 } as const;
