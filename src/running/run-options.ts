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
import { type Clock, longestTimer, systemClock } from '../base/clock.js';
import type { DeadLetterDetails } from '../error-details.js';
import type { AnyEvent } from '../event.js';
import { type Logger, stderrLogger } from '../base/logger.js';
import { deadlineOption } from './deadline.js';
import type { RunObserver } from './observer.js';
import { type ResolvedRetry, type RetryOptions, resolveRetry, retryOptions } from './retry.js';

/** How events are handled; `run` may say it anew. */
export interface HandlingOptions {
  /** How many handlers may work at once, over all partitions. Default 16. */
  readonly concurrency?: number;
  /** What is handled in order. Default: the records of a key, and those of a partition that have no key. */
  readonly laneBy?: LaneBy;
  /** How failed handlers are tried again; a handler's own options go over these. Default {@link RetryOptions}. */
  readonly retry?: RetryOptions;
  /**
   * How long one attempt may take, in milliseconds of the wall clock. Then its signal is aborted, and when it ends it
   * counts as failed, however it ends. Default 60,000; `Infinity` for none.
   */
  readonly deadline?: number;
  readonly afterDeadLetter?: AfterDeadLetter;
  readonly deadLetterDetails?: DeadLetterDetails;
}

/** Names the lane of an event in place of its key; undefined is the lane of records without one. Must not throw. */
export type LaneBy = (event: AnyEvent) => string | undefined;

/**
 * What happens when an event was set aside, where the transport has dead letters. `continue` (default) goes on with the
 * key's next event: the order of that key ends there. `hold-key` sets the key's later events aside as well. `stop` ends
 * the run.
 */
export type AfterDeadLetter = 'continue' | 'hold-key' | 'stop';

export interface RunOptions extends HandlingOptions {
  /** Default: the wall clock. */
  readonly clock?: Clock;
  /** Numbers from 0 up to 1, for backoffs and for handlers that want what a test bench can repeat. Default `Math.random`. */
  readonly random?: () => number;
  /** Stops the run when aborted: `AbortSignal` of a SIGTERM, for instance. */
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  /** How long `stop` and a rebalance wait for handlers before they abort them. In milliseconds; default 10,000. */
  readonly drainTimeout?: number;
  /**
   * How many records of one partition may be taken from its oldest unsettled one on. Default 10,000; then the partition
   * waits.
   */
  readonly window?: number;
  /** The same in bytes of keys and values. Default 32 MiB. */
  readonly windowBytes?: number;
  /**
   * How many bytes of unsettled records all partitions may hold together: keys, values and 500 bytes for each record.
   * Default 256 MiB.
   */
  readonly budgetBytes?: number;
  /** Sees what the run does, for metrics and traces; of several the first is outermost. */
  readonly observer?: RunObserver | readonly RunObserver[];
}

/** {@link HandlingOptions}, as a table. */
export const handlingOptions = {
  concurrency: { type: whole({ from: 1 }), default: 16 },
  laneBy: { type: callback },
  retry: { type: nested(retryOptions) },
  deadline: { ...deadlineOption, default: 60_000 },
  afterDeadLetter: { type: choice('continue', 'hold-key', 'stop'), default: 'continue' },
  deadLetterDetails: { type: choice('class', 'message', 'stack'), default: 'class' },
} satisfies OptionTable<HandlingOptions>;

const observer = objectWith('an object with functions of RunObserver');

/** {@link RunOptions}, as a table. */
export const runOptions = {
  ...handlingOptions,
  clock: { type: clockObject, default: systemClock },
  random: { type: callback, default: () => Math.random() },
  signal: { type: objectWith('an AbortSignal', 'addEventListener', 'throwIfAborted') },
  logger: { type: loggerObject, default: stderrLogger },
  drainTimeout: { type: number({ from: 0, to: longestTimer }), default: 10_000, unit: 'milliseconds' },
  window: { type: whole({ from: 1 }), default: 10_000 },
  windowBytes: { type: whole({ from: 1 }), default: 32 * 1024 * 1024, unit: 'bytes' },
  budgetBytes: { type: whole({ from: 1 }), default: 256 * 1024 * 1024, unit: 'bytes' },
  observer: { type: either(observer, listOf(observer)) },
} satisfies OptionTable<RunOptions>;

/** With all observers made one. */
export type ObservedRunOptions = Omit<RunOptions, 'observer'> & { readonly observer: RunObserver };

/** All filled in. */
export interface RunSettings {
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly drainTimeout: number;
  readonly window: number;
  readonly windowBytes: number;
  readonly budgetBytes: number;
  readonly concurrency: number;
  readonly laneBy: LaneBy | undefined;
  readonly retry: ResolvedRetry;
  readonly deadline: number;
  readonly afterDeadLetter: AfterDeadLetter;
  readonly deadLetterDetails: DeadLetterDetails;
  readonly observer: RunObserver;
}

/** Fills in the defaults of options that were checked. */
export function resolveRunOptions(options: ObservedRunOptions): RunSettings {
  const { laneBy, retry, observer } = options;
  return { ...withDefaults(runOptions, options), laneBy, observer, retry: resolveRetry(retry) };
}
