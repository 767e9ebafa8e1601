import type { platformApi } from '../../catalogue/index.js';
import type { Instant } from '../engine/time.js';
import { accountBody } from '../platform-api/account-body.js';
import type { WorldView } from '../platform-api/world-view.js';
import { type PlanOptions, playCell } from '../run/plan.js';

/** An account at one instant, and how it came to that. */
export interface AccountStory {
  readonly now: Instant;
  /** The instant that `account` is of. */
  readonly at: Instant;
  readonly cell: number;
  /** As the REST API shows it. */
  readonly account: platformApi.Account;
  /** Likewise, just before the last of `events` that is not after `at`; null where there was none yet. */
  readonly before: platformApi.Account | null;
  /** What has named the account up to now, the oldest first. */
  readonly events: readonly StoryEvent[];
}

export interface StoryEvent {
  readonly at: Instant;
  readonly type: string;
  readonly versions: readonly { readonly version: string; readonly id: string }[];
  readonly instance: string;
}

/** The most events that are told of: the newest. */
const mostEvents = 500;

/**
 * An account at a virtual instant, by default now, found by playing its cell again; undefined where the run has no such
 * account. An instant in the future is taken for now.
 */
export function accountStory(
  number: string,
  at: Instant | undefined,
  { world, plan }: { readonly world: WorldView; readonly plan: PlanOptions },
): AccountStory | undefined {
  const now = world.now();
  const when = Math.min(at ?? now, now);
  const found = world.accountAt(number, when);
  if (found === undefined) return undefined;
  const events = eventsOf(number, found.cell.index, now, plan);
  const last = events.findLast((event) => event.at <= when);
  const before = last && world.accountAt(number, last.at - 1);
  return {
    now,
    at: when,
    cell: found.cell.index,
    account: accountBody(found.cell, found.account),
    before: before === undefined ? null : accountBody(before.cell, before.account),
    events,
  };
}

function eventsOf(number: string, cell: number, now: Instant, plan: PlanOptions): StoryEvent[] {
  const named = JSON.stringify(number);
  const events: StoryEvent[] = [];
  const { ordering, occurrences } = playCell(plan, cell, now + 1);
  for (const { at, place, number: nth, instance, occurrence } of occurrences) {
    if (occurrence.key !== number && !JSON.stringify(occurrence.versions).includes(named)) continue;
    const versions = occurrence.versions.map(({ version }, index) => ({
      version,
      id: ordering.eventId(at, place, nth + index),
    }));
    events.push({ at, type: occurrence.type, versions, instance });
  }
  return events.slice(-mostEvents);
}
