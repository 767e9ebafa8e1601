import { BusbarError } from '../errors.js';
import { propertyOf } from '../thrown.js';

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

/** Ten attempts ride out about 40 seconds on average: a restart or a failover of what the handler talks to. */
export const defaultRetry: ResolvedRetry = {
  attempts: 10,
  backoff: { initial: 200, max: 30_000, factor: 2, jitter: 'full' },
  maxElapsed: 300_000,
};

/**
 * `options` over `base`. @throws BusbarError `invalid-option`; `whose` says in the message where they were written.
 */
export function resolveRetry(
  options: RetryOptions | undefined,
  base: ResolvedRetry = defaultRetry,
  whose = 'run()',
): ResolvedRetry {
  if (options === undefined) return base;
  const {
    attempts = base.attempts,
    backoff: {
      initial = base.backoff.initial,
      max = base.backoff.max,
      factor = base.backoff.factor,
      jitter = base.backoff.jitter,
    } = {},
    maxElapsed = base.maxElapsed,
  } = options;
  const isCount = Number.isInteger(attempts) || attempts === Number.POSITIVE_INFINITY;
  require(isCount && attempts >= 1, `${whose}: "retry.attempts" must be a whole number from 1 on`);
  require(initial >= 0, `${whose}: "retry.backoff.initial" must be a number of milliseconds`);
  const isTimer = max >= 0 && max <= longestTimer;
  require(isTimer, `${whose}: "retry.backoff.max" must be at most ${longestTimer} ms`);
  require(factor >= 1, `${whose}: "retry.backoff.factor" must be a number from 1 on`);
  require(jitters.includes(jitter), `${whose}: "retry.backoff.jitter" must be "full" or "none"`);
  require(maxElapsed >= 0, `${whose}: "retry.maxElapsed" must be a number of milliseconds`);
  return { attempts, backoff: { initial, max, factor, jitter }, maxElapsed };
}

/** What `setTimeout` can count; about 24 days. */
export const longestTimer = 2 ** 31 - 1;

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

/** Any error may say that trying again is of no use. */
function saysNotRetryable(error: unknown): boolean {
  return propertyOf(error, 'retryable') === false;
}

const jitters: readonly string[] = ['full', 'none'] satisfies BackoffOptions['jitter'][];

function require(isRight: boolean, what: string): void {
  if (!isRight) throw new BusbarError('invalid-option', `${what}.`);
}
