import { longestTimer } from '../base/clock.js';
import { choice, defaultsOf, nested, number, type OptionTable, whole } from '../base/options.js';
import { isOurs, propertyOf } from '../base/thrown.js';

/** How often, how soon and for how long a failed handler is tried again. What is left out keeps its default. */
export interface RetryOptions {
  /** How often a handler may try in all; 1 is no retry. Default 10. */
  readonly attempts?: number;
  readonly backoff?: BackoffOptions;
  /** No attempt begins later than this after the first one began. In milliseconds; default 300,000 (five minutes). */
  readonly maxElapsed?: number;
}

/** The pause after the n-th failure: `initial * factor^(n-1)`, at most `max`, all in milliseconds. */
export interface BackoffOptions {
  /** Default 200. */
  readonly initial?: number;
  /** Default 30,000. */
  readonly max?: number;
  /** Default 2. */
  readonly factor?: number;
  /** `full` (default) waits a random part of the pause, so that lanes which failed together do not come back together. */
  readonly jitter?: 'full' | 'none';
}

/** All filled in. */
export interface ResolvedRetry {
  readonly attempts: number;
  readonly backoff: Required<BackoffOptions>;
  readonly maxElapsed: number;
}

const backoffOptions = {
  initial: { type: number({ from: 0 }), default: 200, unit: 'milliseconds' },
  max: { type: number({ from: 0, to: longestTimer }), default: 30_000, unit: 'milliseconds' },
  factor: { type: number({ from: 1 }), default: 2 },
  jitter: { type: choice('full', 'none'), default: 'full' },
} satisfies OptionTable<BackoffOptions>;

/** Ten attempts ride out about 40 seconds on average: a restart or a failover of what the handler talks to. */
export const retryOptions = {
  attempts: { type: whole({ from: 1, orInfinity: true }), default: 10 },
  backoff: { type: nested(backoffOptions) },
  maxElapsed: { type: number({ from: 0, orInfinity: true }), default: 300_000, unit: 'milliseconds' },
} satisfies OptionTable<RetryOptions>;

export const defaultRetry: ResolvedRetry = {
  ...defaultsOf(retryOptions),
  backoff: defaultsOf(backoffOptions),
};

/** `options` over `base`, field by field. */
export function resolveRetry(options: RetryOptions | undefined, base = defaultRetry): ResolvedRetry {
  if (options === undefined) return base;
  const { attempts = base.attempts, backoff = {}, maxElapsed = base.maxElapsed } = options;
  const {
    initial = base.backoff.initial,
    max = base.backoff.max,
    factor = base.backoff.factor,
    jitter = base.backoff.jitter,
  } = backoff;
  return { attempts, backoff: { initial, max, factor, jitter }, maxElapsed };
}

/** What is known when an attempt has failed. */
export interface FailedAttempt {
  /** 1 for the first. */
  readonly attempt: number;
  /** Milliseconds since the first attempt began. */
  readonly elapsed: number;
  readonly error: unknown;
}

/** How long to wait before the next attempt, in milliseconds; undefined when none is left. */
export function retryDelay(
  retry: ResolvedRetry,
  { attempt, elapsed, error }: FailedAttempt,
  random: () => number,
): number | undefined {
  if (attempt >= retry.attempts || saysNotRetryable(error)) return undefined;
  const { initial, max, factor, jitter } = retry.backoff;
  const longest = Math.min(max, initial * factor ** (attempt - 1));
  const delay = jitter === 'full' ? random() * longest : longest;
  return elapsed + delay > retry.maxElapsed ? undefined : delay;
}

/** Any error may say that trying again is of no use. A wrong use of Busbar stays wrong. */
function saysNotRetryable(error: unknown): boolean {
  if (isOurs(error)) return error.kind === 'usage';
  return propertyOf(error, 'retryable') === false;
}
