import {
  callback,
  choice,
  clockObject,
  either,
  listOf,
  loggerObject,
  nested,
  number,
  objectWith,
  type OptionTable,
  whole,
  withDefaults,
} from '../base/options.js';
import { type Clock, maxTimer, systemClock } from '../base/clock.js';
import type { DeadLetterDetails } from '../error-details.js';
import type { AnyEvent } from '../event.js';
import { type Logger, stderrLogger } from '../base/logger.js';
import {
  deadlineOption,
  type ResolvedRetry,
  resolveRetry,
  type RetryOptions,
  retryOptions,
} from './retry.js';
import type { RunObserver } from './observer.js';

/** Options for handling events, of a consumer or of one `run`, which takes precedence. */
export interface HandlingOptions {
  /** Maximum number of concurrent handlers over all partitions. Default 16. */
  readonly concurrency?: number;
  /** Lane of an event. Default: the lane of the record's key, or one lane per partition for records without a key. */
  readonly laneBy?: LaneBy;
  /** Retries of failed handlers; a handler's own options take precedence, field by field. */
  readonly retry?: RetryOptions;
  /**
   * Maximum duration of one attempt, in milliseconds of the wall clock. Then its signal aborts, and the attempt fails
   * when it ends, even if it resolves. Default 60,000; `Infinity` for none.
   */
  readonly deadline?: number;
  readonly afterDeadLetter?: AfterDeadLetter;
  readonly deadLetterDetails?: DeadLetterDetails;
  /** Clock for backoffs, commits and `context.clock`. Default: the wall clock. */
  readonly clock?: Clock;
  /** Random numbers from 0 (inclusive) to 1, for backoffs and `context.random`. Default `Math.random`. */
  readonly random?: () => number;
  /** Callbacks for metrics and traces. The first of several observers is outermost. */
  readonly observer?: RunObserver | readonly RunObserver[];
}

/** Returns the lane of an event, instead of its key; undefined is the lane of records without one. Must not throw. */
export type LaneBy = (event: AnyEvent) => string | undefined;

/**
 * Reaction to a dead-lettered event. `continue` (default) handles the key's next event, so the key's order is broken.
 * `hold-key` dead-letters the key's later events as well. `stop` ends the run before the key's next event.
 */
export type AfterDeadLetter = 'continue' | 'hold-key' | 'stop';

/** Options of `run`. */
export interface RunOptions extends HandlingOptions {
  /** Signal that stops the run, for example on SIGTERM. */
  readonly signal?: AbortSignal;
  /** Logger. Default: the consumer's. */
  readonly logger?: Logger;
  /** Time that `stop` and a rebalance wait for handlers before they abort them, in milliseconds. Default 10,000. */
  readonly drainTimeout?: number;
  /** Maximum number of records from a partition's oldest unsettled one to its newest. Default 10,000. */
  readonly window?: number;
  /** Maximum bytes of their keys and values. Default 32 MiB. */
  readonly windowBytes?: number;
  /** Maximum bytes of unsettled records of all partitions: keys, values and 500 bytes per record. Default 256 MiB. */
  readonly budgetBytes?: number;
}

const observer = objectWith('an object with functions of RunObserver');

export const handlingOptions = {
  concurrency: { type: whole({ from: 1 }), default: 16 },
  laneBy: { type: callback },
  retry: { type: nested(retryOptions) },
  deadline: { ...deadlineOption, default: 60_000 },
  afterDeadLetter: { type: choice('continue', 'hold-key', 'stop'), default: 'continue' },
  deadLetterDetails: { type: choice('class', 'message', 'stack'), default: 'class' },
  clock: { type: clockObject, default: systemClock },
  random: { type: callback, default: () => Math.random() },
  observer: { type: either(observer, listOf(observer)) },
} satisfies OptionTable<HandlingOptions>;

export const runOptions = {
  ...handlingOptions,
  signal: { type: objectWith('an AbortSignal', 'addEventListener', 'throwIfAborted') },
  logger: { type: loggerObject, default: stderrLogger },
  drainTimeout: { type: number({ from: 0, to: maxTimer }), default: 10_000, unit: 'milliseconds' },
  window: { type: whole({ from: 1 }), default: 10_000 },
  windowBytes: { type: whole({ from: 1 }), default: 32 * 1024 * 1024, unit: 'bytes' },
  budgetBytes: { type: whole({ from: 1 }), default: 256 * 1024 * 1024, unit: 'bytes' },
} satisfies OptionTable<RunOptions>;

/** {@link RunOptions} with the observers combined into one. */
export type ObservedRunOptions = Omit<RunOptions, 'observer'> & { readonly observer: RunObserver };

/** {@link RunOptions} with defaults applied. */
export interface RunSettings extends Required<Omit<ObservedRunOptions, 'laneBy' | 'retry' | 'signal'>> {
  readonly laneBy: LaneBy | undefined;
  readonly retry: ResolvedRetry;
}

/** Applies the defaults to validated options. */
export function resolveRunOptions(options: ObservedRunOptions): RunSettings {
  const { laneBy, retry, observer } = options;
  return { ...withDefaults(runOptions, options), laneBy, observer, retry: resolveRetry(retry) };
}
