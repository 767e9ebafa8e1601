import type { RequestHandler } from 'express';
import { accountBody } from './account-body.js';
import type { Answers } from './answers.js';
import { invalidRequest, notFound } from './api-error.js';
import { pathParameter } from './locator.js';
import type { WorldView } from './world-view.js';

/** `GET accounts/<number>/`: the account now, or just after the event that the header `busbar-at` names. */
export function readAccount(world: WorldView, answers: Answers): RequestHandler {
  return (request, response) => {
    const eventId = request.get('busbar-at');
    const found = world.accountAt(
      pathParameter(request, 'account_number'),
      eventId === undefined ? undefined : instantOf(eventId, world),
    );
    if (found === undefined) throw notFound();
    answers.send(response, accountBody(found.cell, found.account));
  };
}

/** @throws ApiError 400 for what is not the id of an event that this run can have sent by now. */
function instantOf(eventId: string, world: WorldView): number {
  const attr = 'busbar-at';
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(eventId)) {
    const detail = 'Must be the id of an event: a UUID in lower case.';
    throw invalidRequest([{ detail, code: 'invalid_event_id', attr }]);
  }
  const at = world.instantOf(eventId);
  if (at !== undefined && at <= world.now()) return at;
  const detail = 'Must be the id of an event that this run has sent.';
  throw invalidRequest([{ detail, code: 'unknown_event', attr }]);
}
