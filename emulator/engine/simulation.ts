import { BusbarError } from '../../src/errors.js';
import type { Calendar } from './calendar.js';
import { Heap } from './heap.js';
import type { Ordering } from './identity.js';
import { type RandomStream, randomStream } from './random.js';
import type { Branches, Decisions, Occurrence, Scenario, Step, Steps } from './scenario.js';
import { formatInstant, type Instant } from './time.js';

/** A scenario that begins at an instant in a cell. */
export interface Start<Cell, S extends Scenario<Cell> = Scenario<Cell>> {
  readonly at: Instant;
  readonly cell: number;
  readonly scenario: S;
  /** Tells the instances of the scenario in the cell apart; from 1, growing. */
  readonly ordinal: number;
  /** No later start concerns the cell: its state can go when its instances have ended. */
  readonly last: boolean;
}

export interface SimulationOptions<Cell, S extends Scenario<Cell> = Scenario<Cell>> {
  readonly seed: number;
  readonly ordering: Ordering;
  readonly calendar: Calendar;
  /** Sorted by instant. Read one ahead, so that a million starts cost nothing. */
  readonly starts: Iterable<Start<Cell, S>>;
  /** The state of the start's cell before anything happens to it. */
  openCell(start: Start<Cell, S>): Cell;
  /** Nothing occurs at or after this instant. Default: no end. */
  readonly until?: Instant;
  /** Outcomes to take instead of drawing, by scenario, then branch. */
  readonly forced?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Hears of the decisions of every instance that begins. */
  readonly decided?: (scenario: string, decisions: Readonly<Record<string, string>>) => void;
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

/**
 * Plays the starts and yields what occurs, in the order of the run (`Ordering`). Lazy: nothing happens before it is
 * asked for, and what has ended is forgotten.
 * @throws BusbarError `scenario-failed` when a scenario throws or never lets time pass.
 */
export function* simulate<Cell, S extends Scenario<Cell>>(
  options: SimulationOptions<Cell, S>,
): Generator<Occurred, void, void> {
  const cells = new Map<number, CellRun<Cell>>();
  const queue = new Heap<Wake<Cell>>(earlier);
  const schedule = (at: Instant, thread: Thread<Cell>) => {
    const { cell } = thread.instance;
    queue.push({ at, cell, sequence: cell.wakes++, thread });
  };

  const starts = options.starts[Symbol.iterator]();
  let upcoming = starts.next();
  for (;;) {
    let wake = queue.peek();
    while (!upcoming.done && (wake === undefined || upcoming.value.at <= wake.at)) {
      const start = upcoming.value;
      schedule(start.at, enter(start, cells, options));
      upcoming = starts.next();
      wake = queue.peek();
    }
    if (wake === undefined || wake.at >= (options.until ?? Infinity)) return;
    queue.pop();
    const { thread, at, cell } = wake;
    thread.instance.now = at;
    for (let occurred = advance(thread, schedule); occurred !== undefined; ) {
      yield occurred;
      occurred = advance(thread, schedule);
    }
    if (cell.instances === 0 && !cell.returns) cells.delete(cell.index);
  }
}

/** The outcomes of an instance: each decision has a random stream of its own, so that forcing one moves no other. */
export function decide<B extends Branches>(
  scenario: Scenario<never, B>,
  forced: Readonly<Record<string, string>>,
  ...stream: readonly (string | number)[]
): Decisions<B> {
  const decided: Record<string, string> = {};
  for (const [branch, outcomes] of Object.entries(scenario.branches)) {
    decided[branch] = forced[branch] ?? randomStream(...stream, 'branch', branch).weighted(outcomes);
  }
  return decided as Decisions<B>;
}

interface CellRun<Cell> {
  readonly index: number;
  readonly place: number;
  readonly state: Cell;
  /** Instant of the last occurrence. */
  lastAt: Instant;
  events: number;
  wakes: number;
  /** Instances under way. */
  instances: number;
  /** A later start will need the state. */
  returns: boolean;
}

interface Instance<Cell> {
  readonly name: string;
  readonly cell: CellRun<Cell>;
  readonly random: RandomStream;
  readonly calendar: Calendar;
  readonly branches: Readonly<Record<string, string>>;
  now: Instant;
  /** Of its last occurrence, for error messages. */
  step: string;
}

interface Thread<Cell> {
  readonly instance: Instance<Cell>;
  readonly steps: Steps;
  readonly parent: Thread<Cell> | undefined;
  /** Threads that it waits for. */
  children: number;
  /** A step that was asked for and had to wait. */
  pending: Step | undefined;
}

interface Wake<Cell> {
  readonly at: Instant;
  readonly cell: CellRun<Cell>;
  readonly sequence: number;
  readonly thread: Thread<Cell>;
}

/** A scenario that takes more steps than this at one instant will never end. */
const stepsPerInstant = 100_000;

function earlier(a: Wake<unknown>, b: Wake<unknown>): boolean {
  if (a.at !== b.at) return a.at < b.at;
  if (a.cell !== b.cell) return a.cell.place < b.cell.place;
  return a.sequence < b.sequence;
}

function enter<Cell, S extends Scenario<Cell>>(
  start: Start<Cell, S>,
  cells: Map<number, CellRun<Cell>>,
  options: SimulationOptions<Cell, S>,
): Thread<Cell> {
  const { seed, ordering, forced } = options;
  const { scenario } = start;
  const calendar = scenario.calendar ?? options.calendar;
  let cell = cells.get(start.cell);
  if (cell === undefined) {
    const place = ordering.placeOf(start.cell);
    const state = options.openCell(start);
    cell = { index: start.cell, place, state, lastAt: -1, events: 0, wakes: 0, instances: 0, returns: true };
    cells.set(start.cell, cell);
  }
  cell.instances++;
  cell.returns = !start.last;

  const stream = [seed, start.cell, scenario.name, start.ordinal] as const;
  const branch = decide(scenario, forced?.[scenario.name] ?? {}, ...stream);
  const instance: Instance<Cell> = {
    name: `${scenario.name}#${start.ordinal}`,
    cell,
    random: randomStream(...stream),
    calendar,
    branches: branch,
    now: start.at,
    step: '',
  };
  options.decided?.(scenario.name, branch);
  const steps = scenario.run({
    cell: cell.state,
    branch,
    random: instance.random,
    calendar,
    get now() {
      return instance.now;
    },
  });
  return { instance, steps, parent: undefined, children: 0, pending: undefined };
}

/** Runs a thread until something occurs, which is returned, or until it waits, ends, or hands over to others. */
function advance<Cell>(
  thread: Thread<Cell>,
  schedule: (at: Instant, thread: Thread<Cell>) => void,
): Occurred | undefined {
  const { instance } = thread;
  const { cell, now } = instance;

  for (let taken = 0; ; taken++) {
    const step = thread.pending ?? nextStep(thread, taken);
    thread.pending = undefined;
    switch (step?.kind) {
      case undefined: {
        const { parent } = thread;
        if (parent === undefined) cell.instances--;
        else if (--parent.children === 0) schedule(now, parent);
        return undefined;
      }
      case 'together':
        thread.children = step.threads.length;
        if (thread.children === 0) break;
        for (const steps of step.threads) {
          schedule(now, { instance, steps, parent: thread, children: 0, pending: undefined });
        }
        return undefined;
      case 'wait': {
        const at = Math.ceil(step.until(instance));
        if (at <= now) break;
        schedule(at, thread);
        return undefined;
      }
      case 'emit': {
        const { occurrence, name } = step;
        if (now <= cell.lastAt) {
          thread.pending = step;
          schedule(cell.lastAt + 1, thread);
          return undefined;
        }
        const number = cell.events;
        cell.lastAt = now;
        cell.events += occurrence.versions.length;
        instance.step = name;
        const { index, place } = cell;
        const { name: instanceName, branches } = instance;
        return {
          at: now,
          cell: index,
          place,
          number,
          instance: instanceName,
          step: name,
          branches,
          occurrence,
        };
      }
    }
  }
}

function nextStep<Cell>(thread: Thread<Cell>, taken: number): Step | undefined {
  const { instance, steps } = thread;
  const where = () =>
    `Scenario instance "${instance.name}" in cell ${instance.cell.index} at ${formatInstant(instance.now)}` +
    (instance.step === '' ? '' : `, after step "${instance.step}",`);
  if (taken >= stepsPerInstant) {
    throw new BusbarError(
      'scenario-failed',
      `${where()} took ${stepsPerInstant} steps without letting time pass. Put a "yield* after(...)" into its loop.`,
    );
  }
  try {
    const { done, value } = steps.next();
    return done ? undefined : value;
  } catch (error) {
    if (error instanceof BusbarError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new BusbarError('scenario-failed', `${where()} threw: ${reason}`, { cause: error });
  }
}
