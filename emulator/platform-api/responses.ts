import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'busbar/base';
import { logRequestFailure } from '../http/refusal.js';
import { ApiError } from './api-error.js';
import type { PlatformApiSettings } from './settings.js';

export type Responses = ReturnType<typeof createResponses>;

/** Creates functions that send responses, with variations that clients must tolerate. */
export function createResponses(
  { extraFields, varyErrorWording }: Pick<PlatformApiSettings, 'extraFields' | 'varyErrorWording'>,
  logger: Logger,
) {
  let reworded = 0;
  const reword = (detail: string) =>
    varyErrorWording ? (wordings[reworded++ % wordings.length] as (text: string) => string)(detail) : detail;
  const text = (body: unknown) => JSON.stringify(extraFields ? withExtraFields(body) : body);
  const cached = new WeakMap<object, string>();
  const send = (response: Response, body: unknown) =>
    void response.type('json').send(cached.get(body as object) ?? text(body));

  // Express recognizes an error handler by its four parameters.
  const failed: ErrorRequestHandler = (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    let refusal = describeFailure(error);
    if (refusal === undefined) {
      logRequestFailure(logger, request.method, request.baseUrl, error);
      refusal = new ApiError(500, 'internal', 'The emulator could not respond. Its log has the reason.');
    }
    const { status, message: detail, code, errors, headers } = refusal;
    response.status(status).set(headers);
    send(response, {
      detail: reword(detail),
      code,
      errors: errors.map((each) => ({ ...each, detail: reword(each.detail) })),
    });
  };

  return {
    /** Sends a body, with undocumented fields if `extraFields` is set. */
    send,
    /** Caches the text of a body that is sent repeatedly. */
    cache<T extends object>(body: T): T {
      cached.set(body, text(body));
      return body;
    },
    /** Responds to an error. */
    failed,
  };
}

/** The maximum size of a request body in bytes. */
export const maxBytes = 1_000_000;

/** Returns the error for an unreadable request. The message of express may quote the request. */
function describeFailure(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  const { status, type } = error instanceof Error ? (error as { status?: unknown; type?: unknown }) : {};
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  if (status === 413)
    return new ApiError(413, 'body_too_large', `The body is too large. Send at most ${maxBytes} bytes.`);
  if (status === 415) return new ApiError(415, 'unsupported_media_type', 'Send JSON in UTF-8.');
  if (type === 'entity.parse.failed') return new ApiError(400, 'malformed_json', 'The body is not JSON.');
  return new ApiError(400, 'malformed_request', 'The request cannot be read.');
}

const wordings: readonly ((detail: string) => string)[] = [
  (detail) => `Please check your request. ${detail}`,
  (detail) => detail.toUpperCase(),
  (detail) => `${detail} (This message may change.)`,
  () => 'Something is wrong.',
];

/** Adds an undocumented field to every object. */
function withExtraFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withExtraFields);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withExtraFields(member)]);
  return { ...Object.fromEntries(members), x_undocumented: true };
}
