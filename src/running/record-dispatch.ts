import { Attempts, type Outcome } from './attempts.js';
import { sleep } from '../base/clock.js';
import { deadLetterFailed } from './dead-letter.js';
import { type Dispatcher, skips } from '../dispatch.js';
import {
  boolean,
  callback,
  checkOptions,
  nonEmptyText,
  objectWith,
  type OptionTable,
} from '../base/options.js';
import { memoized } from '../base/once.js';
import type { Settlement } from './observer.js';
import { type MessageInput, type RecordInput, recordFrom } from '../transports/record-input.js';
import { isForAnother } from '../replay.js';
import { type ObservedRunOptions, resolveRunOptions } from './run-options.js';
import { noCounts } from './running-consumer.js';
import { Settler } from './settle.js';
import type { ConsumerRecord, DeadLetterCause } from '../transports/transport.js';
import type { HandleVerdict, SkipVerdict } from '../verdict.js';
import { Work } from './work.js';

/** Options of `dispatch`. */
export interface DispatchOptions {
  /**
   * Consumer group of the loop. Skips records that were replayed for another group, and names the consumer if it has no
   * `name`.
   */
  readonly group?: string;
  /**
   * Whether Busbar retries a failed handler, by the `retry` options of the consumer and the handler. Default false: the
   * loop retries.
   */
  readonly retry?: boolean;
  /**
   * Stores a dead letter, which settles the record. Receives invalid records, and with `retry` also records whose handler
   * failed at the last attempt. Default: the loop has no dead letters.
   */
  readonly deadLetter?: (record: ConsumerRecord, cause: DeadLetterCause) => Promise<unknown>;
  /** Signal that aborts the handler's signal and ends the wait for a retry, for example on SIGTERM. */
  readonly signal?: AbortSignal;
}

const dispatchOptions = {
  group: { type: nonEmptyText },
  retry: { type: boolean, default: false },
  deadLetter: { type: callback },
  signal: { type: objectWith('an AbortSignal', 'addEventListener', 'throwIfAborted') },
} satisfies OptionTable<DispatchOptions>;

const noOptions: DispatchOptions = {};

/** Parts of a run that handle single records. */
export type DispatchParts = ReturnType<typeof dispatchParts>;

/** Creates the parts for the current definitions of a consumer. */
export function dispatchParts(
  options: ObservedRunOptions & { readonly name?: string },
  dispatcherFor: (hasDeadLetters: boolean) => Dispatcher,
) {
  const settings = resolveRunOptions(options);
  const settler = new Settler({ ...settings, subscription: {}, counts: noCounts() });
  const attemptsFor = (group: string | undefined) =>
    new Attempts({ ...settings, consumer: options.name ?? group ?? 'consumer', settler });
  return {
    clock: settings.clock,
    settler,
    attemptsFor: memoized(attemptsFor),
    dispatcherFor: memoized(dispatcherFor),
  };
}

/** Handles single records in a loop that another program owns, with the parts of a run. */
export class RecordDispatch {
  readonly #prepare: () => DispatchParts;
  #parts: DispatchParts | undefined;
  /** Options that were validated last: a loop passes the same ones for each record. */
  #checked = noOptions;

  constructor(prepare: () => DispatchParts) {
    this.#prepare = prepare;
  }

  /** Called when the consumer's definitions change. */
  reset(): void {
    this.#parts = undefined;
  }

  /** Resolves when the record is settled. Otherwise rejects. */
  async dispatch(input: RecordInput | MessageInput, options = noOptions): Promise<Settlement> {
    if (!areIn(options, this.#checked)) {
      checkOptions<DispatchOptions>('dispatch()', dispatchOptions, options);
      this.#checked = options;
    }
    const { group, retry = false, deadLetter, signal } = options;
    signal?.throwIfAborted();
    const { clock, settler, attemptsFor, dispatcherFor } = (this.#parts ??= this.#prepare());
    const attempts = attemptsFor(group);
    const work = new Work(recordFrom(input), 0);
    work.isRetriedElsewhere = !retry;
    if (group !== undefined && isForAnother(group, work.record)) {
      settler.skipped(work, skips['other-group']);
      return settler.settlementOf(work, skips['other-group']);
    }
    const dispatcher = dispatcherFor(deadLetter !== undefined);
    for (;;) {
      // Each attempt decodes the event again: the handler may have changed it.
      const pending = dispatcher.verdictOn(work.record);
      const verdict = pending instanceof Promise ? await pending : pending;
      signal?.throwIfAborted();
      const applied = attempts.apply(work, verdict, undefined);
      const outcome = applied instanceof Promise ? await outcomeOf(applied, work, signal) : applied;
      if (outcome.type === 'retry') {
        const end = work.backOff(outcome.delay, clock);
        await sleep(clock, outcome.delay, signal);
        end();
      } else if (outcome.type !== 'dead-letter')
        return settler.settlementOf(work, verdict as HandleVerdict | SkipVerdict);
      else {
        const { letter } = outcome;
        const isFinal = work.attempts === 0 || retry;
        if (deadLetter === undefined || !isFinal) throw letter.error;
        const store = async (record: ConsumerRecord, cause: DeadLetterCause) => {
          await deadLetter(record, cause);
        };
        return settler.deadLetter(work, letter, { deadLetter: store }).catch((error: unknown) => {
          throw deadLetterFailed(work.record, error);
        });
      }
    }
  }
}

/** Whether `options` has only values of `checked`, which are valid. */
function areIn(options: DispatchOptions, checked: DispatchOptions): boolean {
  if (options === checked) return true;
  // False without a name, too: a list, a string or a number has none, and must be validated.
  let isEqual = false;
  for (const name in options) {
    isEqual = options[name as keyof DispatchOptions] === checked[name as keyof DispatchOptions];
    if (!isEqual) break;
  }
  return isEqual;
}

/** Waits for a handler. After an abort, its result is ignored: it may have stopped halfway. */
async function outcomeOf(
  pending: Promise<Outcome>,
  work: Work,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  if (signal === undefined) return pending;
  const abandon = () => {
    if (work.running === undefined) return;
    work.isAbandoned = true;
    work.running.abandon();
  };
  signal.addEventListener('abort', abandon);
  if (signal.aborted) abandon();
  try {
    return await pending;
  } finally {
    signal.removeEventListener('abort', abandon);
    if (work.isAbandoned) signal.throwIfAborted();
  }
}
