import type { RunObserver } from 'busbar';
import { BusbarError, virtualClock } from 'busbar/base';
import { memory, type MemoryDeadLetter } from 'busbar/internal/memory';
import { randomStream } from '../../engine/random.js';
import { defaultStart } from '../../engine/calendar.js';
import type { Instant } from '../../engine/time.js';
import type { PlanOptions } from '../../run/plan.js';
import type { RecordEncoder } from '../../run/in-envelope.js';
import { differences } from '../differences.js';
import type { Outcome } from '../outcomes.js';
import { type RunnableConsumer, VirtualRun } from '../virtual-run.js';
import { type Delivery, recordOf } from './delivery.js';
import type { FloatingWork } from './floating-work.js';
import type { FakeRestApi } from './fake-rest-api.js';
import type { StrayErrors } from './stray-errors.js';

/** The consumer under test and access to its state. */
export interface ExerciseParts {
  /** Returns a consumer with an empty state. */
  readonly fresh: () => Promise<RunnableConsumer>;
  /** Returns a consumer with the last one's state, as after a deployment. */
  readonly again: () => Promise<RunnableConsumer>;
  /** Whether {@link ExerciseParts.again} makes a consumer without the last one's memory. */
  readonly restarts: boolean;
  /** Returns a copy of the state; undefined if it is not observable. */
  readonly observe: () => Promise<unknown>;
  /** Returns a copy of the projection, if any. */
  readonly project: () => Promise<unknown>;
  readonly rest: FakeRestApi;
  readonly strayErrors: StrayErrors;
  /** Puts records into the consumer's wire format. */
  readonly inEnvelope: RecordEncoder;
  readonly seed: number;
  readonly handlerTimeout: number;
}

export interface ExerciseOptions {
  /** Plan of the world. Default: a world without events. */
  readonly plan?: PlanOptions;
  /** Time of the world that the REST API shows. Default: the virtual time. */
  readonly worldAt?: Instant;
  /** Observer of the run, or a check's wrapper around handlers. */
  readonly observer?: RunObserver;
  /** Watch for work that handlers do not await. Default: none. */
  readonly floating?: FloatingWork;
  /** Whether to compare payloads before and after each handler. Default false. */
  readonly comparesPayloads?: boolean;
  /** Whether to wait for work that continues after the consumer is idle. Default false. */
  readonly linger?: Linger;
}

/** `until still`: also for work that no handler has started, such as a job that polls a table. */
export type Linger = boolean | 'until still';

export interface Exercise {
  readonly outcomes: readonly Outcome[];
  readonly deadLetters: readonly MemoryDeadLetter[];
  /** Error that ended the run early or kept it from becoming idle. */
  readonly failure: Error | undefined;
  /** State when the consumer was idle. */
  readonly state: unknown;
  /** Projection when the consumer was idle. */
  readonly projected: unknown;
  /** State after the wait of `linger`. */
  readonly lateState: unknown;
  /** Pointers to payload fields that handlers changed, by event. Empty without `comparesPayloads`. */
  readonly mutated: ReadonlyMap<string, readonly string[]>;
  /** Names of events whose handlers did not end within the handlerTimeout. */
  readonly hanging: readonly string[];
  readonly requests: number;
  readonly strayErrors: readonly unknown[];
  /** Last error of the handler, by event id. */
  readonly thrown: ReadonlyMap<string, unknown>;
}

/** Delivers to a fresh consumer, each record at its virtual time, until no retry is pending. */
export function exercise(
  parts: ExerciseParts,
  deliveries: readonly Delivery[],
  options: ExerciseOptions = {},
): Promise<Exercise> {
  const work = () => exerciseNow(parts, deliveries, options);
  return options.floating === undefined ? work() : options.floating.during(work);
}

async function exerciseNow(
  parts: ExerciseParts,
  deliveries: readonly Delivery[],
  options: ExerciseOptions,
): Promise<Exercise> {
  const { rest, observe, strayErrors } = parts;
  const { plan = { seed: parts.seed }, worldAt, observer, floating } = options;
  const { linger = false, comparesPayloads = false } = options;
  const clock = virtualClock(plan.start ?? defaultStart);
  const transport = memory({ clock });
  rest.answerFrom(plan, worldAt === undefined ? clock : { now: () => worldAt });
  const { observer: watch, mutated, thrown } = watchHandlers(comparesPayloads);
  const random = randomStream(parts.seed, 'verify');
  const runOf = (consumer: RunnableConsumer) =>
    new VirtualRun({
      consumer,
      transport,
      clock,
      random: () => random.next(),
      handlerTimeout: parts.handlerTimeout,
      observers: [watch, floating?.observer ?? {}, observer ?? {}],
    });
  const outcomes: Outcome[] = [];
  let run = runOf(await parts.fresh());
  let failure: Error | undefined;
  let lateState: unknown;
  const restart = async () => {
    await run.stop();
    outcomes.push(...run.outcomes);
    run = runOf(await parts.again());
  };
  const noteFailure = (error: unknown) => {
    failure ??= error as Error;
    // The caller must fix these errors, e.g. a consumer without handlers: they are not findings.
    if (error instanceof BusbarError && error.kind === 'usage') throw error;
  };
  let timersBefore = 0;
  const requestsBefore = rest.requests;
  try {
    await run.quiet();
    if (linger !== false) timersBefore = timers();
    for (const delivery of deliveries) {
      const { sent, faults } = delivery;
      if (sent.at > clock.now()) await run.advanceTo(sent.at);
      if (faults.includes('after a restart')) {
        await run.quiet();
        await restart();
      }
      transport.send(parts.inEnvelope(recordOf(delivery)));
      if (!faults.includes('restart')) continue;
      // The handler has started by now, and is still running unless it is synchronous.
      await new Promise(setImmediate);
      await restart();
    }
    await run.settle();
  } catch (error) {
    noteFailure(error);
  }
  const hanging = failure instanceof BusbarError && failure.code === 'never-idle' ? run.pending : [];
  const state = await observe();
  const projected = await parts.project();
  floating?.release();
  if (floating?.crashes)
    await restart()
      .then(() => run.settle())
      .catch(noteFailure);
  if (linger !== false) {
    await lingered(timersBefore);
    lateState = linger === 'until still' ? await stillState(observe) : await observe();
  }
  const stray = await strayErrors.take();
  await run.stop();
  outcomes.push(...run.outcomes);
  return {
    outcomes,
    deadLetters: transport.deadLetters,
    failure,
    state,
    projected,
    lateState,
    mutated,
    hanging,
    requests: rest.requests - requestsBefore,
    strayErrors: stray,
    thrown,
  };
}

/** Waits for timers that were started meanwhile. It counts moments, because a busy machine stretches time. */
async function lingered(timersBefore: number): Promise<void> {
  let moments = 0;
  do await new Promise((resolve) => setTimeout(resolve, moment));
  while (timers() > timersBefore && ++moments < maxMoments);
  for (let turn = 0; turn < lingeringTurns; turn++) await new Promise(setImmediate);
}

/** Resolves with the state when it has not changed for a while, except where each reading differs. */
async function stillState(observe: ExerciseParts['observe']): Promise<unknown> {
  let state = await observe();
  const moving = new Set(differences(state, await observe()));
  for (let round = 0; round < maxMoments; round++) {
    await new Promise((resolve) => setTimeout(resolve, stillMs));
    const earlier = state;
    state = await observe();
    if (differences(earlier, state).every((pointer) => moving.has(pointer))) break;
  }
  return state;
}

/** Longest pause of work in the background, in milliseconds. */
const stillMs = 100;

/** Length of a moment, in milliseconds. */
const moment = 10;
/** Most moments to wait: a repeating timer never ends. */
const maxMoments = 50;
const lingeringTurns = 50;

function timers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
}

/** Records the errors of handlers and their changes to payloads. */
function watchHandlers(comparesPayloads: boolean) {
  const mutated = new Map<string, readonly string[]>();
  const thrown = new Map<string, unknown>();
  const observer: RunObserver = {
    around: (event, _context, run) => {
      const before = comparesPayloads ? structuredClone(event.payload) : undefined;
      const end = () => {
        const places = comparesPayloads ? differences(before, event.payload) : [];
        if (places.length > 0) mutated.set(`${event.type}-${event.version}`, places);
      };
      const fail = (error: unknown): never => {
        thrown.set(event.id ?? '', error);
        end();
        throw error;
      };
      let pending: void | Promise<void>;
      try {
        pending = run();
      } catch (error) {
        return fail(error);
      }
      if (pending instanceof Promise) return pending.then(end, fail);
      end();
      return undefined;
    },
  };
  return { observer, mutated, thrown };
}
