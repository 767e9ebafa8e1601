import type { Instant } from '../engine/time.js';
import { accountBody } from '../platform-api/account-body.js';
import type { StepsOf } from '../run/cell-timeline.js';
import type { Plan } from '../run/plan.js';

/** Most events of a history. The newest are kept. */
const maxEvents = 500;

/** An account at one instant, in the form of the REST API, with its history. */
export type AccountStory = NonNullable<ReturnType<typeof accountStory>>;

/**
 * Returns an account at a virtual instant, with its history. The default, and the latest, is now. Returns undefined if the
 * run does not have the account.
 */
export function accountStory(
  number: string,
  {
    at,
    now,
    plan,
    stepsOf,
  }: {
    readonly at: Instant | undefined;
    readonly now: Instant;
    readonly plan: Plan;
    readonly stepsOf: StepsOf;
  },
) {
  const when = Math.min(at ?? now, now);
  const cell = plan.world.identifiers.cellOf(number);
  if (cell === undefined || !plan.knows(cell)) return undefined;
  const steps = stepsOf(plan, cell, now).filter((step) => step.at <= now);
  // Between two steps, an account stays as it is: the plan keeps the states of earlier instants.
  const bodyAt = (instant: Instant) => {
    const found = plan.account(number, steps.findLast((step) => step.at <= instant)?.at ?? instant);
    return found && accountBody(found.cell, found.account);
  };
  const account = bodyAt(when);
  if (account === undefined) return undefined;
  const named = JSON.stringify(number);
  const events = steps
    .filter(({ occurrence: { key, versions } }) => key === number || JSON.stringify(versions).includes(named))
    .map(({ at: then, occurrence: { type }, sent }) => ({ at: then, type, versions: sent }))
    .slice(-maxEvents);
  const last = events.findLast((event) => event.at <= when);
  /** The account before the last event up to then; null if it did not exist. */
  const before = (last && bodyAt(last.at - 1)) ?? null;
  return { at: when, cell, account, before, events };
}
