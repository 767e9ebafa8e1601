import { type Clock, sleep } from '../../src/clock.js';
import type { Pace } from '../engine/pacing.js';
import type { Occurred } from '../engine/simulation.js';
import type { Instant } from '../engine/time.js';
import type { Sink } from '../sinks/sink.js';
import type { Emission } from './emission.js';
import type { Encoder } from './encode.js';
import { createGate, unlessAborted } from './gate.js';

export interface RunOptions {
  /** What happens, in order; read only as fast as the sinks take it. */
  readonly occurrences: Iterable<Occurred>;
  readonly encode: Encoder;
  readonly pace: Pace;
  readonly sinks: readonly Sink[];
  readonly clock: Clock;
  /** What must be so before the first event leaves, as that a consumer has attached. Default: nothing. */
  readonly ready?: Promise<void>;
  /** Begin paused, for a run that is stepped. Default false. */
  readonly paused?: boolean;
}

/** A run under way. */
export interface Run {
  /** Resolves when the last emission has left every sink, or after `stop`; rejects when scenario or sink fails. */
  readonly finished: Promise<RunSummary>;
  /** What has been sent so far. */
  readonly summary: RunSummary;
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
  /** True when it was stopped before its end. */
  readonly stopped: boolean;
}

/** Emissions are written together up to this number; more would keep a reader of the stream waiting. */
const batchSize = 256;

/** Nobody sees a difference of less, in milliseconds; and timers cannot keep it. */
const tolerance = 4;

/** Sends what occurs to every sink, at the given pace; a sink that is slow slows the run. */
export function startRun(options: RunOptions): Run {
  const { occurrences, encode, pace, sinks, clock } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const gate = createGate(options.paused !== true);
  const byType = new Map<string, number>();
  let events = 0;
  let first: Instant | undefined;
  let last: Instant | undefined;
  const summary = (): RunSummary => ({ events, first, last, byType, stopped: signal.aborted });

  async function send(batch: readonly Emission[]): Promise<void> {
    for (const sink of sinks) {
      const written = sink.write(batch);
      if (written !== undefined) await unlessAborted(written, signal);
    }
    for (const { envelope, at } of batch) {
      events++;
      first ??= at;
      last = at;
      byType.set(envelope.event_type, (byType.get(envelope.event_type) ?? 0) + 1);
    }
    // A run that never waits for anything must still let sockets be served.
    await new Promise(setImmediate);
  }

  async function play(): Promise<void> {
    if (options.ready !== undefined) await unlessAborted(options.ready, signal);
    let batch: Emission[] = [];
    let previous: Instant | undefined;
    let due = clock.now();
    for (const occurred of occurrences) {
      if (signal.aborted) return;
      if (previous !== undefined) due += pace(occurred.at - previous, occurred.occurrence.versions.length);
      previous = occurred.at;
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
      const emissions = encode(occurred);
      batch.push(...(emissions instanceof Promise ? await emissions : emissions));
    }
    await send(batch);
    for (const sink of sinks) await unlessAborted(Promise.resolve(sink.end()), signal);
  }

  const finished = play()
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
    pause: () => gate.close(),
    resume: () => gate.open(),
    step: (count = 1) => gate.admit(count),
    stop() {
      stopping.abort();
      return finished;
    },
  };
}
