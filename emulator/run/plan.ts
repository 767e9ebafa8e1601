import { BusbarError } from '../../src/base/errors.js';
import { london } from '../engine/calendar.js';
import { type Ordering, ordering } from '../engine/identity.js';
import {
  type Idle,
  type Occurred,
  simulate,
  type SimulationOptions,
  type Start,
} from '../engine/simulation.js';
import type { Instant } from '../engine/time.js';
import type { Moment } from '../invariants/world-truth.js';
import type { PlatformScenario } from '../scenarios/define.js';
import { everyday, findScenario, forceBranches } from '../scenarios/find.js';
import { scenarios } from '../scenarios/index.js';
import { type Cell, openCell, type Setting, type World } from '../world/cell.js';
import { cellsPerWorld, identifiers, platformCell } from '../world/identifiers.js';
import type { FaultMask } from './faults/decide.js';
import type { SentVersions } from './encode.js';
import type { Faults } from './faults/settings.js';
import { type Input, Inputs } from './inputs.js';
import { lateStarts } from './late-starts.js';
import { merge, played, withLate } from './merge-starts.js';
import { settingOf } from './cell-settings.js';
import { OutcomeCount } from './outcome-count.js';
import { populationStarts } from './population.js';
import { bucketOf, type Shard, shardFilter } from './shard.js';
import { instanceStarts } from './starts.js';
import { readVariations, type Variation } from './vary/variations.js';
import { varyOrdering } from './vary/vary.js';

/** What a run plays: everything that its bytes depend on, and nothing else. */
export interface PlanOptions {
  /**
   * What happens: names of built-in scenarios, scenarios made with `defineScenario` or paths of files that export them
   * (`./my-scenario.ts`), or `everyday`: all of them, each at its usual rate, in a population; endless. Default nothing
   * but what comes in from outside.
   */
  readonly scenario?: string | PlatformScenario | readonly (string | PlatformScenario)[] | undefined;
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
  /** What came into an earlier run from outside, to come in again: its log. Default nothing. */
  readonly inputs?: readonly Input[];
}

/** A run that has not begun. */
export interface Plan {
  readonly ordering: Ordering;
  /** What will occur, in order; nothing happens before it is asked for. */
  readonly occurrences: Iterable<Occurred>;
  /** How often each outcome has been taken so far: `house-move occupier=unknown`. */
  readonly branches: ReadonlyMap<string, number>;
}

/** A run that things can come into. It never ends, but idles. */
export interface OpenPlan extends Omit<Plan, 'occurrences'> {
  readonly occurrences: Iterable<Occurred | Idle>;
  readonly inputs: Inputs;
  readonly cells: CellDirectory;
}

/** Where in the world things are. */
export interface CellDirectory {
  /** The cell that a prefixed number belongs to, if it is one that the run plays. */
  of(number: string): number | undefined;
  /** Whether the run plays that cell. */
  readonly isKnown: (cell: number) => boolean;
  /** The number of the cell's first account. */
  firstAccount(cell: number): string;
  /** A cell that nothing has happened in yet; for the platform's own scenarios, the platform's. */
  fresh(setting: Setting | undefined): number;
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
  const { simulation, taken } = closed(options);
  const occurrences = simulate({ ...simulation, ...memory });
  return { ordering: simulation.ordering, occurrences, branches: taken };
}

/** As {@link planRun}, for a run that things can come into from outside. */
export function planOpenRun(options: PlanOptions): OpenPlan {
  const { start = defaultStart, inputs: log = [] } = options;
  const { simulation, taken, startOf, cells } = simulationOf(options);
  const inputs = new Inputs({ start, until: simulation.until, logged: log, startOf });
  return {
    ordering: simulation.ordering,
    occurrences: simulate({ ...simulation, live: inputs }),
    branches: taken,
    inputs,
    cells: cells(inputs),
  };
}

/**
 * What will occur, each time with the cell as it is then, which the invariants that need to know the world look at.
 * @throws BusbarError as `planRun` does.
 */
export function* historyOf(options: PlanOptions): Generator<Moment, void, void> {
  const { simulation } = closed(options);
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
 * A cell as it is at a virtual instant of the run, whose log of inputs is among the options: just after the last event
 * that it had by then. Nothing is kept for this: the cell's own history is played again, which no other cell has a part
 * in.
 * @throws BusbarError as `planRun` does.
 */
export function cellAt(options: PlanOptions, cell: number, at: Instant): Cell {
  return cellHistory(options, cell, at).cell;
}

/** A cell as {@link cellAt} has it, with all that has occurred in it by then. */
export function cellHistory(
  options: PlanOptions,
  cell: number,
  at: Instant,
): { readonly cell: Cell; readonly occurred: readonly Occurred[] } {
  const history = () => {
    const { simulation, open } = closed(options, { cell, until: at + 1 });
    let state: Cell | undefined;
    const openCell = (start: Start<Cell, PlatformScenario>) => (state = simulation.openCell(start));
    return { occurrences: simulate({ ...simulation, openCell }), state: () => state ?? open(cell) };
  };
  const occurred = [...history().occurrences];
  // Whoever asks what comes after an event makes the scenario go on, and change what it changes next.
  const { occurrences, state } = history();
  for (const _ of occurred) occurrences.next();
  return { cell: state(), occurred };
}

/** Whether the run plays that cell: something was planned for it, or has come to it. @throws BusbarError as `planRun` does. */
export function knowsCell(options: PlanOptions, cell: number): boolean {
  return simulationOf(options, { cell, until: -Infinity }).isKnown(cell, options.inputs ?? []);
}

/** A run without an open end: what the log of inputs says comes in is as good as planned. */
function closed(options: PlanOptions, part?: Part) {
  const plan = simulationOf(options, part);
  const starts = withLate(plan.simulation.starts, plan.logged());
  return { ...plan, simulation: { ...plan.simulation, starts } };
}

/**
 * What occurs in one cell of the run before an instant.
 * @throws BusbarError as `planRun` does.
 */
export function playCell(
  options: PlanOptions,
  cell: number,
  until: Instant,
): Pick<Plan, 'ordering' | 'occurrences'> {
  const { simulation } = closed(options, { cell, until });
  return { ordering: simulation.ordering, occurrences: simulate(simulation) };
}

/** One cell of a run, before an instant. A lookup plays no more: nothing may ever happen in the cell after that. */
interface Part {
  readonly cell: number;
  readonly until: Instant;
}

/** Everything that a run, or a part of it, is played from. */
function simulationOf(options: PlanOptions, part?: Part) {
  const { seed = 1, instances = 1, accounts = 1000, start = defaultStart, branches = {} } = options;
  const named = [options.scenario ?? []].flat();
  const isPopulated = named.includes(everyday);
  const wanted = named
    .filter((each) => each !== everyday)
    .map((each) => (typeof each === 'string' ? findScenario(each) : each));
  const population = isPopulated ? accounts : 0;
  requireWhole(
    'instances',
    instances,
    1,
    Math.floor((cellsPerWorld - 1 - population) / Math.max(1, wanted.length)),
  );

  const world: World = { seed, identifiers: identifiers(seed), today: london.dayAt(start) };
  const inShard = part === undefined ? shardFilter(options.shard) : inBucketOf(part.cell);
  const isPlayed = (cell: number) => (part === undefined ? inShard(cell) : cell === part.cell);
  const until = Math.min(endOf(start, options), part?.until ?? Infinity);
  const varied = readVariations(options.vary ?? []);
  const plain = ordering(seed, options.runId);
  const order = varied.has('order') ? varyOrdering(plain, seed) : plain;
  const outcomes = new OutcomeCount();
  /** The first cell that nothing is planned for. */
  const firstFree = population + 1 + instances * wanted.length;
  const settings = new Map<number, Setting | undefined>();
  const settingAt = (cell: number): Setting => {
    if (isPopulated && cell <= population) return settingOf(seed, cell);
    if (cell === platformCell) return 'platform';
    if (cell >= firstFree) return settings.get(cell) ?? 'household';
    return wanted[(cell - population - 1) % wanted.length]?.setting ?? 'household';
  };
  const open = (cell: number) => openCell(world, cell, settingAt(cell));
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
        isPopulated ? populationStarts({ seed, start, until, accounts, scenarios, inShard }) : [],
      ),
      until,
      isPlayed,
    ),
    openCell: ({ cell }: Start<Cell, PlatformScenario>) => open(cell),
    forced: forceBranches(isPopulated ? scenarios : wanted, branches),
    decided(scenario: string, decisions: Readonly<Record<string, string>>) {
      outcomes.add(scenario, decisions);
    },
  };
  const startOf = lateStarts({
    scenarioOf: (name) => wanted.find((each) => each.name === name) ?? findScenario(name),
    isPlayed,
    settingFor(cell, scenario) {
      // What comes first to a cell that nothing was planned for says what it is.
      if (cell >= firstFree && !settings.has(cell)) settings.set(cell, scenario.setting);
      return settingAt(cell);
    },
  });
  /** What the log starts, in order. */
  const logged = () =>
    (options.inputs ?? [])
      .toSorted((one, other) => one.at - other.at || one.nth - other.nth)
      .map(startOf)
      .filter((each) => each !== undefined)
      .filter((each) => each.at < until);
  const isKnown = (cell: number, log: readonly Input[]) =>
    cell >= 0 &&
    isPlayed(cell) &&
    (cell < firstFree || log.some((input) => 'cell' in input && input.cell === cell));
  const cells = ({ log }: Inputs): CellDirectory => {
    return {
      isKnown: (cell) => isKnown(cell, log),
      of(number) {
        const cell = world.identifiers.cellOf(number);
        return cell !== undefined && isKnown(cell, log) ? cell : undefined;
      },
      firstAccount: (cell) => world.identifiers.number('account', cell, 0),
      fresh(setting) {
        if (setting === 'platform') return platformCell;
        let cell = log.reduce(
          (last, input) => ('cell' in input ? Math.max(last, input.cell + 1) : last),
          firstFree,
        );
        while (!isPlayed(cell)) cell++;
        if (cell < cellsPerWorld) return cell;
        throw new BusbarError('capacity-exceeded', 'Every household of the world is taken. Reset the run.');
      },
    };
  };
  return { simulation, taken: outcomes.taken, open, startOf, logged, isKnown, cells };
}

function endOf(start: number, { until, duration }: PlanOptions): number {
  const end = until ?? (duration === undefined ? Infinity : start + duration);
  if (end > start) return end;
  throw new BusbarError('invalid-option', 'A run must end after it begins: see "until" and "duration".');
}

function inBucketOf(cell: number): (other: number) => boolean {
  return (other) => bucketOf(other) === bucketOf(cell);
}

function requireWhole(option: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  const message = `Option "${option}" must be a whole number from ${least} to ${most}, not ${value}.`;
  throw new BusbarError('invalid-option', message);
}
