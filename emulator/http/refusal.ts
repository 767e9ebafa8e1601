import type { Request, Response } from 'express';
import { BusbarError, type ErrorCode, type Logger } from 'busbar/base';

/** The error with which the server refuses a request, in place of its route. */
export interface Refusal {
  readonly status: number;
  /** Words with hyphens: `foreign-host`. */
  readonly code: string;
  /** The problem and its fix. */
  readonly message: string;
  /** Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown by a handler to respond with an error. */
export class Refused extends Error implements Refusal {
  readonly status: number;
  readonly code: string;
  readonly headers: NonNullable<Refusal['headers']>;

  constructor(status: number, code: string, message: string, headers: Refused['headers'] = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Responds in the shape of the path. */
export function refuse(request: Request, response: Response, refusal: Refusal): void {
  const { status, headers = {} } = refusal;
  response.status(status).set(headers).json(bodyOf(refusal, request.path));
}

/**
 * Returns the body of a refusal: in the shape of the platform's errors below `/v1/`, whose clients read no other, and in
 * the emulator's own elsewhere.
 */
export function bodyOf({ code, message }: Pick<Refusal, 'code' | 'message'>, path: string): object {
  return isPlatformPath(path)
    ? { detail: message, code: code.replaceAll('-', '_'), errors: [] }
    : { error: code, message };
}

/** Statuses of errors that depend on the state of the run, not on the request. */
const statuses: Readonly<Partial<Record<ErrorCode, number>>> = {
  'unknown-account': 404,
  'unknown-import-supplier': 404,
  'unknown-topic': 404,
  'unknown-group': 404,
  'run-over': 409,
  'capacity-exceeded': 409,
};

/** Returns the response to an error, or undefined for an unexpected one. The message of express may quote the request. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refused) return error;
  if (error instanceof BusbarError) {
    const { code, kind } = error;
    // A client called no function of the library.
    const message = error.message.replace(/^[\w.]+\(\): (\w?)/, (_, first: string) => first.toUpperCase());
    return { status: statuses[code] ?? (kind === 'usage' ? 400 : 500), code, message };
  }
  const { status, type, limit } = Object(error) as Partial<Record<string, unknown>>;
  if (typeof status !== 'number' || status < 400 || status >= 500) return undefined;
  switch (type) {
    case 'entity.too.large': {
      const message = `The body is too large. Send at most ${Number(limit) / 1_048_576} MB.`;
      return { status, code: 'too-large', message };
    }
    case 'entity.parse.failed':
      return { status, code: 'bad-request', message: 'The body is not JSON.' };
    default:
      return { status, code: 'bad-request', message: 'The request cannot be read.' };
  }
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
