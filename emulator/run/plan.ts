import { BusbarError } from '../../src/errors.js';
import { london } from '../engine/calendar.js';
import { type Ordering, ordering } from '../engine/identity.js';
import { instantPace, linearPace, type Pace, ratePace, storyPace } from '../engine/pacing.js';
import { type Occurred, simulate, type SimulationOptions, type Start } from '../engine/simulation.js';
import type { Instant } from '../engine/time.js';
import type { Moment } from '../invariants/world-truth.js';
import type { PlatformScenario } from '../scenarios/define.js';
import { everyday, findScenario, forceBranches } from '../scenarios/find.js';
import { scenarios } from '../scenarios/index.js';
import { type Cell, openCell, type World } from '../world/cell.js';
import { cellsPerWorld, identifiers } from '../world/identifiers.js';
import type { FaultMask } from './faults/decide.js';
import type { SentVersions } from './encode.js';
import type { Faults } from './faults/settings.js';
import { populationStarts, settingOf } from './population.js';
import { bucketOf, type Shard, shardFilter } from './shard.js';
import { instanceStarts } from './starts.js';
import { readVariations, type Variation } from './vary/variations.js';
import { varyOrdering } from './vary/vary.js';

/** What a run plays: everything that its bytes depend on, and nothing else. */
export interface PlanOptions {
  /**
   * What happens: names of built-in scenarios, scenarios made with `defineScenario` or paths of files that export them
   * (`./my-scenario.ts`), or `everyday`: all of them, each at its usual rate, in a population; endless.
   */
  readonly scenario: string | PlatformScenario | readonly (string | PlatformScenario)[];
  /** Default 1. The same seed gives the same bytes. */
  readonly seed?: number;
  /** How many of each scenario, each in a household of its own. Default 1. `everyday` has accounts instead. */
  readonly instances?: number;
  /** How large a population `everyday` runs. Default 1,000. */
  readonly accounts?: number;
  /** The virtual instant at which the run begins, in milliseconds since the epoch. Default {@link defaultStart}. */
  readonly start?: number;
  /** Virtual instant at which the run ends, in milliseconds since the epoch. Default: with its last event. */
  readonly until?: number;
  /** How much virtual time the run covers, in milliseconds; instead of `until`. */
  readonly duration?: number;
  /** Outcomes of branches, instead of drawing them: `{ account: 'new' }`. */
  readonly branches?: Readonly<Record<string, string>>;
  /** Salts the event ids, for consumers that remember those of an earlier run. Default none. */
  readonly runId?: string;
  /** Play only this share of the run, `index` from 1 to `count`; the shares of one run, merged by id, are the run. */
  readonly shard?: Shard;
  /**
   * Versions of an occurrence that are sent: `all` that its event type has, side by side (the default), or the `latest`
   * alone. An event has the same id either way.
   */
  readonly versions?: SentVersions;
  /** What goes wrong on the way: `duplicate=1%,reorder=2%:30s`. Default nothing. */
  readonly faults?: Faults;
  /** Leaves single faults out, and changes no other: what looks for the fault that matters needs it. Default none. */
  readonly maskFaults?: FaultMask;
  /** Other legal answers to what the specification leaves open, drawn from the seed. Default none. */
  readonly vary?: readonly Variation[];
}

/** How virtual time passes on the clock on the wall. */
export interface PaceOptions {
  /**
   * `story` (the default) shows every gap in a time that grows with its logarithm, at most five seconds; a number is
   * so many times as fast as the wall clock; `instant` is as fast as the sinks take it.
   */
  readonly speed?: number | 'instant' | 'story';
  /** Events a second, whatever virtual time passes between them; instead of `speed`. */
  readonly rate?: number;
}

/** A run that has not begun. */
export interface Plan {
  readonly ordering: Ordering;
  /** What will occur, in order; nothing happens before it is asked for. */
  readonly occurrences: Iterable<Occurred>;
  /** How often each outcome has been taken so far: `house-move occupier=unknown`. */
  readonly branches: ReadonlyMap<string, number>;
}

/** Monday 2 March 2026, 09:00 in London: a working day four weeks before summer time. */
export const defaultStart = Date.UTC(2026, 2, 2, 9);

/**
 * @param memory `awakeCells`: about how many cells are kept in memory, which changes nothing that occurs
 * @throws BusbarError for a scenario, branch or option that does not exist or cannot be.
 */
export function planRun(
  options: PlanOptions,
  memory: Pick<SimulationOptions<Cell>, 'awakeCells'> = {},
): Plan {
  const { simulation, taken } = simulationOf(options);
  const occurrences = simulate({ ...simulation, ...memory });
  return { ordering: simulation.ordering, occurrences, branches: taken };
}

/**
 * What will occur, each time with the cell as it is then, which the invariants that need to know the world look at.
 * @throws BusbarError as `planRun` does.
 */
export function* historyOf(options: PlanOptions): Generator<Moment, void, void> {
  const { simulation } = simulationOf(options);
  // The simulation holds a cell as long as something can happen to it; nobody else should.
  const cells = new Map<number, WeakRef<Cell>>();
  const openCell = (start: Start<Cell, PlatformScenario>) => {
    const cell = simulation.openCell(start);
    cells.set(start.cell, new WeakRef(cell));
    return cell;
  };
  for (const { at, cell, occurrence } of simulate({ ...simulation, openCell })) {
    const state = cells.get(cell)?.deref();
    if (state !== undefined) yield { at, occurrence, cell: state };
  }
}

/**
 * A cell as it is at a virtual instant of the run: just after the last event that it had by then. Nothing is kept for
 * this: the cell's own history is played again, which no other cell has a part in.
 * @throws BusbarError as `planRun` does.
 */
export function cellAt(options: PlanOptions, cell: number, at: Instant): Cell {
  const until = Math.min(at + 1, options.until ?? Infinity);
  if (until <= (options.start ?? defaultStart)) return simulationOf(options, cell).open(cell);
  const history = () => {
    const { simulation, open } = simulationOf({ ...options, until }, cell);
    let state: Cell | undefined;
    const openCell = (start: Start<Cell, PlatformScenario>) => (state = simulation.openCell(start));
    return { occurrences: simulate({ ...simulation, openCell }), state: () => state ?? open(cell) };
  };
  let events = 0;
  for (const _ of history().occurrences) events++;
  // Whoever asks what comes after an event makes the scenario go on, and change what it changes next.
  const { occurrences, state } = history();
  for (; events > 0; events--) occurrences.next();
  return state();
}

/** Cells that the run plays in: the platform's own is 0. @throws BusbarError as `planRun` does. */
export function cellCount(options: PlanOptions): number {
  return simulationOf(options, 0).cells;
}

/**
 * What occurs in one cell of the run, from its beginning on.
 * @throws BusbarError as `planRun` does.
 */
export function playCell(options: PlanOptions, cell: number): Pick<Plan, 'ordering' | 'occurrences'> {
  const { simulation } = simulationOf(options, cell);
  return { ordering: simulation.ordering, occurrences: simulate(simulation) };
}

/** Everything that a run is played from; of one cell only, where it is named. */
function simulationOf(options: PlanOptions, only?: number) {
  const { seed = 1, instances = 1, accounts = 1000, start = defaultStart, branches = {} } = options;
  requireWhole('seed', seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  requireWhole('start', start, 0, Date.UTC(2100, 0, 1));
  const named = [options.scenario].flat();
  if (named.length === 0) throw new BusbarError('invalid-option', 'A run needs at least one scenario.');
  const isPopulated = named.includes(everyday);
  const wanted = named
    .filter((each) => each !== everyday)
    .map((each) => (typeof each === 'string' ? findScenario(each) : each));
  requireWhole('accounts', accounts, 1, cellsPerWorld - 1);
  const population = isPopulated ? accounts : 0;
  requireWhole(
    'instances',
    instances,
    1,
    Math.floor((cellsPerWorld - 1 - population) / Math.max(1, wanted.length)),
  );

  const world: World = { seed, identifiers: identifiers(seed), today: london.dayAt(start) };
  const inShard = only === undefined ? shardFilter(options.shard) : inBucketOf(only);
  const isPlayed = (cell: number) => (only === undefined ? inShard(cell) : cell === only);
  const until = endOf(start, options);
  const varied = readVariations(options.vary ?? []);
  const plain = ordering(seed, options.runId);
  const order = varied.has('order') ? varyOrdering(plain, seed) : plain;
  const taken = new Map<string, number>();
  const open = (cell: number) =>
    openCell(
      world,
      cell,
      isPopulated && cell <= population ? settingOf(seed, cell) : settingOfInstance(cell - population - 1),
    );
  /** Instances take the scenarios in turn. */
  const settingOfInstance = (index: number) => wanted[index % wanted.length]?.setting;
  const simulation = {
    seed,
    until,
    ordering: order,
    calendar: london,
    starts: played(
      merge(
        instanceStarts({
          seed,
          start,
          calendar: london,
          scenarios: wanted,
          instances,
          firstCell: population + 1,
        }),
        isPopulated ? populationStarts({ seed, start, accounts, scenarios, inShard }) : [],
      ),
      until,
      isPlayed,
    ),
    openCell: ({ cell }: Start<Cell, PlatformScenario>) => open(cell),
    forced: forceBranches(isPopulated ? scenarios : wanted, branches),
    decided(scenario: string, decisions: Readonly<Record<string, string>>) {
      for (const [branch, outcome] of Object.entries(decisions)) {
        const name = `${scenario} ${branch}=${outcome}`;
        taken.set(name, (taken.get(name) ?? 0) + 1);
      }
    },
  };
  return { simulation, taken, open, cells: 1 + population + instances * wanted.length };
}

/** @throws BusbarError `invalid-option` */
export function paceOf({ speed = 'story', rate }: PaceOptions): Pace {
  if (rate !== undefined) return ratePace(positive('rate', rate));
  if (speed === 'instant') return instantPace;
  if (speed === 'story') return storyPace;
  return linearPace(positive('speed', speed));
}

function endOf(start: number, { until, duration }: PlanOptions): number {
  const end = until ?? (duration === undefined ? Infinity : start + duration);
  if (end > start) return end;
  throw new BusbarError('invalid-option', 'A run must end after it begins: see "until" and "duration".');
}

/** Both in one, by instant. */
function* merge<T extends { readonly at: number }>(
  one: Iterable<T>,
  other: Iterable<T>,
): Generator<T, void, void> {
  const others = other[Symbol.iterator]();
  let next = others.next();
  for (const each of one) {
    for (; !next.done && next.value.at < each.at; next = others.next()) yield next.value;
    yield each;
  }
  for (; !next.done; next = others.next()) yield next.value;
}

/** Those before the end, in the cells that are played. Without an end a search for one cell's next start is endless. */
function* played<T extends { readonly at: number; readonly cell: number }>(
  starts: Iterable<T>,
  until: Instant,
  isPlayed: (cell: number) => boolean,
): Generator<T, void, void> {
  for (const start of starts) {
    if (start.at >= until) return;
    if (isPlayed(start.cell)) yield start;
  }
}

function inBucketOf(cell: number): (other: number) => boolean {
  return (other) => bucketOf(other) === bucketOf(cell);
}

function positive(option: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return value;
  throw new BusbarError('invalid-option', `Option "${option}" must be greater than 0, not ${value}.`);
}

function requireWhole(option: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const message = `Option "${option}" must be a whole number from ${least} to ${most}, not ${value}.`;
  throw new BusbarError('invalid-option', message);
}
