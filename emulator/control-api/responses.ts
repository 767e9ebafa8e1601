import type { RequestHandler } from 'express';
import type { Guard } from '../http/guard.js';
import type { Serving } from '../http/operations.js';
import { Refused } from '../http/refusal.js';
import { requireSendable } from '../samples/sendable.js';
import { objectionTo } from './objection.js';

/** Refuses requests from pages of other sites, by their Origin header. */
export function checkCaller(guard: Guard): RequestHandler {
  return ({ headers }, _response, next) => {
    const refused = guard.refuseOrigin(headers.origin, headers.host);
    next(refused && new Refused(403, 'foreign-origin', refused));
  };
}

/** The settings with which the control API serves its document. */
export const serving: Serving = {
  validation: { validateFormats: false },
  ignoresUnknown: false,
  inspectBody: (body) => requireSendable('body', body),
  leavesBody: () => false,
  // Payloads and the data of imports are far smaller.
  maxBytes: 1_048_576,
  before: () => [],
  send(response, body, mediaType) {
    response.set('Cache-Control', 'no-store').type(mediaType);
    response.send(typeof body === 'string' ? body : JSON.stringify(body));
  },
  refuse: {
    request: objectionTo,
    method: (allowed) =>
      new Refused(405, 'method-not-allowed', `This path allows ${allowed}.`, { Allow: allowed }),
    // A page of another site cannot send JSON without a preflight request.
    mediaType() {
      const message = 'Send "Content-Type: application/json", and {} as an empty body.';
      return new Refused(415, 'unsupported-media-type', message);
    },
  },
};

export const notFoundHandler: RequestHandler = () => {
  throw new Refused(404, 'not-found', 'This path does not exist. /emulator/v1/openapi.json lists all paths.');
};
