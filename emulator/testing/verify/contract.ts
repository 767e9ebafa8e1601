import type { Catalogue } from '../../../catalogue/index.js';
import {
  boolean,
  callback,
  catalogueObject,
  choice,
  listOf,
  nonEmptyText,
  number,
  type OptionTable,
  whole,
} from '../../../src/base/options.js';
import type { BenchWorld, RestApi } from '../bench-world.js';
import type { RunnableConsumer } from '../virtual-run.js';

/**
 * What is verified: a consumer, `{ run }` for the default one, or what makes a fresh one for each exercise. With
 * {@link ContractOptions.reset} it makes one for each simulated restart too; without, it is what empties the state.
 */
export type ConsumerSource =
  | RunnableConsumer
  | ((setup: ContractSetup) => RunnableConsumer | Promise<RunnableConsumer>);

/** What a function that makes consumers is given. */
export interface ContractSetup {
  /** The platform's REST API on the world of what is delivered: one address throughout, listening from the first call on. */
  readonly restApi: () => Promise<RestApi>;
  /**
   * Does nothing, but throws where `swallowed-errors` wants it to: to be called in front of what may fail and cannot be
   * seen from outside, as a query of the database.
   */
  readonly mayFail: () => void;
}

/** What the checks may see of a consumer, and where they look. */
export interface ContractOptions {
  /**
   * The state that effects show in, as data that `structuredClone` takes; compared by deep equality, so what has no
   * order should come sorted, or as a `Map` or `Set`. Default: {@link ContractOptions.projection}.
   */
  readonly observe?: () => unknown;
  /** Empties that state, and the memory for duplicates with it: the same events come again. Default: nothing. */
  readonly reset?: () => void | Promise<void>;
  /** The state that is held against {@link ContractOptions.expected} when a scenario has been played. */
  readonly projection?: () => unknown;
  /** What `projection` should answer, from the truth behind the events. */
  readonly expected?: (world: BenchWorld) => unknown;
  /** Scenarios that are played, built-in or paths of files. Default: those that it takes to see every handled event. */
  readonly scenarios?: readonly string[];
  /** What events there are: the consumer's. Default: the built-in catalogue. */
  readonly catalogue?: Catalogue;
  /** Of samples, scenarios and faults. Default 1. */
  readonly seed?: number;
  /** After how many milliseconds of the wall clock a handler counts as hanging. Default 4,000. */
  readonly patience?: number;
}

/** What a right consumer survives without a trace. */
export const survivableFaults = [
  'duplicate',
  'delay',
  'reorder',
  'burst',
  'extra-field',
  'unknown-event',
  'unknown-version',
  'restart',
] as const;

export type SurvivableFault = (typeof survivableFaults)[number];

/** {@link ContractOptions}, as a table. */
export const contractOptions = {
  observe: { type: callback },
  reset: { type: callback },
  projection: { type: callback },
  expected: { type: callback },
  scenarios: { type: listOf(nonEmptyText) },
  catalogue: { type: catalogueObject },
  seed: { type: whole(), default: 1 },
  patience: { type: number({ above: 0, to: 600_000 }), default: 4_000, unit: 'milliseconds' },
} satisfies OptionTable<ContractOptions>;

export interface VerifyOptions extends ContractOptions {
  /** How many random fault plans are tried. Default 50. */
  readonly runs?: number;
  /** Of which faults they are made. Default: all that a right consumer survives. */
  readonly faults?: readonly SurvivableFault[];
  /** Checks to run, by name. Default: all. */
  readonly only?: readonly string[];
  /** Counts what is only pointed out as failed. Default false. */
  readonly strict?: boolean;
}

/** {@link VerifyOptions}, as a table. */
export const verifyOptions = {
  ...contractOptions,
  runs: { type: whole({ from: 0 }), default: 50 },
  faults: { type: listOf(choice(...survivableFaults)) },
  only: { type: listOf(nonEmptyText) },
  strict: { type: boolean, default: false },
} satisfies OptionTable<VerifyOptions>;
