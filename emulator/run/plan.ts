import { BusbarError, memoized, Newest, reworded } from 'busbar/base';
import { defaultStart } from '../engine/calendar.js';
import { type Ordering, ordering } from '../engine/identity.js';
import {
  type Idle,
  type OccurredIn,
  simulate,
  type SimulationOptions,
  type Start,
  type TimedOccurrence,
} from '../engine/simulation.js';
import type { Instant } from '../engine/time.js';
import type { PlatformScenario } from '../scenarios/define.js';
import { everyday, findScenario, forceBranches } from '../scenarios/find.js';
import { scenarios } from '../scenarios/index.js';
import { type Account, type Cell, type CellKind, openCell, type World, worldOf } from '../world/cell.js';
import { cellsPerWorld, platformCell } from '../world/identifiers.js';
import type { Household } from '../world/billing/payments.js';
import { Traits } from '../world/traits.js';
import { type MixChanges, readMix } from '../world/read-mix.js';
import { settingOf } from './cell-kinds.js';
import type { SentVersions } from './encode.js';
import type { FaultMask } from './faults/decide.js';
import type { Faults } from './faults/settings.js';
import { inputStarts } from './input-starts.js';
import { type Input, Inputs, type InputStart } from './inputs.js';
import { PlannedStarts } from './planned-starts.js';
import { distanceInGroup, populationStarts } from './population.js';
import { type Shard, shardFilter } from './shard.js';
import { instanceStarts, merge, played, withInputs } from './starts.js';
import { readVariations, type Variation } from './vary/variations.js';
import { varyOrdering } from './vary/vary.js';

/** Content of a run: the options that decide its bytes. */
export interface PlanOptions {
  /**
   * Scenarios: names of built-in scenarios, scenarios made with `defineScenario`, paths of files that export them
   * (`./my-scenario.ts`), or `everyday` for all built-in scenarios at their usual rates in a population, without end.
   * Default none.
   */
  readonly scenario?: string | PlatformScenario | readonly (string | PlatformScenario)[] | undefined;
  /** Further scenarios or their files, which `scenario` and inputs may name. Default none. */
  readonly scenarios?: readonly (string | PlatformScenario)[];
  /** Seed of all random decisions. The same seed gives the same bytes. Default 1. */
  readonly seed?: number;
  /** Number of instances of each scenario, each in its own cell. `everyday` has `accounts` instead. Default 1. */
  readonly instances?: number;
  /** Number of accounts in the population of `everyday`. Default 1,000. */
  readonly accounts?: number;
  /** Number of households that imports and other inputs may add. Whole-number ids depend on it. Default 1,000. */
  readonly room?: number;
  /** Mix of the households: shares in per mille, e.g. `{ taste: { plain: { fixed: 400, variable: 600 } } }`. */
  readonly mix?: MixChanges;
  /** Starts of built-in scenarios a day and 100,000 accounts of `everyday`: `{ 'switch-loss': 40 }`. Default: their usual rates. */
  readonly rates?: Readonly<Record<string, number>>;
  /** Virtual start time, in milliseconds since the epoch. Default {@link defaultStart}. */
  readonly start?: number;
  /** Virtual end time, exclusive, in milliseconds since the epoch. Default: after the last event. */
  readonly until?: number;
  /** Length of the run in milliseconds of virtual time. Replaces `until`. */
  readonly duration?: number;
  /** Outcomes of branches, instead of drawn ones: `{ account: 'new' }`. */
  readonly branches?: Readonly<Record<string, string>>;
  /** Text that changes all event ids, for consumers that remember the ids of an earlier run. Default none. */
  readonly runId?: string;
  /** Share of the run, `index` from 1 to `count`. All shares, merged by event id, give the run. Default: the whole run. */
  readonly shard?: Shard;
  /**
   * Versions of each occurrence that are sent: `all` versions of its event type, or only the `latest`. Event ids don't depend
   * on it. Default `all`.
   */
  readonly versions?: SentVersions;
  /** Faults of the delivery: `duplicate=1%,reorder=2%:30s`. Default none. */
  readonly faults?: Faults;
  /** Filter that leaves out single faults and changes no other. Default none. */
  readonly maskFaults?: FaultMask;
  /** Variations: other legal readings of the specification, drawn by the seed. Default none. */
  readonly vary?: readonly Variation[];
  /** Log of the inputs of an earlier run, which the run repeats. Default none. */
  readonly inputs?: readonly Input[];
}

/** An occurrence in a cell, with the ids of its events. */
export interface TimelineStep extends TimedOccurrence {
  readonly sent: readonly { readonly version: string; readonly id: string }[];
}

/** Outcomes of one instance, instead of those that the run has. */
export interface Instead {
  /** `house-move#1` */
  readonly instance: string;
  readonly branches: Readonly<Record<string, string>>;
}

/** An account, and the cell that it belongs to. */
export interface AccountInCell {
  readonly cell: Cell;
  readonly account: Account;
}

/** Maximum number of cached states of cells, each at one instant. */
const maxCached = 256;

/**
 * Plan of a run, which plays the run and returns the state of any cell at any virtual instant. For a state, the plan replays
 * the cell up to the instant: no cell depends on other cells.
 */
export class Plan {
  readonly seed: number;
  readonly start: Instant;
  /** The run ends before this instant. */
  readonly until: Instant;
  readonly ordering: Ordering;
  /** Past and scheduled inputs. */
  readonly inputs: Inputs;
  readonly world: World;
  /** Scenarios by name or as objects. A population plays all built-in scenarios, too. */
  readonly #scenarios: readonly PlatformScenario[];
  /** Scenarios that are not built in. */
  readonly #known: readonly PlatformScenario[];
  /** Scenarios of a population. */
  readonly #everyday: readonly PlatformScenario[];
  readonly #instances: number;
  /** Cells 1 to this number are a population. */
  readonly #population: number;
  readonly #forced: ReturnType<typeof forceBranches>;
  readonly #inShard: (cell: number) => boolean;
  /** Kinds of unplanned cells, which the first input to each decides. */
  readonly #kinds = new Map<number, CellKind | undefined>();
  readonly #outcomes = new OutcomeCount();
  readonly #cache = new Newest<string, Cell>(maxCached);
  readonly #planned = new PlannedStarts((group) => {
    const apart = distanceInGroup(this.#firstFree - 1);
    return this.#starts(this.until, (cell) => cell % apart === group);
  });

  /** @throws BusbarError for a scenario, branch or option that does not exist or is impossible. */
  constructor(options: PlanOptions) {
    const { seed = 1, instances = 1, accounts = 1000, room, start = defaultStart, branches = {} } = options;
    const named = [options.scenario ?? []].flat();
    const isPopulated = named.includes(everyday);
    this.seed = seed;
    this.start = start;
    this.#population = isPopulated ? accounts : 0;
    this.#instances = instances;
    this.#known = [...named, ...(options.scenarios ?? [])].filter((each) => typeof each !== 'string');
    this.#scenarios = named
      .filter((each) => each !== everyday)
      .map((each) => (typeof each === 'string' ? this.scenarioNamed(each) : each));
    const most = Math.floor((cellsPerWorld - 1 - this.#population) / Math.max(1, this.#scenarios.length));
    if (!(Number.isInteger(instances) && instances >= 1 && instances <= most)) {
      const message = `Option "instances" must be a whole number from 1 to ${most}, not ${instances}.`;
      throw new BusbarError('invalid-option', message);
    }
    const mix = options.mix === undefined ? undefined : readMix(options.mix);
    const size = { seed, start, cells: this.#firstFree - 1, room };
    this.world = { ...worldOf(size), population: this.#population, mix };
    this.#everyday = withRates(options.rates ?? {});
    this.#inShard = shardFilter(options.shard);
    this.until = endOf(start, options);
    const plain = ordering(seed, options.runId);
    this.ordering = readVariations(options.vary ?? []).has('order') ? varyOrdering(plain, seed) : plain;
    this.#forced = forceBranches(isPopulated ? scenarios : this.#scenarios, branches);
    this.inputs = new Inputs({
      start,
      until: this.until,
      logged: options.inputs ?? [],
      isPlayed: this.#inShard,
      startOf: inputStarts(
        (name) => this.scenarioNamed(name),
        (cell, scenario) => this.#settingFor(cell, scenario),
      ),
    });
  }

  /** @throws BusbarError `unknown-scenario` */
  scenarioNamed(name: string): PlatformScenario {
    return findScenario(name, this.#known);
  }

  /** Number of outcomes so far, by name: `house-move occupier=unknown`. */
  get branches(): ReadonlyMap<string, number> {
    return this.#outcomes.counts;
  }

  /**
   * Plays the run lazily. Yields the occurrences in order, each with the state of its cell.
   * @param memory `cachedCells`: approximate number of cells in memory, which changes no occurrence.
   */
  play(memory: Pick<SimulationOptions<Cell>, 'cachedCells'> = {}): Generator<OccurredIn<Cell>, void, void> {
    const inputs = this.inputs.startsBefore(this.until, this.#inShard);
    return simulate({ ...this.#whole(inputs), ...memory });
  }

  /** Plays the run as {@link play} does, but accepts inputs and idles instead of ending. */
  playOpen(): Generator<OccurredIn<Cell> | Idle, void, void> {
    return simulate({ ...this.#whole([]), live: this.inputs });
  }

  /** Returns a cell at a virtual instant, just after its last event until then. */
  cell(index: number, at: Instant): Cell {
    const name = `${index} ${at} ${this.inputs.log.length}`;
    const cell = this.#cache.get(name) ?? this.#playUpTo(index, at);
    this.#cache.set(name, cell);
    return cell;
  }

  /** Yields the occurrences of all cells before an instant, without counting their outcomes. */
  occurrences(until: Instant): Generator<TimedOccurrence, void, void> {
    const end = Math.min(until, this.until);
    const inputs = this.inputs.startsBefore(end, this.#inShard);
    const starts = withInputs(this.#starts(end, this.#inShard), inputs);
    return simulate({ ...this.#simulation(end, starts), from: this.start });
  }

  /** Yields the occurrences of a cell before an instant, the oldest first. `instead` changes nothing in the run. */
  *timeline(index: number, until: Instant, instead?: Instead): Generator<TimelineStep, void, void> {
    for (const occurred of this.#playCell(index, until, instead)()) {
      const { at, rank, number, occurrence } = occurred;
      if (at < this.start) continue;
      const sent = occurrence.versions.map(({ version }, nth) => ({
        version,
        id: this.ordering.eventId(at, rank, number + nth),
      }));
      yield { ...occurred, sent };
    }
  }

  /** Whether the cell has planned starts or inputs, in any share of the run. */
  knows(index: number): boolean {
    return index >= 0 && (index < this.#firstFree || this.inputs.cells.has(index));
  }

  /** Whether this share of the run plays that cell. */
  plays(index: number): boolean {
    return this.knows(index) && this.#inShard(index);
  }

  /** Returns the cell of a number such as `A-1B2C3D4E`, if this share of the run plays it. */
  cellOf(number: string): number | undefined {
    const cell = this.world.identifiers.cellOf(number);
    return cell !== undefined && this.plays(cell) ? cell : undefined;
  }

  /** Returns an account with its cell at a virtual instant, or undefined if the account does not exist then. */
  account(number: string, at: Instant): AccountInCell | undefined {
    const index = this.world.identifiers.cellOf(number);
    if (index === undefined || index === platformCell || !this.knows(index)) return undefined;
    const cell = this.cell(index, at);
    const account = cell.accounts.find((each) => each.number === number);
    return account && { cell, account };
  }

  /** Returns the number of the cell's first account. */
  firstAccount(cell: number): string {
    return this.world.identifiers.number('account', cell, 0);
  }

  /** Returns the instant of an event id, or undefined for an id that the run cannot have. */
  instantOf(eventId: string): Instant | undefined {
    const at = this.ordering.instantOf(eventId);
    return at === undefined || at < this.start ? undefined : at;
  }

  /** Returns an unused cell, or the platform's cell for a scenario of the platform. @throws BusbarError `capacity-exceeded` */
  freshCell(setting: CellKind | undefined): number {
    if (setting === 'platform') return platformCell;
    let cell = this.#firstFree;
    for (const used of this.inputs.cells) cell = Math.max(cell, used + 1);
    while (!this.#inShard(cell)) cell++;
    if (cell < this.world.identifiers.width) return cell;
    const message =
      'The run has no room for another household. Reset the run, or start it with a larger "room".';
    throw new BusbarError('capacity-exceeded', message);
  }

  /** First cell without planned starts. */
  get #firstFree(): number {
    return this.#population + 1 + this.#instances * this.#scenarios.length;
  }

  #whole(inputs: readonly InputStart[]) {
    const decided: SimulationOptions<Cell>['decided'] = (scenario, decisions) =>
      this.#outcomes.add(scenario, decisions);
    const starts = withInputs(this.#starts(this.until, this.#inShard), inputs);
    return { ...this.#simulation(this.until, starts), from: this.start, decided };
  }

  #simulation(until: Instant, starts: Iterable<Start<Cell, PlatformScenario>>) {
    const { seed, ordering: order } = this;
    const open = ({ cell }: Start<Cell, PlatformScenario>) => this.#open(cell);
    return { seed, until, ordering: order, starts, openCell: open, forced: this.#forced };
  }

  /** Returns the planned starts before an instant. @param inShard See {@link populationStarts}. */
  #starts(until: Instant, inShard: (cell: number) => boolean) {
    const { seed, start } = this;
    const instances = instanceStarts({
      seed,
      start,
      scenarios: this.#scenarios,
      instances: this.#instances,
      firstCell: this.#population + 1,
    });
    const accounts = this.#population;
    // Opening a whole cell would take ten times as long.
    const householdIn = (index: number): Household => {
      const traits = new Traits(this.world, index, this.#settingAt(index));
      return {
        seed,
        index,
        setting: traits.setting,
        traits,
        ids: { start },
        parts: [],
      };
    };
    const population =
      accounts > 0
        ? populationStarts({ seed, start, until, accounts, scenarios: this.#everyday, inShard, householdIn })
        : [];
    return played(merge(instances, population), until, inShard);
  }

  /** Returns a function that plays one cell up to an instant, as often as it is called. */
  #playCell(cell: number, before: Instant, instead?: Instead): () => Generator<OccurredIn<Cell>, void, void> {
    const until = Math.min(before, this.until);
    const inputs = this.inputs.startsBefore(until, (other) => other === cell);
    const planned = this.#planned.of(cell, cell % distanceInGroup(this.#firstFree - 1), until);
    const starts = [...withInputs(planned, inputs)].map((start) =>
      `${start.scenario.name}#${start.ordinal}` === instead?.instance
        ? { ...start, branches: { ...start.branches, ...instead.branches } }
        : start,
    );
    return () => simulate(this.#simulation(until, starts));
  }

  #playUpTo(index: number, at: Instant): Cell {
    const play = this.#playCell(index, at + 1);
    let events = 0;
    for (const _ of play()) events++;
    // Reading beyond an event would let the scenario continue and change the state.
    const again = play();
    let state: Cell | undefined;
    for (; events > 0; events--) state = again.next().value?.state;
    return state ?? this.#open(index);
  }

  #open(cell: number): Cell {
    return openCell(this.world, cell, this.#settingAt(cell));
  }

  #settingAt(cell: number): CellKind {
    if (cell === platformCell) return 'platform';
    if (cell <= this.#population) return settingOf(this.seed, cell);
    if (cell >= this.#firstFree) return this.#kinds.get(cell) ?? 'household';
    return this.#scenarios[(cell - this.#population - 1) % this.#scenarios.length]?.setting ?? 'household';
  }

  /** Returns the kind of a cell. The first scenario in an unplanned cell decides its kind. */
  #settingFor(cell: number, scenario: PlatformScenario): CellKind {
    if (cell >= this.#firstFree && !this.#kinds.has(cell)) this.#kinds.set(cell, scenario.setting);
    return this.#settingAt(cell);
  }
}

/** @throws BusbarError `unknown-scenario` */
function withRates(rates: Readonly<Record<string, number>>): readonly PlatformScenario[] {
  for (const name of Object.keys(rates)) {
    try {
      findScenario(name);
    } catch (error) {
      throw reworded(error, (message) => `Option "rates": ${message}`);
    }
  }
  return scenarios.map((scenario) => {
    const rate = rates[scenario.name];
    return rate === undefined ? scenario : { ...scenario, rate };
  });
}

function endOf(start: number, { until, duration }: PlanOptions): number {
  const end = until ?? (duration === undefined ? Infinity : start + duration);
  if (end > start) return end;
  const message = 'A run must end after its start. Correct "until" or "duration".';
  throw new BusbarError('invalid-option', message, { options: ['until', 'duration'] });
}

class OutcomeCount {
  /** Counts by scenario, branch and outcome: `house-move occupier=unknown`. */
  readonly counts = new Map<string, number>();
  /** Makes each name once: making it takes longer than counting, which each start does. */
  readonly #nameOf = memoized((scenario: string) =>
    memoized((branch: string) => memoized((outcome: string) => `${scenario} ${branch}=${outcome}`)),
  );

  add(scenario: string, decisions: Readonly<Record<string, string>>): void {
    for (const branch in decisions) {
      const name = this.#nameOf(scenario)(branch)(decisions[branch] as string);
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    }
  }
}
