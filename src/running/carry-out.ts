import { type Attempts, type Outcome, settled } from './attempts.js';
import type { LaneHold } from './held-lanes.js';
import { laneKeyOf } from './lane.js';
import { heldLetter, unfitLetter } from './letter.js';
import type { Settler } from './settle.js';
import type { Verdict } from '../verdict.js';
import type { Work } from './work.js';

export interface CarryOutOptions {
  readonly attempts: Attempts;
  readonly settler: Settler;
  readonly hold: LaneHold;
}

/**
 * Does with a record what the verdict on it says: calls the handler, unless its lane is held, skips it, or asks for it
 * to be set aside. Throws what a verdict fails with.
 */
export function carryOut(
  work: Work,
  verdict: Verdict,
  { attempts, settler, hold }: CarryOutOptions,
): Outcome | Promise<Outcome> {
  switch (verdict.action) {
    case 'handle':
      if (hold.isActive && hold.isHeld(laneKeyOf(work), work.record))
        return { type: 'dead-letter', letter: heldLetter(verdict) };
      return attempts.make(work, verdict);
    case 'skip':
      settler.skipped(work, verdict);
      return settled;
    case 'dead-letter':
      return { type: 'dead-letter', letter: unfitLetter(verdict) };
    case 'fail':
      throw verdict.error;
  }
}
