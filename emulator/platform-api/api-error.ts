/** One problem in a request, in the shape of the specification. */
export interface Problem {
  /** Text for people; it may change. */
  readonly detail: string;
  /** Stable code for programs. */
  readonly code: string;
  /** Dotted path to the input, with indexes from 0. */
  readonly attr: string;
}

/** Thrown by a handler to respond with an error. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly errors: readonly Problem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    detail: string,
    more: { readonly errors?: readonly Problem[]; readonly headers?: ApiError['headers'] } = {},
  ) {
    super(detail);
    this.status = status;
    this.code = code;
    this.errors = more.errors ?? [];
    this.headers = more.headers ?? {};
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
