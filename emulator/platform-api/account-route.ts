import { accountBody } from './account-body.js';
import { invalidRequest, notFound } from './api-error.js';
import type { PlatformHandler } from './document.js';
import type { WorldView } from './world-view.js';

/** Handles `GET accounts/<number>/`: the account now, or just after the event in the header `busbar-at`. */
export function readAccount(world: WorldView): PlatformHandler<'readAccount'> {
  return ({ parameters: { account_number, 'busbar-at': eventId } }) => {
    const at = eventId === undefined ? undefined : instantOf(eventId, world);
    const found = world.accountAt(account_number, at);
    if (found === undefined) throw notFound();
    return accountBody(found.cell, found.account);
  };
}

/** @throws ApiError 400 for the id of an event that this run has not sent yet. */
function instantOf(eventId: string, world: WorldView): number {
  const at = world.instantOf(eventId);
  if (at !== undefined && at <= world.now()) return at;
  const detail = 'Must be the id of an event that this run has sent.';
  throw invalidRequest([{ detail, code: 'unknown_event', attr: 'busbar-at' }]);
}
