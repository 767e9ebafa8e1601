import type { Instant } from '../engine/time.js';
import type { AccountInCell, Plan } from '../run/plan.js';

/** The world as the REST API reads it: that of a current or a recorded run. */
export interface WorldView {
  /** Returns the seed of the current run; a reset can change it. */
  seed(): number;
  /** Returns the current virtual instant: that of the last sent event, or later. */
  now(): Instant;
  /**
   * Returns an account with its cell, just after the last event until `at` (default now). Undefined if the run does not
   * have the account.
   */
  accountAt(number: string, at?: Instant): AccountInCell | undefined;
  /** Returns the time of an event, or undefined for an id that the run cannot have. */
  instantOf(eventId: string): Instant | undefined;
}

/** Returns a view of the world of a run. @param plan Returns undefined if unknown, for example for some recordings. */
export function worldView(plan: () => Plan | undefined, now: () => Instant): WorldView {
  return {
    seed: () => plan()?.seed ?? 1,
    now,
    accountAt: (number, at = now()) => plan()?.account(number, at),
    instantOf: (eventId) => plan()?.instantOf(eventId),
  };
}
