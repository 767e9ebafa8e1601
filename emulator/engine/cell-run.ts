import { BusbarError } from '../../src/base/errors.js';
import type { Calendar } from './calendar.js';
import { type Names, names } from './random.js';
import type { Branches, Decisions, Occurrence, Scenario, Stage, Step, Steps } from './scenario.js';
import { formatInstant, type Instant } from './time.js';
import type { Wake, WakeQueue } from './wake-queue.js';

/** One cell being played. */
export interface CellRun<Cell> {
  readonly index: number;
  /** See `Ordering.placeOf`. */
  readonly place: number;
  readonly state: Cell;
  /** Instant of the last occurrence. */
  lastAt: Instant;
  events: number;
  /** Wakes that were scheduled so far: they number those of the cell. */
  wakes: number;
  /** Threads that wait, in no order: mostly one or two. */
  readonly waiting: Thread<Cell>[];
  /** Instances that have begun. */
  starts: number;
  /** Instances under way. */
  instances: number;
  /** A later start is planned, and will need the state. */
  returns: boolean;
}

/** An occurrence with its place in the run. */
export interface Occurred {
  readonly at: Instant;
  readonly cell: number;
  /** See `Ordering.placeOf`. */
  readonly place: number;
  /** Number in the cell of the first version; the others follow. */
  readonly number: number;
  /** `house-move#1` */
  readonly instance: string;
  readonly step: string;
  /** What was decided for the instance. */
  readonly branches: Readonly<Record<string, string>>;
  readonly occurrence: Occurrence;
}

/** An instance that begins. */
export interface Beginning<S> {
  readonly at: Instant;
  readonly scenario: S;
  readonly ordinal: number;
  readonly last: boolean;
  /** Outcomes that this instance takes instead of drawing them. */
  readonly branches?: Readonly<Record<string, string>> | undefined;
  /** What whoever started it from outside has said; `stage.input`. */
  readonly input?: unknown;
}

/** What an instance begins with, beside its cell. */
export interface Conditions {
  readonly seed: number;
  readonly calendar: Calendar;
  readonly forced?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A cell to which nothing has happened. */
export function newCellRun<Cell>(index: number, place: number, state: Cell): CellRun<Cell> {
  return {
    index,
    place,
    state,
    lastAt: -1,
    events: 0,
    wakes: 0,
    waiting: [],
    starts: 0,
    instances: 0,
    returns: true,
  };
}

/** Puts an instance into the cell and answers how its branches were decided. */
export function enter<Cell, S extends Scenario<Cell>>(
  cell: CellRun<Cell>,
  { at, scenario, ordinal, last, branches, input }: Beginning<S>,
  queue: WakeQueue,
  { seed, calendar: usual, forced }: Conditions,
): Readonly<Record<string, string>> {
  const calendar = scenario.calendar ?? usual;
  cell.starts++;
  cell.instances++;
  cell.returns = !last;
  const own = names(seed, cell.index, scenario.name, ordinal);
  const name = `${scenario.name}#${ordinal}`;
  const branch = decide(scenario, outcomesOf(forced?.[scenario.name], branches), own);
  const stage = { cell: cell.state, branch, random: own.stream(), calendar, input, now: at };
  const instance = { name, cell, stage, step: '' };
  const steps = scenario.run(stage);
  schedule(queue, at, { instance, steps, parent: undefined, wake: -1, at, children: 0, pending: undefined });
  return branch;
}

/** The instant at which the first of its threads goes on. */
export function nextWake<Cell>({ waiting }: CellRun<Cell>): Instant {
  let next = Infinity;
  for (const { at } of waiting) if (at < next) next = at;
  return next;
}

/** The thread whose wake has come. */
export function awaken<Cell>(cell: CellRun<Cell>, { at, number }: Wake): Thread<Cell> {
  const { waiting } = cell;
  const found = waiting.findIndex(({ wake }) => wake === number);
  const thread = waiting[found] as Thread<Cell>;
  const last = waiting.pop() as Thread<Cell>;
  if (last !== thread) waiting[found] = last;
  thread.instance.stage.now = at;
  return thread;
}

/** Runs a thread until something occurs, which is returned, or until it waits, ends, or hands over to others. */
export function advance<Cell>(thread: Thread<Cell>, queue: WakeQueue): Occurred | undefined {
  const { instance } = thread;
  const { cell, stage } = instance;
  const { now } = stage;

  for (let taken = 0; ; taken++) {
    const step = thread.pending ?? nextStep(thread, taken);
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
        for (const steps of step.threads) {
          schedule(queue, now, {
            instance,
            steps,
            parent: thread,
            wake: -1,
            at: now,
            children: 0,
            pending: undefined,
          });
        }
        return undefined;
      case 'wait': {
        const at = Math.ceil(step.until(stage));
        if (at <= now) break;
        if (Number.isNaN(at)) {
          throw new BusbarError(
            'scenario-failed',
            `${where(instance)} waits for what is not a number. Look at the times that it waits for.`,
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
        const { index, place } = cell;
        return {
          at: now,
          cell: index,
          place,
          number,
          instance: instance.name,
          step: name,
          branches: stage.branch,
          occurrence,
        };
      }
    }
  }
}

interface Instance<Cell> {
  readonly name: string;
  readonly cell: CellRun<Cell>;
  /** What the scenario acts with; time passes on it. */
  readonly stage: Omit<Stage<Cell, Branches>, 'now'> & { now: Instant };
  /** Of its last occurrence, for error messages. */
  step: string;
}

interface Thread<Cell> {
  readonly instance: Instance<Cell>;
  readonly steps: Steps;
  readonly parent: Thread<Cell> | undefined;
  /** Number of the wake that it waits for, and its instant. */
  wake: number;
  at: Instant;
  /** Threads that it waits for. */
  children: number;
  /** A step that was asked for and had to wait. */
  pending: Step | undefined;
}

/** A scenario that takes more steps than this at one instant will never end. */
const stepsPerInstant = 100_000;

/** The outcomes of an instance: each decision has a random stream of its own, so that forcing one moves no other. */
function decide<B extends Branches>(
  scenario: Scenario<never, B>,
  forced: Readonly<Record<string, string>>,
  instance: Names,
): Decisions<B> {
  const decided: Record<string, string> = {};
  const draws = instance.with(['branch']);
  for (const branch in scenario.branches) {
    const outcomes = scenario.branches[branch] as B[typeof branch];
    decided[branch] = forced[branch] ?? draws.stream(branch).weighted(outcomes);
  }
  return decided as Decisions<B>;
}

/** What is forced on all instances of a scenario, and on this one before all. Mostly nothing is. */
function outcomesOf(
  all: Readonly<Record<string, string>> | undefined,
  own: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> {
  return own === undefined ? (all ?? {}) : { ...all, ...own };
}

function schedule<Cell>(queue: WakeQueue, at: Instant, thread: Thread<Cell>): void {
  const { cell } = thread.instance;
  thread.wake = cell.wakes++;
  thread.at = at;
  cell.waiting.push(thread);
  queue.push(at, cell.place, cell.index, thread.wake);
}

function nextStep<Cell>(thread: Thread<Cell>, taken: number): Step | undefined {
  const { instance, steps } = thread;
  if (taken >= stepsPerInstant) {
    throw new BusbarError(
      'scenario-failed',
      `${where(instance)} took ${stepsPerInstant} steps without letting time pass. Put a "yield* after(...)" into its loop.`,
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

function where<Cell>({ name, cell, stage: { now }, step }: Instance<Cell>): string {
  const after = step === '' ? '' : `, after step "${step}",`;
  return `Scenario instance "${name}" in cell ${cell.index} at ${formatInstant(now)}${after}`;
}
