import { type ErrorCode, errorCodes } from 'busbar/internal/kafka-protocol';

/** The error code and message of a refused request. */
export interface Problem {
  readonly errorCode: ErrorCode;
  readonly errorMessage: string;
}

export function rejection(code: keyof typeof errorCodes, errorMessage: string): Problem {
  return { errorCode: errorCodes[code], errorMessage };
}
