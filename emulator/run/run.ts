import { type Clock, sleep } from '../../src/clock.js';
import type { Pace } from '../engine/pacing.js';
import type { Occurred } from '../engine/simulation.js';
import type { Instant } from '../engine/time.js';
import type { Sink } from '../sinks/sink.js';
import type { Emission } from './emission.js';
import type { Encoder } from './encode.js';

export interface RunOptions {
  /** What happens, in order; read only as fast as the sinks take it. */
  readonly occurrences: Iterable<Occurred>;
  readonly encode: Encoder;
  readonly pace: Pace;
  readonly sinks: readonly Sink[];
  readonly clock: Clock;
  /** What must be so before the first event leaves, as that a consumer has attached. Default: nothing. */
  readonly ready?: Promise<void>;
}

/** A run under way. */
export interface Run {
  /** Resolves when the last emission has left every sink, or after `stop`; rejects when scenario or sink fails. */
  readonly finished: Promise<RunSummary>;
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

/** Sends what occurs to every sink, at the given pace; a sink that is slow slows the run. */
export function startRun(options: RunOptions): Run {
  const { occurrences, encode, pace, sinks, clock } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const stopped = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
  stopped.catch(() => undefined);
  /** A sink may make the run wait for as long as it likes, but not hold up `stop`. */
  const unlessStopped = (work: unknown) => (work instanceof Promise ? Promise.race([work, stopped]) : work);

  const byType = new Map<string, number>();
  let events = 0;
  let first: Instant | undefined;
  let last: Instant | undefined;

  async function send(batch: readonly Emission[]): Promise<void> {
    for (const sink of sinks) await unlessStopped(sink.write(batch));
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
    await unlessStopped(options.ready);
    let batch: Emission[] = [];
    let previous: Instant | undefined;
    let due = clock.now();
    for (const occurred of occurrences) {
      const gap = pace(occurred.at - (previous ?? occurred.at));
      previous = occurred.at;
      if (gap > 0 || batch.length >= batchSize) {
        await send(batch);
        batch = [];
      }
      if (gap > 0) {
        due += gap;
        const early = due - clock.now();
        // Having been held up by a sink, the run goes on from here instead of rushing to catch up.
        if (early > 0) await sleep(clock, early, signal);
        else due = clock.now();
      }
      if (signal.aborted) return;
      batch.push(...(await encode(occurred)));
    }
    await send(batch);
    for (const sink of sinks) await unlessStopped(sink.end());
  }

  const finished = play()
    .catch((error: unknown) => {
      if (!signal.aborted) throw error;
    })
    .then((): RunSummary => ({ events, first, last, byType, stopped: signal.aborted }));
  // Whoever does not look at `finished` must not be ended by its rejection.
  finished.catch(() => undefined);

  return {
    finished,
    stop() {
      stopping.abort();
      return finished;
    },
  };
}
