import { type Attempts, type Outcome, settled } from './attempts.js';
import type { HeldLanes } from './held-lanes.js';
import { laneKeyOf } from './lane.js';
import { heldKeyDeadLetter, invalidRecordDeadLetter } from './dead-letter.js';
import type { Settler } from './settle.js';
import type { Verdict } from '../verdict.js';
import type { Work } from './work.js';

export interface ApplyVerdictOptions {
  readonly attempts: Attempts;
  readonly settler: Settler;
  /** Undefined for a run that continues after a dead letter. */
  readonly hold: HeldLanes | undefined;
}

/**
 * Applies the verdict on a record: calls the handler unless the lane is held, skips the record, or requests a dead
 * letter. Throws the error of a `fail` verdict.
 */
export function applyVerdict(
  work: Work,
  verdict: Verdict,
  { attempts, settler, hold }: ApplyVerdictOptions,
): Outcome | Promise<Outcome> {
  switch (verdict.action) {
    case 'handle':
      if (hold?.isActive && hold.isHeld(laneKeyOf(work), work.record))
        return { type: 'dead-letter', letter: heldKeyDeadLetter(verdict) };
      return attempts.make(work, verdict);
    case 'skip':
      settler.skipped(work, verdict);
      return settled;
    case 'dead-letter':
      return { type: 'dead-letter', letter: invalidRecordDeadLetter(verdict) };
    case 'fail':
      throw verdict.error;
  }
}
