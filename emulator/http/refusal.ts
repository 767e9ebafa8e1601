import type { Request, Response } from 'express';
import type { Logger } from 'busbar/base';

/** The error with which the server refuses a request, in place of its route. */
export interface Refusal {
  readonly status: number;
  /** Words with hyphens: `foreign-host`. */
  readonly code: string;
  /** The problem and its fix. */
  readonly message: string;
}

/** Thrown by a handler to respond with an error. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, headers: Refused['headers'] = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/**
 * Responds in the shape of the path: as the platform's errors below `/v1/`, whose clients read no other shape, and as
 * the emulator's own elsewhere.
 */
export function refuse(request: Request, response: Response, { status, code, message }: Refusal): void {
  response
    .status(status)
    .json(
      isPlatformPath(request.path)
        ? { detail: message, code: code.replaceAll('-', '_'), errors: [] }
        : { error: code, message },
    );
}

/** Whether a path belongs to the platform's REST API. Like the router, ignores the case. */
export function isPlatformPath(path: string): boolean {
  return /^\/v1(\/|$)/i.test(path);
}

/** Logs an unexpected error of a route, with its stack. */
export function logRequestFailure(logger: Logger, method: string, path: string, error: unknown): void {
  logger.error('request failed', {
    method,
    path,
    error: error instanceof Error ? error.stack : String(error),
  });
}
