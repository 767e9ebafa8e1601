import { json, type RequestHandler } from 'express';
import { ApiError } from './api-error.js';

/** Bytes that the body of a request may have. */
export const mostBytes = 1_000_000;

/** Reads a JSON body; anything else is a 415, a 413, or a 400. For the routes that take one. */
export function jsonBody(): RequestHandler[] {
  const requireJson: RequestHandler = (request, _response, next) => {
    if (request.is('application/json') !== 'application/json') {
      throw new ApiError(415, 'unsupported_media_type', 'Send JSON, with Content-Type: application/json.');
    }
    next();
  };
  return [requireJson, json({ limit: mostBytes, strict: false })];
}

/** What goes wrong before a handler is reached, in our words: express's own may quote what was sent. */
export function describeFailure(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  const { status, type } = error instanceof Error ? (error as { status?: unknown; type?: unknown }) : {};
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  if (status === 413) return new ApiError(413, 'body_too_large', `The body may have ${mostBytes} bytes.`);
  if (status === 415) return new ApiError(415, 'unsupported_media_type', 'Send JSON in UTF-8.');
  if (type === 'entity.parse.failed') return new ApiError(400, 'malformed_json', 'The body is not JSON.');
  return new ApiError(400, 'malformed_request', 'The request cannot be read.');
}
