import { type Clock, sleep } from '../../src/clock.js';
import { BusbarError } from '../../src/errors.js';
import type { Pace } from '../engine/pacing.js';
import { formatInstant, type Instant } from '../engine/time.js';
import type { Sink } from '../sinks/sink.js';
import type { Emission } from './emission.js';
import { createGate, unlessAborted } from './gate.js';
import type { Sending, Source } from './source.js';

export interface RunOptions {
  /** What is sent, in order. */
  readonly source: Source;
  readonly pace: Pace;
  readonly sinks: readonly Sink[];
  readonly clock: Clock;
  /** What must be so before the first event leaves, as that a consumer has attached. Default: nothing. */
  readonly ready?: Promise<void>;
  /** Begin paused, for a run that is stepped. Default false. */
  readonly paused?: boolean;
  /** What to do when a sink has given up, for its error to say. Default nothing. */
  readonly afterFailure?: string;
}

/** A run under way. */
export interface Run {
  /** Resolves when the last emission has left every sink, or after `stop`; rejects when scenario or sink fails. */
  readonly finished: Promise<RunSummary>;
  /** What has been sent so far. */
  readonly summary: RunSummary;
  /** Virtual instant of the last event that a sink was given: consumers may have it already. Undefined before the first. */
  readonly reached: Instant | undefined;
  /** Holds the run before its next occurrence. Virtual time stands still. */
  pause(): void;
  resume(): void;
  /** Lets the next occurrences of a paused run happen, at once. Default 1. */
  step(count?: number): void;
  /** Ends the run early, in good order. The sinks stay open. */
  stop(): Promise<RunSummary>;
}

export interface RunSummary {
  readonly events: number;
  /** Virtual instants of the first and last event; undefined when there was none. */
  readonly first: Instant | undefined;
  readonly last: Instant | undefined;
  /** How many events there were of each type. */
  readonly byType: ReadonlyMap<string, number>;
  /** How often each fault was done, dropped events included. */
  readonly byFault: ReadonlyMap<string, number>;
  /** How often each outcome of a branch was taken, `house-move occupier=unknown`; empty for a replay. */
  readonly byBranch: ReadonlyMap<string, number>;
  /** How many events each sink has taken. */
  readonly bySink: readonly { readonly name: string; readonly events: number }[];
  /** True when it was stopped before its end. */
  readonly stopped: boolean;
}

/** Emissions are written together up to this number, unless a sink asks for another. */
const defaultBatchSize = 256;

/** Nobody sees a difference of less, in milliseconds; and timers cannot keep it. */
const tolerance = 4;

/** Sends what the source has to every sink, at the given pace; a sink that is slow slows the run. */
export function startRun(options: RunOptions): Run {
  const { source, pace, sinks, clock } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const gate = createGate(options.paused !== true);
  const sizes = sinks.map((sink) => sink.batchSize).filter((size) => size !== undefined);
  const batchSize = sizes.length === 0 ? defaultBatchSize : Math.min(...sizes);
  const byType = new Map<string, number>();
  const bySink = sinks.map(({ name }) => ({ name, events: 0 }));
  let events = 0;
  let first: Instant | undefined;
  let last: Instant | undefined;
  let reached: Instant | undefined;
  const isStopped = () => signal.aborted;
  const summary = (): RunSummary => ({
    events,
    first,
    last,
    byType,
    byFault: source.faults,
    byBranch: source.branches,
    bySink,
    stopped: signal.aborted,
  });

  async function send(batch: readonly Emission[]): Promise<void> {
    const latest = batch.at(-1);
    if (latest === undefined) return;
    reached = latest.sentAt ?? latest.at;
    for (const [index, sink] of sinks.entries()) {
      await sending(() => sink.write(batch));
      const taken = bySink[index];
      if (taken !== undefined) taken.events += batch.length;
    }
    for (const { envelope, at, sentAt = at } of batch) {
      events++;
      first ??= sentAt;
      last = sentAt;
      byType.set(envelope.event_type, (byType.get(envelope.event_type) ?? 0) + 1);
    }
    // A run that never waits for anything must still let sockets be served.
    await new Promise(setImmediate);
  }

  /** What a sink gives up with says how far the run has got, and how to go on. */
  async function sending(work: () => void | Promise<void>): Promise<void> {
    try {
      const written = work();
      if (written !== undefined) await unlessAborted(written, signal);
    } catch (error) {
      if (!(error instanceof BusbarError) || signal.aborted) throw error;
      const reached =
        last === undefined ? 'nothing was sent' : `it got to virtual time ${formatInstant(last)}`;
      const far = `The run ends after ${events} ${events === 1 ? 'event' : 'events'}: ${reached}.`;
      const message = [error.message, far, options.afterFailure].filter((part) => part !== undefined);
      throw new BusbarError(error.code, message.join(' '), { cause: error });
    }
  }

  async function play(): Promise<void> {
    if (options.ready !== undefined) await unlessAborted(options.ready, signal);
    let batch: Emission[] = [];
    let previous: Instant | undefined;
    let due = clock.now();
    for (;;) {
      if (signal.aborted) return;
      let upcoming: Sending | undefined;
      try {
        const pulled = source.next();
        upcoming = pulled instanceof Promise ? await unlessAborted(pulled, signal) : pulled;
      } catch (error) {
        // What came before the failure has happened.
        if (!isStopped()) await send(batch);
        throw error;
      }
      if (upcoming === undefined) break;
      const { at, emissions } = upcoming;
      if (previous !== undefined) due += pace(Math.max(0, at - previous), emissions.length);
      previous = at;
      if (!gate.isOpen || due - clock.now() > tolerance || batch.length >= batchSize) {
        await send(batch);
        batch = [];
      }
      const early = due - clock.now();
      if (!gate.isOpen) {
        await gate.pass(signal);
        due = clock.now();
      } else if (early > tolerance) await sleep(clock, early, signal);
      // Having been held up by a sink, the run goes on from here instead of rushing to catch up.
      else if (early < 0) due -= early;
      batch.push(...emissions);
    }
    await send(batch);
    for (const sink of sinks) await sending(() => sink.end());
  }

  const finished = play()
    .finally(() => source.close())
    .catch((error: unknown) => {
      if (!signal.aborted) throw error;
    })
    .then(summary);
  // Whoever does not look at `finished` must not be ended by its rejection.
  finished.catch(() => undefined);

  return {
    finished,
    get summary() {
      return summary();
    },
    get reached() {
      return reached;
    },
    pause: () => gate.close(),
    resume: () => gate.open(),
    step: (count = 1) => gate.admit(count),
    stop() {
      stopping.abort();
      return finished;
    },
  };
}
