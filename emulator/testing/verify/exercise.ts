import { virtualClock } from '../../../src/base/clock.js';
import { BusbarError } from '../../../src/base/errors.js';
import type { AnyEvent, HandlerContext } from '../../../src/event.js';
import { silentLogger } from '../../../src/base/logger.js';
import type { RunObserver } from '../../../src/running/observer.js';
import { type MemoryDeadLetter, memory, type MemoryTransport } from '../../../src/transports/memory.js';
import { randomStream } from '../../engine/random.js';
import { defaultStart, type PlanOptions } from '../../run/plan.js';
import { differences } from '../differences.js';
import type { Outcome } from '../outcomes.js';
import { type RunnableConsumer, VirtualRun } from '../virtual-run.js';
import { type Delivery, recordOf } from './delivery.js';
import type { RestStandIn } from './stand-in.js';
import type { StrayErrors } from './stray-errors.js';

/** What a consumer is exercised with. */
export interface ExerciseParts {
  /** A consumer with an empty state. */
  readonly fresh: () => Promise<RunnableConsumer>;
  /** A consumer that finds the state as the last one left it, as after a deployment. */
  readonly again: () => Promise<RunnableConsumer>;
  /** A copy of the state; undefined where none can be seen. */
  readonly observe: () => Promise<unknown>;
  /** A copy of the projection; undefined where there is none. */
  readonly project: () => Promise<unknown>;
  readonly rest: RestStandIn;
  readonly strayErrors: StrayErrors;
  readonly seed: number;
  readonly patience: number;
}

export interface ExerciseOptions {
  /** What the world was played from. Default: nothing has happened in it. */
  readonly plan?: PlanOptions;
  /** Who looks on, or gets between. */
  readonly observer?: RunObserver;
  /** Whether it is waited for what goes on after the consumer has come to rest. Default not. */
  readonly linger?: boolean;
}

/** What came of deliveries. */
export interface Exercise {
  readonly outcomes: readonly Outcome[];
  readonly deadLetters: readonly MemoryDeadLetter[];
  /** What ended the run before its time, or kept it from coming to rest. */
  readonly failure: Error | undefined;
  /** At rest. */
  readonly state: unknown;
  /** The projection, at rest. */
  readonly projected: unknown;
  /** The state later, where it was waited for. */
  readonly lateState: unknown;
  /** Events whose handlers changed what they were given, with pointers. */
  readonly mutated: ReadonlyMap<string, readonly string[]>;
  /** Names of events whose handlers had not ended when patience did. */
  readonly hanging: readonly string[];
  /** How many it sent to the platform's REST API. */
  readonly requests: number;
  /** What nobody caught. */
  readonly strayErrors: readonly unknown[];
  /** What handlers threw, by event id; the last of each. */
  readonly thrown: ReadonlyMap<string, unknown>;
}

/** Delivers to a fresh consumer, each at its virtual instant, until nothing is left to be retried. */
export async function exercise(
  parts: ExerciseParts,
  deliveries: readonly Delivery[],
  options: ExerciseOptions = {},
): Promise<Exercise> {
  const { rest, observe, strayErrors } = parts;
  const { plan = { seed: parts.seed }, observer, linger = false } = options;
  const clock = virtualClock(plan.start ?? defaultStart);
  const transport = memory({ clock });
  rest.answerFrom(plan, clock);
  // Where a check gets between, the payload is its own, and no measure of what the handler does to it.
  const watch = new HandlerWatch(observer === undefined);
  const random = randomStream(parts.seed, 'verify');
  const runOf = (consumer: RunnableConsumer) =>
    new VirtualRun({
      consumer,
      transport,
      clock,
      random: () => random.next(),
      logger: silentLogger,
      patience: parts.patience,
      observers: [watch.observer, observer ?? {}],
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
  let timersBefore = 0;
  const requestsBefore = rest.requests;
  try {
    await run.quiet();
    timersBefore = timers();
    for (const delivery of deliveries) await deliver(delivery, run, transport, restart);
    await run.settle();
  } catch (error) {
    failure = error as Error;
    // What the caller can mend, as a consumer without handlers, is no finding.
    if (error instanceof BusbarError && error.kind === 'usage') throw error;
  }
  const hanging = failure instanceof BusbarError && failure.code === 'never-idle' ? watch.pending() : [];
  const state = await observe();
  const projected = await parts.project();
  if (linger) {
    await lingered(timersBefore);
    lateState = await observe();
  }
  const stray = await strayErrors.take();
  await run.stop();
  outcomes.push(...run.outcomes);
  const { mutated, thrown } = watch;
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

  async function deliver(
    delivery: Delivery,
    current: VirtualRun,
    to: MemoryTransport,
    startAnew: () => Promise<void>,
  ): Promise<void> {
    if (delivery.sent.at > clock.now()) await current.advanceTo(delivery.sent.at);
    to.send(recordOf(delivery));
    if (!delivery.faults.includes('restart')) return;
    // It has begun by then, and is not through unless it takes no time.
    await new Promise(setImmediate);
    await startAnew();
  }
}

/** Waits for timers that were started meanwhile. It counts moments, since a busy machine stretches them. */
async function lingered(timersBefore: number): Promise<void> {
  let moments = 0;
  do await new Promise((resolve) => setTimeout(resolve, moment));
  while (timers() > timersBefore && ++moments < mostMoments);
  for (let turn = 0; turn < lingeringTurns; turn++) await new Promise(setImmediate);
}

/** In milliseconds. */
const moment = 10;
/** A timer that repeats itself never ends. */
const mostMoments = 50;
const lingeringTurns = 50;

function timers(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
}

/** Sees what handlers do to what they are given. */
class HandlerWatch {
  readonly mutated = new Map<string, readonly string[]>();
  readonly thrown = new Map<string, unknown>();
  readonly #pending = new Map<HandlerContext, string>();
  readonly #compares: boolean;

  constructor(compares: boolean) {
    this.#compares = compares;
  }

  readonly observer: RunObserver = {
    around: (event, context, run) => {
      const name = `${event.type}-${event.version}`;
      const before = this.#compares ? structuredClone(event.payload) : undefined;
      this.#pending.set(context, name);
      const end = () => {
        this.#pending.delete(context);
        this.#compare(name, before, event);
      };
      let pending: void | Promise<void>;
      try {
        pending = run();
      } catch (error) {
        this.#note(event, error);
        end();
        throw error;
      }
      if (!(pending instanceof Promise)) {
        end();
        return;
      }
      return pending.then(end, (error: unknown) => {
        this.#note(event, error);
        end();
        throw error;
      });
    },
  };

  pending(): string[] {
    return [...new Set(this.#pending.values())];
  }

  #note({ id = '' }: AnyEvent, error: unknown): void {
    this.thrown.set(id, error);
  }

  #compare(name: string, before: unknown, event: AnyEvent): void {
    if (!this.#compares) return;
    const places = differences(before, event.payload);
    if (places.length > 0) this.mutated.set(name, places);
  }
}
