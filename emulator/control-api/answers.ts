import type { ErrorRequestHandler, RequestHandler } from 'express';
import { BusbarError, type ErrorCode } from '../../src/base/errors.js';
import type { Guard } from '../http/guard.js';

/** Pages of other sites may not steer the emulator: a browser tells their origin. */
export function checkCaller(guard: Guard): RequestHandler {
  return ({ headers }, response, next) => {
    const refused = guard.refuseOrigin(headers.origin, headers.host);
    if (refused === undefined) next();
    else response.status(403).json({ error: 'foreign-origin', message: refused });
  };
}

/** What a browser sends to another site without asking first has another type, and is refused. */
export const requireJson: RequestHandler = (request, response, next) => {
  const isWrite = ['POST', 'PUT', 'PATCH'].includes(request.method);
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (!isWrite || type === 'application/json') next();
  else {
    const message = 'Send "Content-Type: application/json", and {} where there is nothing to say.';
    response.status(415).json({ error: 'unsupported-media-type', message });
  }
};

export const nothingHere: RequestHandler = (_request, response) => {
  const message = 'There is nothing at this path: see /emulator/v1/openapi.json.';
  response.status(404).json({ error: 'not-found', message });
};

/** Codes that are not the caller's words being wrong, but what they meet. */
const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  'unknown-account': 404,
  'unknown-import-supplier': 404,
  'unknown-topic': 404,
  'unknown-group': 404,
  'run-over': 409,
  'capacity-exceeded': 409,
};

/** One shape for every error: a code and a sentence. What is not ours goes on to the server. */
export const answerErrors: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (error instanceof BusbarError) {
    const status = statuses[error.code] ?? (error.kind === 'usage' ? 400 : 500);
    response.status(status).json({ error: error.code, message: error.message });
    return;
  }
  const type = error instanceof Error && 'type' in error ? error.type : undefined;
  // The parser's own words would repeat what was sent.
  if (type === 'entity.too.large') {
    response.status(413).json({ error: 'too-large', message: 'A body has at most 1 MB.' });
  } else if (type === 'entity.parse.failed') {
    response.status(400).json({ error: 'bad-request', message: 'The body is not a JSON object.' });
  } else next(error);
};
