import type { Occurrence } from '../../engine/scenario.js';
import type { Cell, User } from '../cell.js';
import { occurrence } from '../occurrence.js';
import type { verificationTypes } from '../vocabulary/auth.js';

/** Verification of a user's contact detail. Key of its events: user number. */
interface Verification {
  readonly id: number;
  readonly user: User;
  readonly type: keyof typeof verificationTypes;
}

export function startVerification(
  cell: Cell,
  user: User,
  type: Verification['type'],
): { verification: Verification; started: Occurrence } {
  const verification: Verification = { id: cell.ids.integer('verification'), user, type };
  const started = occurrence('account_user.verification_started', user.number, {
    v1: describe(verification),
  });
  return { verification, started };
}

export function completeVerification(verification: Verification): Occurrence {
  return occurrence('account_user.verification_completed', verification.user.number, {
    v1: describe(verification),
  });
}

function describe({ id, user, type }: Verification) {
  return { user_number: user.number, verification_id: id, verification_type: type };
}
