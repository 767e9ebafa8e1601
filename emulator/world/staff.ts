import type { RandomStream } from '../engine/random.js';
import { staff } from './vocabulary/platform.js';

/** The number of somebody in the contact centre, other than `except`. */
export function someAgent(random: RandomStream, except?: number): number {
  const agent = random.integer(staff.firstAgent, staff.lastAgent);
  if (agent !== except) return agent;
  return agent === staff.lastAgent ? staff.firstAgent : agent + 1;
}
