import { staff } from '../../world/vocabulary/platform.js';
import type { Subject } from '../subject.js';

/** Whoever of the staff looks after the matter. */
export function agent(subject: Subject): number {
  return subject.once('agent', (random) => random.integer(staff.firstAgent, staff.lastAgent));
}

/** Another one, who decides about it. */
export function approver(subject: Subject): number {
  return agent(subject) === staff.lastAgent ? staff.firstAgent : agent(subject) + 1;
}
