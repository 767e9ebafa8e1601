import { BusbarError, type Clock, untilAborted } from 'busbar/base';
import type { Pace } from '../engine/pacing.js';
import type { Instant } from '../engine/time.js';
import type { Sink } from './sink.js';
import { type Delivery, delivery } from './delivery.js';
import { Notifier } from './notifier.js';
import type { Inputs } from './inputs.js';
import { checkDestination, RunClock } from './run-clock.js';
import type { PullResult, SourceItem, Source } from './source.js';

/** Source, sinks and pace of a run. */
export interface RunOptions {
  /** Events in order of sending. */
  readonly source: Source;
  readonly pace: Pace;
  readonly sinks: readonly Sink[];
  readonly clock: Clock;
  /** Condition that the first event waits for, such as an attached consumer. Default: none. */
  readonly ready?: Promise<void>;
  /** Whether the run starts paused. Default false. */
  readonly paused?: boolean;
  /** Advice in the error of a failed sink. Default none. */
  readonly afterFailure?: string;
  /** Virtual time before the first event. Default 0. */
  readonly start?: Instant;
  /** Inputs of the source. The run continues when one arrives. Default none. */
  readonly inputs?: Inputs;
  /** Whether nothing is planned, so that the run has no end to report. Default false. */
  readonly isEndless?: boolean;
}

/** State of a run. `idle`: nothing left to send. `ended`: no input can come either. */
export type RunState = 'waiting' | 'running' | 'paused' | 'idle' | 'ended' | 'stopped' | 'failed';

/** Counts of the events that a run has sent. */
export interface RunSummary {
  /** Number of events. */
  readonly events: number;
  /** Virtual instant of the first event, or undefined if there was none. */
  readonly first: Instant | undefined;
  /** Virtual instant of the last event, or undefined if there was none. */
  readonly last: Instant | undefined;
  /** Number of events by type. */
  readonly byType: ReadonlyMap<string, number>;
  /** Number of faults by name, those of dropped events included. */
  readonly byFault: ReadonlyMap<string, number>;
  /** Number of outcomes by name, `house-move occupier=unknown`. Empty for a replay. */
  readonly byBranch: ReadonlyMap<string, number>;
  /** Number of events that each sink has accepted. */
  readonly bySink: readonly { readonly name: string; readonly events: number }[];
  /** Whether the run was stopped before its end. */
  readonly stopped: boolean;
}

/**
 *     waiting ──> playing <──> idle          for a consumer; for the next event's time; for inputs
 *                  │   ↑
 *                 stepping                   during a step of a paused run: the next occurrence is due at once
 *
 * Each of them can lead to `ended`, `stopped` or `failed`. A run that plays while its clock is held is paused.
 */
type Phase = 'waiting' | 'playing' | 'stepping' | 'idle' | 'ended' | 'stopped' | 'failed';

/** A run, which sends the events of a source to every sink at a pace. A slow sink slows the run. */
export class Run {
  /**
   * Resolves when every sink has sent the last planned event, or after `stop`. Rejects if a scenario or sink fails. An open
   * run sends events of later inputs, too.
   */
  readonly finished: Promise<RunSummary>;
  /** Resolves when the run accepts no more inputs. Rejects if a scenario or sink fails, also after `finished`. */
  readonly over: Promise<void>;
  readonly #source: Source;
  readonly #inputs: Inputs | undefined;
  readonly #isEndless: boolean;
  readonly #wall: Clock;
  readonly #clock: RunClock;
  readonly #sent: Delivery;
  readonly #notifier = new Notifier();
  readonly #stopping = new AbortController();
  #phase: Phase = 'waiting';
  /** Number of steps left while the clock is held. */
  #steps = 0;
  /** Next events, which wait for their time. */
  #pending: SourceItem | undefined;
  /** Instant up to which the source may be read before the clock reaches it. */
  #allowed: Instant = -Infinity;
  /** Callers of `idle()` since the last read of the source. */
  readonly #newIdleWaiters = new Set<() => void>();
  /** Callers of `idle()` before the last read of the source. */
  readonly #idleWaiters = new Set<() => void>();
  /** Callers of `advance()` that wait for their instant. */
  readonly #advancing = new Set<{ readonly to: Instant; readonly resolve: (now: Instant) => void }>();
  #finish: () => void = () => undefined;

  constructor(options: RunOptions) {
    const { source, pace, clock: wall, inputs, start = 0, paused = false, isEndless = false } = options;
    this.#source = source;
    this.#inputs = inputs;
    this.#isEndless = isEndless;
    this.#wall = wall;
    this.#clock = new RunClock(wall, start, pace, paused);
    this.#sent = delivery(options, this.#signal);
    inputs?.onAdded(() => this.#notifier.notify());
    const allSent = new Promise<void>((resolve) => (this.#finish = resolve));
    this.over = this.#playToEnd(options.ready);
    this.finished = Promise.race([allSent, this.over]).then(() => this.summary);
    // An unhandled rejection would end the process.
    this.finished.catch(() => undefined);
    this.over.catch(() => undefined);
  }

  /** Counts so far. */
  get summary(): RunSummary {
    const { faults: byFault, branches: byBranch } = this.#source;
    return { ...this.#sent.counts, byFault, byBranch, stopped: this.#signal.aborted };
  }

  /** State of the run: `waiting` for a consumer, `idle` with nothing left to send. */
  get state(): RunState {
    if (this.#phase === 'playing' || this.#phase === 'stepping')
      return this.#clock.isHeld ? 'paused' : 'running';
    return this.#phase;
  }

  /** Current virtual instant: that of the last event, plus the time since then at the run's pace. */
  get now(): Instant {
    return this.#clock.now;
  }

  /** Pauses the run before its next occurrence. Virtual time stops. */
  pause(): void {
    this.#clock.hold();
    this.#steps = 0;
    this.#notifier.notify();
  }

  /** Resumes a paused run. */
  resume(): void {
    this.#clock.release();
    this.#notifier.notify();
  }

  /** Sends the next occurrences of a paused run at once. @param count Default 1. */
  step(count = 1): void {
    this.#steps += count;
    this.#notifier.notify();
  }

  /** Changes the pace from now on. */
  setPace(pace: Pace): void {
    this.#clock.setPace(pace);
    this.#notifier.notify();
  }

  /**
   * Moves virtual time forward and sends all events until then at once, also in a paused run. Resolves to the current virtual
   * instant.
   * @throws BusbarError `run-over`; `invalid-option` for an instant after the year 9999
   */
  async advance(to: Instant): Promise<Instant> {
    if (this.#isOver) {
      const message = 'The run was stopped or has failed. Reset it, or start another.';
      throw new BusbarError('run-over', message);
    }
    if (to <= this.now) return this.now;
    checkDestination(to);
    this.#clock.advance(to);
    return new Promise((resolve) => {
      this.#advancing.add({ to, resolve });
      this.#notifier.notify();
    });
  }

  /** Resolves when the run has nothing left to send for now. Rejects if the run fails. */
  async idle(): Promise<void> {
    if (!this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#newIdleWaiters.add(resolve);
        this.#notifier.notify();
      });
    }
    if (this.#phase === 'failed') await this.over;
  }

  /** Stops the run. The sinks stay open. */
  async stop(): Promise<RunSummary> {
    this.#stopping.abort();
    await this.over;
    return this.summary;
  }

  get #signal(): AbortSignal {
    return this.#stopping.signal;
  }

  get #isOver(): boolean {
    return this.#phase === 'stopped' || this.#phase === 'failed' || this.#phase === 'ended';
  }

  async #playToEnd(ready: Promise<void> | undefined): Promise<void> {
    try {
      try {
        if (ready !== undefined) await untilAborted(ready, this.#signal);
        await this.#play();
      } finally {
        this.#inputs?.close();
        await this.#source.close();
      }
      this.#phase = this.#signal.aborted ? 'stopped' : 'ended';
    } catch (error) {
      this.#phase = this.#signal.aborted ? 'stopped' : 'failed';
      if (!this.#signal.aborted) throw error;
    } finally {
      for (const each of this.#advancing) each.resolve(this.now);
      for (const resolve of [...this.#newIdleWaiters, ...this.#idleWaiters]) resolve();
    }
  }

  async #play(): Promise<void> {
    this.#phase = 'playing';
    try {
      while (!this.#signal.aborted) {
        if (this.#sent.isFull) await this.#sent.flush();
        // This read includes the inputs before each call of `idle()`. The read before may not.
        for (const resolve of this.#newIdleWaiters) this.#idleWaiters.add(resolve);
        this.#newIdleWaiters.clear();
        let pulled: PullResult | Promise<PullResult> = this.#pending ?? this.#source.next(this.#limit);
        if (pulled instanceof Promise) pulled = await untilAborted(pulled, this.#signal);
        if (pulled === undefined) break;
        if ('idleUntil' in pulled) await this.#idle(pulled.idleUntil);
        else {
          this.#pending = pulled;
          const { at, emissions } = pulled;
          if (this.#advancing.size > 0 && at > this.#clock.target) await this.#arrive();
          if (this.#maySend(at, emissions.length)) this.#send(pulled);
          else await this.#wait(at, emissions.length);
        }
      }
    } catch (error) {
      // Events before the failure are sent.
      if (!this.#signal.aborted) await this.#sent.flush();
      throw error;
    }
    if (this.#signal.aborted) return;
    await this.#sent.flush();
    await this.#sent.end();
  }

  /** Instant up to which the source may be read. */
  get #limit(): Instant {
    return this.#phase === 'stepping' ? Infinity : Math.max(this.#allowed, this.#clock.limit);
  }

  /** Whether events at that instant are due, or a step remains. Uses up the step. */
  #maySend(at: Instant, events: number): boolean {
    if (this.#phase === 'stepping' || this.#clock.untilDue(at, events) === 0) return true;
    if (!this.#clock.isHeld || this.#steps === 0) return false;
    this.#steps--;
    this.#phase = 'stepping';
    return true;
  }

  #send({ at, emissions }: SourceItem): void {
    this.#clock.happened(at, emissions.length, this.#phase === 'stepping');
    this.#phase = 'playing';
    this.#pending = undefined;
    this.#inputs?.reach(at);
    this.#sent.add(emissions);
  }

  /** Waits until events at that instant are due, or a caller changes the run. */
  async #wait(at: Instant, events: number): Promise<void> {
    this.#phase = 'playing';
    await this.#sent.flush();
    // A slow sink may have used up the time.
    const left = this.#clock.untilDue(at, events);
    if (left !== 0) await this.#notifier.wait(this.#wall, this.#signal, left);
  }

  /** Completes `advance()`: no event is left before its instant. */
  async #arrive(): Promise<void> {
    const { target } = this.#clock;
    await this.#sent.flush();
    this.#clock.arrive(target);
    this.#inputs?.reach(target);
    for (const each of this.#advancing) {
      if (each.to > target) continue;
      this.#advancing.delete(each);
      each.resolve(this.now);
    }
  }

  /** Waits, because the source has no event before that instant. */
  async #idle(until: Instant): Promise<void> {
    this.#clock.expect(until);
    if (this.#advancing.size > 0 && until > this.#clock.target) await this.#arrive();
    if (until === Infinity) await this.#awaitInputs();
    else if (this.#maySend(until, 1)) {
      this.#clock.begin(until);
      this.#allowed = until;
    } else await this.#wait(until, 1);
  }

  /** Waits for inputs, because everything has been sent. */
  async #awaitInputs(): Promise<void> {
    this.#steps = 0;
    await this.#sent.flush();
    if (this.#phase !== 'idle') {
      this.#clock.begin();
      const reached = this.#inputs?.reached ?? -Infinity;
      // The last events may have been dropped.
      if (reached > this.now) this.#clock.arrive(reached);
      await this.#source.flush?.();
      if (!this.#isEndless) {
        await this.#sent.end();
        this.#finish();
      }
      this.#phase = 'idle';
    }
    for (const resolve of this.#idleWaiters) resolve();
    this.#idleWaiters.clear();
    await this.#notifier.wait(this.#wall, this.#signal);
  }
}
