import type { Request, Response } from 'express';

/** Why the server itself answers a request, instead of what is at its path. */
export interface Refusal {
  readonly status: number;
  /** In words with hyphens: `foreign-host`. */
  readonly code: string;
  /** What happened, and what to do. */
  readonly message: string;
}

/**
 * Answers in the shape that is usual at the path: that of the platform's errors below `/v1/`, where clients read
 * nothing else, and the emulator's own elsewhere.
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

/** Whether what is there is the platform's REST API. The router does not tell capitals from small letters. */
export function isPlatformPath(path: string): boolean {
  return /^\/v1(\/|$)/i.test(path);
}
