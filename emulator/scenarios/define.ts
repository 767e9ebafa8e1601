import {
  boolean,
  callback,
  checkOptions,
  choice,
  nonEmptyText,
  number,
  objectWith,
  type OptionTable,
  text,
} from 'busbar/base';
import type { EventType, PayloadOf, VersionOf } from 'busbar/catalogue';
import {
  type Branches,
  occur,
  type Occurrence,
  type Scenario,
  type ScenarioContext,
  type Steps,
} from '../engine/scenario.js';
import type { Instant } from '../engine/time.js';
import type { Household } from '../world/billing/payments.js';
import type { Cell, CellKind } from '../world/cell.js';
import { cellKinds } from '../world/mix.js';

/** A scenario of the platform, which runs in a cell: one simulated customer and its data. */
export interface PlatformScenario<B extends Branches = Branches, Input = unknown>
  extends Scenario<Cell, B, Input> {
  /** The kind of cell that it runs in. Default `household`. */
  readonly setting?: CellKind;
  /** Whether it acts on the account on supply. A start for an account whose supply starts later is refused. Default false. */
  readonly needsSupply?: boolean;
  /** Starts in a population per day and 100,000 accounts. Default 0: it starts only by name. */
  readonly rate?: number;
  /** Days before the run in which instances in a population begin that are under way at its start. Default 0. */
  readonly lead?: number;
  /**
   * Day of the month on which it starts in a population, once in every cell of its kind, instead of at a rate. Months
   * without that day are skipped: 28 is the last day that all months have.
   */
  readonly dayOfMonth?: (cell: Pick<Cell, 'seed' | 'index'>) => number;
  /**
   * Whether a scenario with a day of the month starts in a cell in a month, which is 12 times the year plus 0 to 11. The
   * number of the instance is that of its month. Default: in each month.
   */
  readonly isDue?: (cell: Pick<Cell, 'seed' | 'index'>, month: number) => boolean;
  /** The rest of an instance from before the run, for a scenario with a day of the month. */
  readonly continued?: {
    /** Returns the first instant of the run at which the instance of a month does something, if it does. */
    readonly at: (cell: Household, month: number) => Instant | undefined;
    readonly run: (context: ScenarioContext<Cell, Branches>) => Steps;
  };
}

/** Context of the parts of scenarios that do not depend on their branches. */
export type Context = ScenarioContext<Cell, Branches>;

/** Days before the run from which the starts of a population are counted. */
export const maxLead = 400;

const scenarioOptions = {
  name: { type: nonEmptyText, isRequired: true },
  title: { type: text, isRequired: true },
  description: { type: text, isRequired: true },
  branches: { type: objectWith('an object with the outcomes of each branch'), isRequired: true },
  starts: { type: nonEmptyText },
  calendar: { type: objectWith('a calendar', 'dayAt', 'next') },
  parseInput: { type: callback },
  run: { type: callback, isRequired: true },
  setting: { type: choice(...cellKinds), default: 'household' },
  needsSupply: { type: boolean, default: false },
  rate: { type: number({ from: 0 }), default: 0 },
  lead: { type: number({ from: 0, to: maxLead }), default: 0 },
  dayOfMonth: { type: callback },
  isDue: { type: callback },
  continued: { type: objectWith('an object with functions', 'at', 'run') },
} satisfies OptionTable<PlatformScenario>;

/** Options of `emit`. */
export interface EmitOptions {
  /** Partition key: the entity whose events must stay in order. */
  readonly key: string;
}

/**
 * Defines a scenario. It declares its branches with their likelihoods; `run` gets their outcomes as `branch`.
 * @throws BusbarError `invalid-option`
 * @example
 * export const surprise = defineScenario({
 *   name: 'surprise',
 *   title: 'An account is found occupied',
 *   description: 'Somebody moved in without telling anyone.',
 *   branches: { told: { late: 0.9, never: 0.1 } },
 *   *run({ cell, branch }) {
 *     const { number } = cell.account;
 *     yield* after({ days: 1 }, { days: 9 }, 'office');
 *     if (branch.told === 'late') {
 *       yield* emit('account.occupied', 'v1', { account_number: number }, { key: number });
 *     }
 *   },
 * });
 */
export function defineScenario<const B extends Branches, Input = unknown>(
  scenario: PlatformScenario<B, Input>,
): PlatformScenario<B, Input> {
  checkOptions<PlatformScenario<B, Input>>('defineScenario()', scenarioOptions, scenario);
  return scenario;
}

/** Emits the events of a change, or an event of the catalogue with your own payload. */
export function emit(change: Occurrence): Steps;
export function emit<T extends EventType, V extends VersionOf<T>>(
  type: T,
  version: V,
  payload: PayloadOf<T, V>,
  options: EmitOptions,
): Steps;
export function emit(
  ...args: [Occurrence] | [type: string, version: string, payload: unknown, options: EmitOptions]
): Steps {
  if (args.length === 1) return occur(args[0]);
  const [type, version, payload, { key }] = args;
  return occur({ type, key, versions: [{ version, payload }] });
}
