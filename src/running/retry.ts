import { maxTimer } from '../base/clock.js';
import { choice, defaultsOf, nested, number, type Option, type OptionTable, whole } from '../base/options.js';
import { defined } from '../base/defined.js';
import { isOurs, propertyOf } from '../base/errors.js';

/** Options for retries of a failed handler. */
export interface RetryOptions {
  /** Maximum number of attempts, the first included; 1 disables retries. Default 10. */
  readonly attempts?: number;
  readonly backoff?: BackoffOptions;
  /** Maximum time between the starts of the first and the last attempt, in milliseconds. Default 300,000 (five minutes). */
  readonly maxElapsed?: number;
}

/** Delays between attempts. After the n-th failure: `initial * factor^(n-1)`, at most `max`. */
export interface BackoffOptions {
  /** Delay after the first failure, in milliseconds. Default 200. */
  readonly initial?: number;
  /** Maximum delay, in milliseconds. Default 30,000. */
  readonly max?: number;
  /** Growth of the delay from one failure to the next. Default 2. */
  readonly factor?: number;
  /** `full` (default) waits a random part of the delay, so that lanes that failed together do not retry together. */
  readonly jitter?: 'full' | 'none';
}

/** {@link RetryOptions} with defaults applied. */
export interface ResolvedRetry {
  readonly attempts: number;
  readonly backoff: Required<BackoffOptions>;
  readonly maxElapsed: number;
}

const backoffOptions = {
  initial: { type: number({ from: 0 }), default: 200, unit: 'milliseconds' },
  max: { type: number({ from: 0, to: maxTimer }), default: 30_000, unit: 'milliseconds' },
  factor: { type: number({ from: 1 }), default: 2 },
  jitter: { type: choice('full', 'none'), default: 'full' },
} satisfies OptionTable<BackoffOptions>;

/** Ten attempts take about 40 seconds on average: enough for a restart or failover of a service that the handler calls. */
export const retryOptions = {
  attempts: { type: whole({ from: 1, orInfinity: true }), default: 10 },
  backoff: { type: nested(backoffOptions) },
  maxElapsed: { type: number({ from: 0, orInfinity: true }), default: 300_000, unit: 'milliseconds' },
} satisfies OptionTable<RetryOptions>;

export const defaultRetry: ResolvedRetry = {
  ...defaultsOf(retryOptions),
  backoff: defaultsOf(backoffOptions),
};

/** Merges `options` into `base`, field by field. */
export function resolveRetry(options: RetryOptions | undefined, base = defaultRetry): ResolvedRetry {
  if (options === undefined) return base;
  const backoff = { ...base.backoff, ...defined(options.backoff ?? {}) };
  return { ...base, ...defined(options), backoff };
}

interface FailedAttempt {
  /** Number of the attempt; 1 for the first. */
  readonly attempt: number;
  /** Milliseconds since the first attempt began. */
  readonly elapsed: number;
  readonly error: unknown;
}

/** Returns the delay before the next attempt in milliseconds, or undefined when none is left. */
export function retryDelay(
  retry: ResolvedRetry,
  { attempt, elapsed, error }: FailedAttempt,
  random: () => number,
): number | undefined {
  if (attempt >= retry.attempts || isNotRetryable(error)) return undefined;
  const { initial, max, factor, jitter } = retry.backoff;
  // Of 0 times Infinity, 0.
  const maxDelay = Math.min(max, initial * factor ** (attempt - 1) || 0);
  const delay = jitter === 'full' ? random() * maxDelay : maxDelay;
  return elapsed + delay > retry.maxElapsed ? undefined : delay;
}

/** Any error may have `retryable: false`. A usage error of Busbar fails at every attempt. */
function isNotRetryable(error: unknown): boolean {
  if (isOurs(error)) return error.kind === 'usage';
  return propertyOf(error, 'retryable') === false;
}

/** Maximum duration of an attempt. */
export const deadlineOption = {
  type: number({ above: 0, to: maxTimer, orInfinity: true }),
  unit: 'milliseconds',
} satisfies Option<number>;
