import type { ErrorRequestHandler, RequestHandler } from 'express';
import { BusbarError, type ErrorCode } from 'busbar/base';
import type { Guard } from '../http/guard.js';
import type { Serving } from '../http/operations.js';
import { Refused } from '../http/refusal.js';
import { requireShallow } from '../samples/nesting.js';
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
  inspectBody: (body) => requireShallow('body', body),
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

/** Statuses of errors that depend on the state of the run, not on the request. */
const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  'unknown-account': 404,
  'unknown-import-supplier': 404,
  'unknown-topic': 404,
  'unknown-group': 404,
  'run-over': 409,
  'capacity-exceeded': 409,
};

/** Responds with an error. Passes unexpected errors to the server. */
export const errorHandler: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  const refused = refusalOf(error);
  if (refused === undefined) next(error);
  else {
    const { status, code, message, headers } = refused;
    response.status(status).set(headers).json({ error: code, message });
  }
};

function refusalOf(error: unknown): Refused | undefined {
  if (error instanceof Refused) return error;
  if (error instanceof BusbarError) {
    const status = statuses[error.code] ?? (error.kind === 'usage' ? 400 : 500);
    return new Refused(status, error.code, error.message);
  }
  // The parser's message may quote the body.
  switch (error instanceof Error && 'type' in error && error.type) {
    case 'entity.too.large':
      return new Refused(413, 'too-large', 'The body is too large. Send at most 1 MB.');
    case 'entity.parse.failed':
      return new Refused(400, 'bad-request', 'The body is not JSON.');
    default:
      return undefined;
  }
}
