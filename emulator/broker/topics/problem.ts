import type { ErrorCode } from '../protocol/error-codes.js';

/** The error code and message of a refused request. */
export interface Problem {
  readonly errorCode: ErrorCode;
  readonly errorMessage: string;
}
