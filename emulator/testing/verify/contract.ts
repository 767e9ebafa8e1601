import {
  anything,
  boolean,
  callback,
  catalogueObject,
  choice,
  envelopeObject,
  type Filled,
  listOf,
  nonEmptyText,
  number,
  type OptionTable,
  whole,
} from 'busbar/base';
import type { EnvelopeCodec } from 'busbar';
import type { Catalogue } from 'busbar/catalogue';
import type { BenchWorld } from '../bench-world.js';
import type { Acceptance } from './accept.js';
import type { RestApi } from './fake-rest-api.js';
import type { RunnableConsumer } from '../virtual-run.js';

/**
 * The consumer to verify: a consumer, `{ run }` for the default one, or a function that makes a fresh consumer for each
 * exercise. With {@link ContractOptions.reset}, the function also runs at each simulated restart. Without, it must empty
 * the state.
 */
export type ConsumerSource =
  | RunnableConsumer
  | ((setup: ContractSetup) => RunnableConsumer | Promise<RunnableConsumer>);

/** Argument of a function that makes consumers. */
export interface ContractSetup {
  /** Serves the platform's REST API of the delivered events' world. The address stays the same. */
  readonly restApi: () => Promise<RestApi>;
  /**
   * Marks a point of possible failure. Call it before an operation that Busbar cannot observe, e.g. a database query.
   * The check `dependencies` makes it throw; otherwise it does nothing.
   */
  readonly failurePoint: () => void;
}

/** The state that checks may observe, and the events and scenarios that they use. */
export interface ContractOptions {
  /**
   * Returns the consumer's state as data for `structuredClone`. States are compared by deep equality: sort lists without
   * an order, or use a `Map` or `Set`. Default: {@link ContractOptions.projection}.
   */
  readonly observe?: () => unknown;
  /** Empties the state and the store of handled event ids. Default: no reset. */
  readonly reset?: () => void | Promise<void>;
  /** Returns the state to compare with {@link ContractOptions.expected} after a scenario. */
  readonly projection?: () => unknown;
  /** Returns the expected projection from the ground truth. */
  readonly expected?: (world: BenchWorld) => unknown;
  /** Scenarios to play: built-in names or paths of files. Default: the fewest that send every handled event. */
  readonly scenarios?: readonly string[];
  /** The consumer's catalogue. Default: that of the nearest configuration file, else the built-in catalogue. */
  readonly catalogue?: Catalogue;
  /** The consumer's wire format. Default: that of the nearest configuration file, else `busbarEnvelope()`. */
  readonly envelope?: EnvelopeCodec;
  /** Seed of samples, scenarios and faults. Default 1. */
  readonly seed?: number;
  /** Longest time after which an event may be redelivered, e.g. `7d`: the retention of the topic. Default `7d`. */
  readonly redelivery?: string;
  /** Wall time after which a handler counts as hanging, in milliseconds. Default 4,000. */
  readonly handlerTimeout?: number;
}

/** Faults that must not change a correct consumer's state. */
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

/** A fault of {@link survivableFaults}. */
export type SurvivableFault = (typeof survivableFaults)[number];

/** Options of {@link verifyConsumer}. */
export interface VerifyOptions extends ContractOptions {
  /** Number of random fault plans to try. Default 50. */
  readonly runs?: number;
  /** Faults in the fault plans. Default: {@link survivableFaults}. */
  readonly faults?: readonly SurvivableFault[];
  /** Names of the checks to run. Default: all. */
  readonly only?: readonly string[];
  /** Whether warnings count as failures. Default false. */
  readonly strict?: boolean;
  /** Causes that are tolerated for a time. Default none; `emulate verify` reads them from `busbar.accept.json`. */
  readonly accepted?: readonly Acceptance[];
  /** Whether the report has the messages of errors, which may quote synthetic payloads. Default true. */
  readonly messages?: boolean;
}

/** {@link VerifyOptions}, as a table. */
export const verifyOptions = {
  observe: { type: callback },
  reset: { type: callback },
  projection: { type: callback },
  expected: { type: callback },
  scenarios: { type: listOf(nonEmptyText) },
  catalogue: { type: catalogueObject },
  envelope: { type: envelopeObject },
  seed: { type: whole(), default: 1 },
  redelivery: { type: nonEmptyText, default: '7d' },
  handlerTimeout: { type: number({ above: 0, to: 600_000 }), default: 4_000, unit: 'milliseconds' },
  runs: { type: whole({ from: 0 }), default: 50 },
  faults: { type: listOf(choice(...survivableFaults)), default: survivableFaults },
  only: { type: listOf(nonEmptyText) },
  strict: { type: boolean, default: false },
  accepted: { type: listOf(anything), default: [] },
  messages: { type: boolean, default: true },
} satisfies OptionTable<VerifyOptions>;

/** {@link VerifyOptions} with the defaults filled in. */
export type VerifySettings = Filled<VerifyOptions, typeof verifyOptions>;
