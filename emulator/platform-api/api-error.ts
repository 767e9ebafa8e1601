import { Refused } from '../http/refusal.js';

/** One problem in a request, in the shape of the specification. */
export interface Problem {
  /** Text for people; it may change. */
  readonly detail: string;
  /** Stable code for programs. */
  readonly code: string;
  /** Dotted path to the input, with indexes from 0. */
  readonly attr: string;
}

/** Thrown by a handler to respond with an error, and the problems of the request. */
export class ApiError extends Refused {
  readonly errors: readonly Problem[];

  constructor(
    status: number,
    code: string,
    detail: string,
    {
      errors = [],
      headers,
    }: { readonly errors?: readonly Problem[]; readonly headers?: Refused['headers'] } = {},
  ) {
    super(status, code, detail, headers);
    this.errors = errors;
  }
}

/** Returns a 400 with all problems. `code` is that of the response, for example `account_failed_validation`. */
export function invalidRequest(errors: readonly Problem[], code = 'invalid_request'): ApiError {
  const many =
    errors.length === 1 ? '1 thing in the request is' : `${errors.length} things in the request are`;
  return new ApiError(400, code, `${many} not valid.`, { errors });
}

export function notFound(): ApiError {
  return new ApiError(404, 'not_found', 'Not found.');
}
