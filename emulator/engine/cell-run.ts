import { BusbarError } from 'busbar/base';
import { london } from './calendar.js';
import { type Names, names } from './random.js';
import type { Branches, Decisions, Occurrence, Scenario, ScenarioContext, Step, Steps } from './scenario.js';
import { formatInstant, type Instant } from './time.js';
import type { Timer, TimerQueue } from './timer-queue.js';

/** State of a cell that follows virtual time. */
interface CellClock {
  /** Receives the instant before each thread of the cell continues. Instants never decrease. */
  turn?(at: Instant): void;
}

/** Progress of one cell. */
export interface CellRun<Cell> {
  readonly index: number;
  /** See `Ordering.rankOf`. */
  readonly rank: number;
  readonly state: Cell;
  /** Instant of the last occurrence. */
  lastAt: Instant;
  events: number;
  /** Number of timers set so far, which is the number of the next. */
  timers: number;
  /** Threads that wait for a timer, in no order: mostly one or two. */
  readonly waiting: Thread<Cell>[];
  /** Number of instances that have started. */
  starts: number;
  /** Number of instances that have not ended. */
  instances: number;
  /** Whether a later start is planned, which needs the state. */
  hasLaterStart: boolean;
}

/** An occurrence with its rank in the run. */
export interface TimedOccurrence {
  readonly at: Instant;
  readonly cell: number;
  /** See `Ordering.rankOf`. */
  readonly rank: number;
  /** Number in the cell of the event of the first version. Those of the others follow. */
  readonly number: number;
  /** `house-move#1` */
  readonly instance: string;
  readonly step: string;
  /** Outcomes of the instance, by branch. */
  readonly branches: Readonly<Record<string, string>>;
  readonly occurrence: Occurrence;
}

/** An occurrence with the state of its cell, which is valid until the simulation continues. */
export interface OccurredIn<Cell> extends TimedOccurrence {
  readonly state: Cell;
}

/** A start of an instance in a cell. */
export interface InstanceStart<S> {
  readonly at: Instant;
  readonly scenario: S;
  /** Number of the instance among those of the scenario in the cell, from 1. */
  readonly ordinal: number;
  /** Whether no later start is planned for the cell. Its state is then dropped when its instances end. */
  readonly last: boolean;
  /** Outcomes of this instance, instead of drawn ones. */
  readonly branches?: Readonly<Record<string, string>> | undefined;
  /** Data of the input that starts the instance: `input` of its {@link ScenarioContext}. */
  readonly input?: unknown;
}

/** Settings of a run that apply to each of its instances. */
export interface Conditions {
  readonly seed: number;
  readonly forced?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export function newCellRun<Cell>(index: number, rank: number, state: Cell): CellRun<Cell> {
  return {
    index,
    rank,
    state,
    lastAt: -1,
    events: 0,
    timers: 0,
    waiting: [],
    starts: 0,
    instances: 0,
    hasLaterStart: true,
  };
}

/** Starts an instance in the cell. Returns its outcomes by branch. */
export function startInstance<Cell, S extends Scenario<Cell>>(
  cell: CellRun<Cell>,
  { at, scenario, ordinal, last, branches, input }: InstanceStart<S>,
  queue: TimerQueue,
  { seed, forced }: Conditions,
): Readonly<Record<string, string>> {
  cell.starts++;
  cell.instances++;
  cell.hasLaterStart = !last;
  const own = names(seed, cell.index, scenario.name, ordinal);
  const name = `${scenario.name}#${ordinal}`;
  const branch = decide(scenario, own, branches, forced?.[scenario.name]);
  const context = {
    cell: cell.state,
    branch,
    random: own.stream(),
    calendar: scenario.calendar ?? london,
    input,
    now: at,
  };
  const instance = { name, cell, context, step: '' };
  schedule(queue, at, newThread(instance, scenario.run(context)));
  return branch;
}

export function nextTimer<Cell>({ waiting }: CellRun<Cell>): Instant {
  let next = Infinity;
  for (const { at } of waiting) if (at < next) next = at;
  return next;
}

/** Returns the thread of a timer, and sets the time of its instance. */
export function resumeThread<Cell>(cell: CellRun<Cell>, { at, number }: Timer): Thread<Cell> {
  const { waiting } = cell;
  const index = waiting.findIndex(({ timer }) => timer === number);
  const thread = waiting[index] as Thread<Cell>;
  const last = waiting.pop() as Thread<Cell>;
  if (last !== thread) waiting[index] = last;
  thread.instance.context.now = at;
  (cell.state as CellClock).turn?.(at);
  return thread;
}

/** Runs a thread to its next occurrence. Returns undefined if the thread waits, ends or starts other threads first. */
export function advance<Cell>(thread: Thread<Cell>, queue: TimerQueue): OccurredIn<Cell> | undefined {
  const { instance } = thread;
  const { cell, context } = instance;
  const { now } = context;

  for (let count = 0; ; count++) {
    const step = thread.pending ?? nextStep(thread, count);
    thread.pending = undefined;
    switch (step?.kind) {
      case undefined: {
        const { parent } = thread;
        if (parent === undefined) cell.instances--;
        else if (--parent.children === 0) schedule(queue, now, parent);
        return undefined;
      }
      case 'together':
        thread.children = step.threads.length;
        if (thread.children === 0) break;
        for (const steps of step.threads) schedule(queue, now, newThread(instance, steps, thread));
        return undefined;
      case 'wait': {
        const at = Math.ceil(step.until(context));
        if (at <= now) break;
        if (Number.isNaN(at)) {
          throw new BusbarError(
            'scenario-failed',
            `${where(instance)} waits for a time that is not a number. Correct the times that it waits for.`,
          );
        }
        schedule(queue, at, thread);
        return undefined;
      }
      case 'emit': {
        const { occurrence, name } = step;
        if (now <= cell.lastAt) {
          thread.pending = step;
          schedule(queue, cell.lastAt + 1, thread);
          return undefined;
        }
        const number = cell.events;
        cell.lastAt = now;
        cell.events += occurrence.versions.length;
        instance.step = name;
        const { index, rank } = cell;
        return {
          at: now,
          cell: index,
          rank,
          number,
          instance: instance.name,
          step: name,
          branches: context.branch,
          occurrence,
          state: cell.state,
        };
      }
    }
  }
}

interface Instance<Cell> {
  readonly name: string;
  readonly cell: CellRun<Cell>;
  /** Context of the scenario. `now` advances. */
  readonly context: Omit<ScenarioContext<Cell, Branches>, 'now'> & { now: Instant };
  /** Name of its last step, for error messages. */
  step: string;
}

interface Thread<Cell> {
  readonly instance: Instance<Cell>;
  readonly steps: Steps;
  readonly parent: Thread<Cell> | undefined;
  /** Number of the timer that it waits for, and its instant. */
  timer: number;
  at: Instant;
  /** Number of threads that it waits for. */
  children: number;
  /** Step that waits for the next free millisecond of the cell. */
  pending: Step | undefined;
}

/** Creates a thread, which {@link schedule} then gives a timer. */
function newThread<Cell>(instance: Instance<Cell>, steps: Steps, parent?: Thread<Cell>): Thread<Cell> {
  return { instance, steps, parent, timer: -1, at: 0, children: 0, pending: undefined };
}

/** Steps of a thread at one instant, after which the scenario counts as endless. */
const stepsPerInstant = 100_000;

/**
 * Draws the outcomes of an instance. Each branch has its own random stream, so that forcing one changes no other.
 * @param wanted Outcomes of this instance, which win over those that are forced on all of the scenario.
 */
function decide<B extends Branches>(
  scenario: Scenario<never, B>,
  instance: Names,
  wanted: Readonly<Record<string, string>> | undefined,
  forced: Readonly<Record<string, string>> | undefined,
): Decisions<B> {
  const decided: Record<string, string> = {};
  const draws = instance.with(['branch']);
  for (const branch in scenario.branches) {
    const outcomes = scenario.branches[branch] as B[typeof branch];
    decided[branch] = wanted?.[branch] ?? forced?.[branch] ?? draws.stream(branch).weighted(outcomes);
  }
  return decided as Decisions<B>;
}

function schedule<Cell>(queue: TimerQueue, at: Instant, thread: Thread<Cell>): void {
  const { cell } = thread.instance;
  thread.timer = cell.timers++;
  thread.at = at;
  cell.waiting.push(thread);
  queue.push(at, cell.rank, cell.index, thread.timer);
}

function nextStep<Cell>(thread: Thread<Cell>, count: number): Step | undefined {
  const { instance, steps } = thread;
  if (count >= stepsPerInstant) {
    throw new BusbarError(
      'scenario-failed',
      `${where(instance)} took ${stepsPerInstant} steps at one instant. Put a "yield* after(...)" into its loop.`,
    );
  }
  try {
    const { done, value } = steps.next();
    return done ? undefined : value;
  } catch (error) {
    if (error instanceof BusbarError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BusbarError('scenario-failed', `${where(instance)} threw: ${reason}`, { cause: error });
  }
}

function where<Cell>({ name, cell, context: { now }, step }: Instance<Cell>): string {
  const after = step === '' ? '' : `, after step "${step}",`;
  return `Scenario instance "${name}" in cell ${cell.index} at ${formatInstant(now)}${after}`;
}
