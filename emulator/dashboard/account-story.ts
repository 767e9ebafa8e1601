import type { platformApi } from 'busbar/catalogue';
import type { Instant } from '../engine/time.js';
import { accountBody } from '../platform-api/account-body.js';
import type { WorldView } from '../platform-api/world-view.js';
import type { CellStep } from '../run/cell-timeline.js';
import type { Plan } from '../run/plan.js';

/** An account at one instant, with its history. */
export interface AccountStory {
  /** The instant of `account`. */
  readonly at: Instant;
  readonly cell: number;
  /** The account in the form of the REST API. */
  readonly account: platformApi.Account;
  /** The account before the last event up to `at`; null if it did not exist. */
  readonly before: platformApi.Account | null;
  /** Events that name the account up to now, the oldest first. */
  readonly events: readonly Pick<CellStep, 'at' | 'type' | 'versions'>[];
}

/** Most events of a history. The newest are kept. */
const maxEvents = 500;

/**
 * Plays a cell again to return one of its accounts at a virtual instant. The default, and the latest, is now. Returns
 * undefined if the run does not have the account.
 */
export function accountStory(
  number: string,
  at: Instant | undefined,
  { world, plan }: { readonly world: WorldView; readonly plan: Plan },
): AccountStory | undefined {
  const now = world.now();
  const when = Math.min(at ?? now, now);
  const found = world.accountAt(number, when);
  if (found === undefined) return undefined;
  const events = eventsOf(number, found.cell.index, now, plan);
  const last = events.findLast((event) => event.at <= when);
  const before = last && world.accountAt(number, last.at - 1);
  return {
    at: when,
    cell: found.cell.index,
    account: accountBody(found.cell, found.account),
    before: before === undefined ? null : accountBody(before.cell, before.account),
    events,
  };
}

function eventsOf(number: string, cell: number, now: Instant, plan: Plan): AccountStory['events'] {
  const named = JSON.stringify(number);
  const events: AccountStory['events'][number][] = [];
  for (const { at, occurrence, sent } of plan.timeline(cell, now + 1)) {
    if (occurrence.key !== number && !JSON.stringify(occurrence.versions).includes(named)) continue;
    events.push({ at, type: occurrence.type, versions: sent });
  }
  return events.slice(-maxEvents);
}
