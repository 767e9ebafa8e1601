import type { ErrorCode } from '../protocol/error-codes.js';

/** Why something is refused. */
export interface Problem {
  readonly errorCode: ErrorCode;
  readonly message: string;
}
