import type { Clock } from '../../src/base/clock.js';
import { BusbarError } from '../../src/base/errors.js';
import { instantPace, type Pace } from '../engine/pacing.js';
import type { Instant } from '../engine/time.js';
import type { Sink } from '../sinks/sink.js';
import { delivery } from './delivery.js';
import { createBell, createGate, unlessAborted } from './gate.js';
import type { Inputs } from './inputs.js';
import type { Pulled, Sending, Source } from './source.js';

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
  /** Where virtual time begins. Default: with the first event. */
  readonly start?: Instant;
  /** What comes into the source from outside: the run goes on when something does. Default nothing. */
  readonly inputs?: Inputs;
  /** Nothing is planned, so that there is no end to be told of. Default false. */
  readonly isEndless?: boolean;
}

/** A run under way. */
export interface Run {
  /**
   * Resolves when the last emission has left every sink, or after `stop`; rejects when scenario or sink fails. What
   * comes in from outside after that is sent all the same.
   */
  readonly finished: Promise<RunSummary>;
  /** Resolves when nothing comes in any more; rejects when scenario or sink fails, also after `finished`. */
  readonly over: Promise<void>;
  /** What has been sent so far. */
  readonly summary: RunSummary;
  /** What it is doing: `waiting` for a consumer, `idle` with nothing left to send. */
  readonly state: RunState;
  /** The present virtual instant: that of the last event, or as much later as has passed since at the run's speed. */
  readonly now: Instant;
  /** Holds the run before its next occurrence. Virtual time stands still. */
  pause(): void;
  resume(): void;
  /** Lets the next occurrences of a paused run happen, at once. Default 1. */
  step(count?: number): void;
  /** Lets virtual time pass otherwise from now on. */
  setPace(pace: Pace): void;
  /**
   * Moves virtual time forward: all that is due until then is sent at once, of a paused run too. Resolves to the
   * present virtual instant.
   * @throws BusbarError `run-over`
   */
  advance(to: Instant): Promise<Instant>;
  /** Resolves when nothing is left to be sent, for now. Rejects as `finished` does. */
  settled(): Promise<void>;
  /** Ends the run early, in good order. The sinks stay open. */
  stop(): Promise<RunSummary>;
}

export type RunState = 'waiting' | 'running' | 'paused' | 'idle' | 'ended' | 'stopped' | 'failed';

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

/** Nobody sees a difference of less, in milliseconds; and timers cannot keep it. */
const tolerance = 4;

/** By how much, in milliseconds, timers and whatever else runs make a run late, which it makes up for: a rate is kept. */
const ordinaryDelay = 50;

/** Sends what the source has to every sink, at the given pace; a sink that is slow slows the run. */
export function startRun(options: RunOptions): Run {
  const { source, clock, inputs } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const gate = createGate(options.paused !== true);
  const bell = createBell();
  const sent = delivery(options, signal);
  /** Who asked to be told when nothing is left, and those of them who had asked before the last pull. */
  const asking = new Set<() => void>();
  const atRest = new Set<() => void>();
  const arriving = new Set<{ readonly to: Instant; readonly resolve: (now: Instant) => void }>();
  let { pace } = options;
  let state: RunState = 'waiting';
  /** A virtual instant, and when that was on the wall. */
  let anchor: { at: Instant; wall: number } | undefined;
  /** Nothing happens between the anchor and this instant, as far as is known. */
  let upcoming: Instant = -Infinity;
  /** What virtual time is to be moved to, and what has been let happen without a pull. */
  let ahead: Instant = -Infinity;
  let allowed: Instant = -Infinity;
  /** A step was let through the closed gate, and has not happened yet. */
  let isStepping = false;
  let held: Sending | undefined;
  let finish: () => void = () => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const summary = (): RunSummary => ({
    ...sent.counts,
    byFault: source.faults,
    byBranch: source.branches,
    stopped: signal.aborted,
  });

  function now(): Instant {
    if (anchor === undefined) return options.start ?? 0;
    const passed = gate.isOpen ? pace.passed(Math.max(0, clock.now() - anchor.wall)) : 0;
    return Math.max(anchor.at, Math.min(anchor.at + passed, upcoming));
  }

  /** How far the source may be played. */
  function limit(): Instant {
    if (isStepping) return Infinity;
    const least = Math.max(ahead, allowed);
    if (!gate.isOpen) return least;
    if (pace === instantPace) return Infinity;
    if (anchor === undefined) return least;
    return Math.max(least, anchor.at + pace.passed(Math.max(0, clock.now() - anchor.wall)));
  }

  /** When events at that instant are due on the wall. */
  function dueAt(at: Instant, events: number): number {
    return anchor === undefined ? -Infinity : anchor.wall + pace.wait(Math.max(0, at - anchor.at), events);
  }

  function mayHappen(at: Instant, events: number): boolean {
    if (at <= ahead || isStepping) return true;
    if (!gate.isOpen) return (isStepping = gate.pass());
    return pace === instantPace || dueAt(at, events) - clock.now() <= tolerance;
  }

  /** Waits until events at that instant may happen, or something else has. */
  async function wait(at: Instant, events: number): Promise<void> {
    state = gate.isOpen ? 'running' : 'paused';
    await sent.flush();
    const early = gate.isOpen ? dueAt(at, events) - clock.now() : undefined;
    // A slow sink may have taken all the time there was.
    if (early === undefined || early > tolerance) await bell.wait(clock, signal, early);
  }

  /** Virtual time is where it was to be moved to: nothing more comes before that. */
  async function arrive(): Promise<void> {
    await sent.flush();
    if (ahead > (anchor?.at ?? -Infinity)) anchor = { at: ahead, wall: clock.now() };
    if (inputs !== undefined) inputs.reached = Math.max(inputs.reached, ahead);
    for (const each of arriving) {
      if (each.to > ahead) continue;
      arriving.delete(each);
      each.resolve(now());
    }
  }

  /** Everything has been sent, for now. */
  async function rest(): Promise<void> {
    isStepping = false;
    await sent.flush();
    if (state !== 'idle') {
      anchor ??= { at: options.start ?? 0, wall: clock.now() };
      await source.flush?.();
      if (options.isEndless !== true) {
        await sent.end();
        finish();
      }
      state = 'idle';
    }
    for (const resolve of atRest) resolve();
    atRest.clear();
    await bell.wait(clock, signal);
  }

  function take({ at, emissions }: Sending): void {
    const wall = clock.now();
    const isAtOnce = isStepping || at <= ahead;
    const due = dueAt(at, emissions.length);
    // Having been held up by a sink or a gate, the run goes on from here instead of rushing to catch up.
    anchor = { at, wall: isAtOnce || wall - due > ordinaryDelay ? wall : due };
    state = 'running';
    upcoming = at;
    held = undefined;
    isStepping = false;
    if (inputs !== undefined) inputs.reached = Math.max(inputs.reached, at);
    sent.add(emissions);
  }

  async function play(): Promise<void> {
    if (options.ready !== undefined) await unlessAborted(options.ready, signal);
    state = 'running';
    try {
      while (!signal.aborted) {
        if (sent.isFull) await sent.flush();
        // What came in before somebody asked is known to this pull, and need not have been to the one before.
        for (const resolve of asking) atRest.add(resolve);
        asking.clear();
        let pulled: Pulled | Promise<Pulled> = held ?? source.next(limit());
        if (pulled instanceof Promise) pulled = await unlessAborted(pulled, signal);
        if (pulled === undefined) break;
        if ('idleUntil' in pulled) await idle(pulled.idleUntil);
        else {
          held = pulled;
          const { at, emissions } = pulled;
          if (arriving.size > 0 && at > ahead) await arrive();
          if (mayHappen(at, emissions.length)) take(pulled);
          else await wait(at, emissions.length);
        }
      }
    } catch (error) {
      // What came before the failure has happened.
      if (!signal.aborted) await sent.flush();
      throw error;
    }
    if (signal.aborted) return;
    await sent.flush();
    await sent.end();
  }

  /** The source has nothing for now. */
  async function idle(until: Instant): Promise<void> {
    upcoming = until;
    if (arriving.size > 0 && until > ahead) await arrive();
    if (until === Infinity) await rest();
    else if (mayHappen(until, 1)) {
      anchor ??= { at: until, wall: clock.now() };
      allowed = until;
    } else await wait(until, 1);
  }

  if (inputs !== undefined) {
    inputs.now = now;
    inputs.onAdded(() => bell.ring());
  }
  const played = play()
    .finally(() => {
      inputs?.close();
      return source.close();
    })
    .then(
      () => void (state = signal.aborted ? 'stopped' : 'ended'),
      (error: unknown) => {
        state = signal.aborted ? 'stopped' : 'failed';
        if (!signal.aborted) throw error;
      },
    )
    .finally(() => {
      for (const each of arriving) each.resolve(now());
      for (const resolve of [...asking, ...atRest]) resolve();
    });
  const finished = Promise.race([done, played]).then(summary);
  // Whoever does not look at `finished` must not be ended by its rejection.
  finished.catch(() => undefined);
  played.catch(() => undefined);
  const isOver = () => state === 'stopped' || state === 'failed' || state === 'ended';

  return {
    finished,
    over: played,
    get summary() {
      return summary();
    },
    get state() {
      return !gate.isOpen && state === 'running' ? 'paused' : state;
    },
    get now() {
      return now();
    },
    pause() {
      const at = now();
      gate.close();
      if (anchor !== undefined) anchor = { at, wall: clock.now() };
      bell.ring();
    },
    resume() {
      if (!gate.isOpen && anchor !== undefined) anchor = { at: anchor.at, wall: clock.now() };
      gate.open();
      bell.ring();
    },
    step(count = 1) {
      gate.admit(count);
      bell.ring();
    },
    setPace(other) {
      if (anchor !== undefined) anchor = { at: now(), wall: clock.now() };
      pace = other;
      bell.ring();
    },
    advance(to) {
      if (isOver()) {
        const message = 'The run was stopped or has failed: its time has ended. Reset it, or start another.';
        return Promise.reject(new BusbarError('run-over', message));
      }
      if (to <= now()) return Promise.resolve(now());
      ahead = Math.max(ahead, to);
      return new Promise((resolve) => {
        arriving.add({ to, resolve });
        bell.ring();
      });
    },
    async settled() {
      if (!isOver()) {
        await new Promise<void>((resolve) => {
          asking.add(resolve);
          bell.ring();
        });
      }
      if (state === 'failed') await played;
    },
    async stop() {
      stopping.abort();
      await played;
      return summary();
    },
  };
}
