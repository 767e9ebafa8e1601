import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from '../../src/base/logger.js';
import { ApiError } from './api-error.js';
import { describeFailure } from './request-body.js';
import type { PlatformApiSettings } from './settings.js';

export interface Answers {
  /** The text of an answer, with fields that are not documented where that is asked for. */
  text(body: unknown): string;
  send(response: Response, body: unknown): void;
  /** Answers whatever was thrown. */
  failed: ErrorRequestHandler;
}

/** How answers are written, as far as clients should not care. */
export function createAnswers(
  { extraFields, varyErrorWording }: Pick<PlatformApiSettings, 'extraFields' | 'varyErrorWording'>,
  logger: Logger,
): Answers {
  let told = 0;
  const reword = (detail: string) =>
    varyErrorWording ? (wordings[told++ % wordings.length] as (text: string) => string)(detail) : detail;
  const text = (body: unknown) => JSON.stringify(extraFields ? withExtraFields(body) : body);
  const send = (response: Response, body: unknown) => void response.type('json').send(text(body));

  return {
    text,
    send,
    // The four parameters are how express knows a handler of errors.
    failed(error: unknown, request, response, next) {
      if (response.headersSent) {
        next(error);
        return;
      }
      let refusal = describeFailure(error);
      if (refusal === undefined) {
        const what = error instanceof Error ? error.stack : String(error);
        logger.error(`${request.method} ${request.baseUrl} failed: ${what}`);
        refusal = new ApiError(500, 'internal', 'The emulator could not answer; its log says why.');
      }
      const { detail, code, errors } = refusal.body;
      response.status(refusal.status);
      for (const [name, value] of Object.entries(refusal.headers)) response.set(name, value as string);
      send(response, {
        detail: reword(detail),
        code,
        errors: errors.map((each) => ({ ...each, detail: reword(each.detail) })),
      });
    },
  };
}

const wordings: readonly ((detail: string) => string)[] = [
  (detail) => `Please check your request. ${detail}`,
  (detail) => detail.toUpperCase(),
  (detail) => `${detail} (This message may change.)`,
  () => 'Something is not as it should be.',
];

/** A field that no document knows, in every object. */
function withExtraFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withExtraFields);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, withExtraFields(member)]);
  return { ...Object.fromEntries(members), x_undocumented: true };
}
