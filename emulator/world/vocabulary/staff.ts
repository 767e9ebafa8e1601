import type { RandomStream } from '../../engine/random.js';

/** Who acts when nobody does: automatic rules, night batches. */
export const systemUser = 1;

/** How the platform writes a member of staff that is not known yet, in fields that it requires. */
export const nobody = 0;

/** One of the 200 people who work for the platform. */
export function staffId(random: RandomStream): number {
  return random.integer(1001, 1200);
}

/** The organisations within the platform that look after customers. */
export const organisations = { domestic: 1, business: 2 } as const;
